import {
  customFieldRoutes,
  DATATABLE_MAX_LENGTH,
  type FieldDefinition,
  type FieldDefinitionInput,
  type FieldGroup,
  type FieldScope,
  hostRoutes,
  type PrivilegeCell,
  type PrivilegeMatrix,
  siteRoutes,
} from '@narval/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { FIELD_KEY } from '../../lib/custom-field-queries.ts'
import { fr } from './fr.ts'

/** All definitions, those included that the account may not read on records: who defines fields sees them all. */
const allDefinitions = async (signal: AbortSignal): Promise<FieldDefinition[]> => {
  const found: FieldDefinition[] = []
  for (let more = true; more; ) {
    const body = { start: found.length, length: DATATABLE_MAX_LENGTH }
    const page = await call(customFieldRoutes.datatable.put, { body, signal })
    found.push(...page.data)
    more = page.data.length > 0 && found.length < page.recordsFiltered
  }
  return found.toSorted((a, b) => a.position - b.position)
}
export const definitionsQuery = queryOptions({
  queryKey: [FIELD_KEY, 'definitions'],
  queryFn: ({ signal }) => allDefinitions(signal),
})
/** One definition, fresh; there is no call for one alone. Throws a 404 when it is gone. */
export const findDefinition = async (id: number, signal: AbortSignal): Promise<FieldDefinition> => {
  const found = (await allDefinitions(signal)).find(definition => definition.id === id)
  if (found === undefined)
    throw new ApiError(404, '', { status: 404, title: fr.gone, detail: fr.gone, errors: [fr.gone] })
  return found
}
export const privilegesQuery = queryOptions({
  queryKey: [FIELD_KEY, 'privileges'],
  queryFn: ({ signal }): Promise<PrivilegeMatrix> => call(customFieldRoutes.privileges, { signal }),
})
/** What a user group may do with each field. */
export const groupFieldsQuery = (id: number) =>
  queryOptions({
    queryKey: [FIELD_KEY, 'group-fields', id],
    queryFn: ({ signal }) => call(customFieldRoutes.privilegeGroupFields, { params: { id }, signal }),
  })
export const membersQuery = (id: number) =>
  queryOptions({
    queryKey: [FIELD_KEY, 'members', id],
    queryFn: ({ signal }) => call(customFieldRoutes.privilegeGroupUsers, { params: { id }, signal }),
    staleTime: 0,
  })
/** Types of sites or of equipment, for the fields that concern some of them only. */
export const typesQuery = (scope: FieldScope) =>
  queryOptions({
    queryKey: ['types', scope],
    queryFn: ({ signal }) => call(scope === 'site' ? siteRoutes.types : hostRoutes.types, { signal }),
  })

/** Creates, or changes the version of `basedOn`. */
export const saveDefinition = (
  id: number | null,
  input: FieldDefinitionInput,
  basedOn: string | null,
): Promise<FieldDefinition> =>
  id === null || basedOn === null
    ? call(customFieldRoutes.createDefinition, { body: input })
    : call(customFieldRoutes.updateDefinition, { params: { id }, body: { ...input, updatedAt: basedOn } })

export const deleteDefinition = (id: number, plan: boolean) =>
  call(customFieldRoutes.deleteDefinition, { params: { id }, query: plan ? { plan: 'true' } : { cascade: 'true' } })

export const saveGroup = (group: FieldGroup | null, name: string): Promise<FieldGroup> =>
  group === null
    ? call(customFieldRoutes.createGroup, { body: { name } })
    : call(customFieldRoutes.updateGroup, { params: { id: group.id }, body: { name, updatedAt: group.updatedAt } })

export const savePrivileges = (cells: readonly PrivilegeCell[]): Promise<PrivilegeMatrix> =>
  call(customFieldRoutes.setPrivileges, { body: { cells: [...cells] } })

/** Drops what is known of custom fields, so that it is asked again. */
export const useFieldRefresh = (): (() => void) => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [FIELD_KEY] })
}

const withPositions = <T extends { readonly id: number; readonly position: number }>(
  items: readonly T[],
  ids: readonly number[],
): T[] =>
  items
    .map(item => (ids.includes(item.id) ? { ...item, position: ids.indexOf(item.id) } : item))
    .toSorted((a, b) => a.position - b.position)

/** Puts the fields of a group in order: shown at once, then as the server holds it. */
export const useOrderDefinitions = () => {
  const client = useQueryClient()
  const { queryKey } = definitionsQuery
  return useMutation({
    mutationFn: (order: { readonly groupId: number; readonly ids: readonly number[] }) =>
      call(customFieldRoutes.orderDefinitions, { body: { groupId: order.groupId, ids: [...order.ids] } }),
    onMutate: async ({ ids }) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData<FieldDefinition[]>(queryKey, known => known && withPositions(known, ids))
    },
    onSettled: () => client.invalidateQueries({ queryKey: [FIELD_KEY] }),
  })
}

/** The same for the groups of fields. */
export const useOrderGroups = (queryKey: readonly string[]) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly number[]) => call(customFieldRoutes.orderGroups, { body: { ids: [...ids] } }),
    onMutate: async ids => {
      await client.cancelQueries({ queryKey })
      client.setQueryData<FieldGroup[]>(queryKey, known => known && withPositions(known, ids))
    },
    onSettled: () => client.invalidateQueries({ queryKey: [FIELD_KEY] }),
  })
}
