import { userGroupRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { GroupService } from './group.service.ts'
import { GROUP_COLUMNS } from './group.store.ts'

export const groupHandlers = (groups: GroupService): Mounted[] => [
  on(userGroupRoutes.list, () => groups.list()),
  on(userGroupRoutes.get, ({ params }) => groups.get(params.id)),
  on(userGroupRoutes.plan, ({ params }) => groups.plan(params.id)),
  on(userGroupRoutes.create, ({ body }, viewer) => groups.create(viewer, body)),
  on(userGroupRoutes.update, ({ params, body }, viewer) => groups.update(viewer, params.id, body)),
  on(userGroupRoutes.delete, async ({ params }, viewer) => void (await groups.delete(viewer, params.id))),
  on(userGroupRoutes.datatable.get, () => groups.datatable(FIRST_PAGE)),
  on(userGroupRoutes.datatable.put, async ({ body, format }) =>
    format === null
      ? groups.datatable(body)
      : exported(format, { name: 'groupes', columns: GROUP_COLUMNS, slices: await groups.everything(body) }),
  ),
]
