import { secondFactorRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { SecondFactorService } from './second-factor.service.ts'

export const secondFactorHandlers = (service: SecondFactorService): Mounted[] => [
  on(secondFactorRoutes.own, (_, viewer) => service.own(viewer)),
  on(secondFactorRoutes.begin, ({ body, address }, viewer) => service.begin(viewer, body.currentPassword, address)),
  on(secondFactorRoutes.confirm, ({ body, address }, viewer) => service.confirm(viewer, body.code, address)),
  on(secondFactorRoutes.renewCodes, ({ body, address }, viewer) => service.renewCodes(viewer, body, address)),
  on(
    secondFactorRoutes.remove,
    async ({ body, address }, viewer) => void (await service.remove(viewer, body, address)),
  ),
  on(
    secondFactorRoutes.removeOf,
    async ({ params, address }, viewer) => void (await service.removeOf(viewer, params.id, address)),
  ),
]
