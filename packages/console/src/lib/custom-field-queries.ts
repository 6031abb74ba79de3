import { customFieldRoutes, type FieldDefinition, type FieldScope, type RecordFields } from '@narval/contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'
import type { OptionSource } from './option-source.ts'

/** First part of the key of whatever is known of custom fields: one refresh reaches all of it. */
export const FIELD_KEY = 'custom-field'

/** Definitions that the account may read, by group then position. */
export const readableDefinitionsQuery = queryOptions({
  queryKey: [FIELD_KEY, 'readable'],
  queryFn: ({ signal }): Promise<FieldDefinition[]> => call(customFieldRoutes.definitions, { signal }),
})

/** Groups of fields, in their order. */
export const fieldGroupsQuery = queryOptions({
  queryKey: [FIELD_KEY, 'groups'],
  queryFn: ({ signal }) => call(customFieldRoutes.groups, { signal }),
})

export interface FieldOwner {
  readonly scope: FieldScope
  readonly id: number
}

const ROUTES = {
  host: {
    get: customFieldRoutes.host,
    set: customFieldRoutes.setHost,
    history: customFieldRoutes.hostHistory,
  },
  site: {
    get: customFieldRoutes.site,
    set: customFieldRoutes.setSite,
    history: customFieldRoutes.siteHistory,
  },
} as const

/** What the account may read of one record's fields. */
export const recordFieldsQuery = ({ scope, id }: FieldOwner) =>
  queryOptions({
    queryKey: [FIELD_KEY, 'record', scope, id],
    queryFn: ({ signal }): Promise<RecordFields> => call(ROUTES[scope].get, { params: { id }, signal }),
  })

type Values = Record<string, RecordFields['fields'][number]['value']>
/** Changes values of one record; `basedOn` is the newest `updatedAt` of those fields, as read. */
export const saveRecordFields = (
  { scope, id }: FieldOwner,
  values: Values,
  basedOn: string | null,
): Promise<RecordFields> => call(ROUTES[scope].set, { params: { id }, body: { values, updatedAt: basedOn } })

/** A page of the changes of one record, the newest first; `before` is the id of the oldest one known. */
export const fieldHistory = ({ scope, id }: FieldOwner, before: number | null, signal: AbortSignal) =>
  call(ROUTES[scope].history, { params: { id }, query: before === null ? {} : { before: String(before) }, signal })

/** Enabled accounts, for fields of type user and for the members of a group. */
export const userOptions: OptionSource = {
  key: 'user',
  search: (term, signal) => call(customFieldRoutes.users, { query: { term }, signal }),
  nameOf: async (id, signal) => {
    const { results } = await call(customFieldRoutes.users, { query: { id: String(id) }, signal })
    return results.find(user => user.id === id)?.text ?? `n°\u202f${id}`
  },
}
