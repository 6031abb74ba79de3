import { displayRoutes } from '@narval/contracts'
import { type Mounted, on, onDisplay } from '../../http/mount.ts'
import type { DisplayService } from './display.service.ts'
import type { WallService } from './wall.service.ts'

export const displayHandlers = (displays: DisplayService, wall: WallService): Mounted[] => [
  on(displayRoutes.list, (_, viewer) => displays.list(viewer)),
  on(displayRoutes.create, ({ body, address }, viewer) => displays.create(viewer, body, address)),
  on(
    displayRoutes.delete,
    async ({ params, address }, viewer) => void (await displays.delete(viewer, params.id, address)),
  ),
  onDisplay(displayRoutes.wall, (_, who) => wall.wall(who)),
  onDisplay(displayRoutes.hosts, (_, who) => wall.hosts(who)),
]
