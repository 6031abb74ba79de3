import { notificationChannelRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { ChannelService } from './channel.service.ts'

export const channelHandlers = (channels: ChannelService): Mounted[] => [
  on(notificationChannelRoutes.list, () => channels.list()),
  on(notificationChannelRoutes.get, ({ params }) => channels.get(params.id)),
  on(notificationChannelRoutes.create, ({ body }, viewer) => channels.create(viewer, body)),
  on(notificationChannelRoutes.update, ({ params, body }, viewer) => channels.update(viewer, params.id, body)),
  on(notificationChannelRoutes.delete, ({ params }, viewer) => channels.delete(viewer, params.id)),
  on(notificationChannelRoutes.test, ({ params, body }, viewer) => channels.test(viewer, params.id, body.to)),
  on(notificationChannelRoutes.testDraft, ({ body }, viewer) => channels.testDraft(viewer, body)),
]
