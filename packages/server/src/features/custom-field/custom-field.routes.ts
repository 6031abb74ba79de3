import { customFieldRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import { createDefinitionService } from './definition.service.ts'
import { findFieldUsers } from './field-users.ts'
import { createGroupService } from './group.service.ts'
import { createPrivilegeService } from './privilege.service.ts'
import { createPrivilegeGroupService } from './privilege-group.service.ts'
import { createRecordFieldsService, type RecordFieldsDeps } from './record-fields.service.ts'

/** What answers the routes of custom fields. */
export const createCustomFields = (deps: RecordFieldsDeps) => ({
  database: deps.database,
  definitions: createDefinitionService(deps),
  groups: createGroupService(deps),
  privileges: createPrivilegeService(deps),
  privilegeGroups: createPrivilegeGroupService(deps),
  records: createRecordFieldsService(deps),
})
export type CustomFieldServices = ReturnType<typeof createCustomFields>

export const customFieldHandlers = (services: CustomFieldServices): Mounted[] => {
  const { definitions, groups, privileges, privilegeGroups, records } = services
  const routes = customFieldRoutes
  return [
    on(routes.definitions, (_, viewer) => definitions.list(viewer)),
    on(routes.createDefinition, ({ body }, viewer) => definitions.create(viewer, body)),
    on(routes.updateDefinition, ({ params, body }, viewer) => definitions.update(viewer, params.id, body)),
    on(routes.orderDefinitions, ({ body }, viewer) => definitions.order(viewer, body.groupId, body.ids)),
    on(routes.deleteDefinition, ({ params, query }, viewer) =>
      definitions.delete(viewer, params.id, { plan: query.plan === 'true', cascade: query.cascade === 'true' }),
    ),
    on(routes.holders, ({ params }, viewer) => records.holders(viewer, params.id)),
    on(routes.groups, (_, viewer) => groups.list(viewer)),
    on(routes.createGroup, ({ body }, viewer) => groups.create(viewer, body)),
    on(routes.updateGroup, ({ params, body }, viewer) => groups.update(viewer, params.id, body)),
    on(routes.orderGroups, ({ body }, viewer) => groups.order(viewer, body.ids)),
    on(routes.deleteGroup, ({ params }, viewer) => groups.delete(viewer, params.id)),
    on(routes.privileges, () => privileges.matrix()),
    on(routes.setPrivileges, ({ body }, viewer) => privileges.set(viewer, body.cells)),
    on(routes.privilegeGroups, () => privilegeGroups.list()),
    on(routes.createPrivilegeGroup, ({ body }, viewer) => privilegeGroups.create(viewer, body)),
    on(routes.updatePrivilegeGroup, ({ params, body }, viewer) => privilegeGroups.update(viewer, params.id, body)),
    on(routes.deletePrivilegeGroup, ({ params }, viewer) => privilegeGroups.delete(viewer, params.id)),
    on(routes.privilegeGroupUsers, ({ params }) => privilegeGroups.users(params.id)),
    on(routes.setPrivilegeGroupUsers, ({ params, body }, viewer) =>
      privilegeGroups.setUsers(viewer, params.id, body.users),
    ),
    on(routes.privilegeGroupFields, ({ params }) => privilegeGroups.fields(params.id)),
    on(routes.host, ({ params }, viewer) => records.get(viewer, 'host', params.id)),
    on(routes.setHost, ({ params, body }, viewer) => records.set(viewer, 'host', params.id, body)),
    on(routes.hostHistory, ({ params, query }, viewer) => records.history(viewer, 'host', params.id, query.before)),
    on(routes.site, ({ params }, viewer) => records.get(viewer, 'site', params.id)),
    on(routes.setSite, ({ params, body }, viewer) => records.set(viewer, 'site', params.id, body)),
    on(routes.siteHistory, ({ params, query }, viewer) => records.history(viewer, 'site', params.id, query.before)),
    on(routes.users, ({ query }, viewer) => findFieldUsers(services.database, viewer, query)),
    on(routes.datatable.get, () => definitions.datatable(FIRST_PAGE)),
    on(routes.datatable.put, ({ body }) => definitions.datatable(body)),
  ]
}
