import { pushRoutes } from '@narval/contracts'
import { type Mounted, on, onOpen } from '../../http/mount.ts'
import type { PushService } from './push.service.ts'

export const pushHandlers = (push: PushService): Mounted[] => [
  onOpen(pushRoutes.push, async ({ params, query, body }) => void (await push.push(params.token, query, body))),
  on(pushRoutes.token, ({ query }, viewer) => push.token(viewer, query.id)),
  on(pushRoutes.renew, ({ params }, viewer) => push.renew(viewer, params.id)),
]
