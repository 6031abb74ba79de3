import { accountRoutes, SELECT2_PAGE, userGroupRoutes } from '@narval/contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import type { OptionSource } from '../../lib/option-source.ts'

export const ACCOUNT_LIST = 'accounts'
export const GROUP_LIST = 'groups'

/** Every group with what it gives; needs the claim `user_group_read`. */
export const groupsQuery = queryOptions({
  queryKey: ['user-groups'],
  queryFn: ({ signal }) => call(userGroupRoutes.list, { signal }),
})

/** Groups by name; needs the claim `user_group_read`. */
export const groupOptions: OptionSource = {
  key: 'user-group',
  search: async (term, signal) => {
    const body = { length: SELECT2_PAGE, search: { value: term }, columns: [{ data: 'name' }] }
    const { data, recordsFiltered } = await call(userGroupRoutes.datatable.put, { body, signal })
    return {
      results: data.map(({ id, name }) => ({ id, text: name })),
      pagination: { more: recordsFiltered > data.length },
    }
  },
  nameOf: async (id, signal) => (await call(userGroupRoutes.get, { params: { id }, signal })).name,
}

interface Person {
  readonly login: string
  readonly firstName: string
  readonly lastName: string
}
/** « Jeanne Martin (jmartin) », or the login alone. */
export const personText = ({ login, firstName, lastName }: Person): string => {
  const name = `${firstName} ${lastName}`.trim()
  return name === '' ? login : `${name} (${login})`
}

/** Accounts by login and name; needs the claim `user_read`. */
export const accountOptions: OptionSource = {
  key: 'account',
  search: async (term, signal) => {
    const columns = ['login', 'lastName'].map(data => ({ data }))
    const body = { length: SELECT2_PAGE, search: { value: term }, columns }
    const { data, recordsFiltered } = await call(accountRoutes.datatable.put, { body, signal })
    return {
      results: data.map(row => ({ id: row.idUser, text: personText(row) })),
      pagination: { more: recordsFiltered > data.length },
    }
  },
  nameOf: async (id, signal) => personText(await call(accountRoutes.get, { params: { id }, signal })),
}
