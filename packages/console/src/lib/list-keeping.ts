import { type ColumnList, type ListName, type SavedView, savedViewRoutes } from '@narval/contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'

/** Columns that the account has chosen, by list; they change by this console alone. */
export const listColumnsQuery = queryOptions({
  queryKey: ['list-columns'],
  queryFn: ({ signal }) => call(savedViewRoutes.preferences, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const saveListColumns = (list: ColumnList, columns: string[] | null) =>
  call(savedViewRoutes.setPreference, { body: { list, columns } })

/** Views that one has saved, and those that others share. */
export const savedViewsQuery = queryOptions({
  queryKey: ['saved-views'],
  queryFn: ({ signal }) => call(savedViewRoutes.list, { signal }),
})

interface NewView {
  readonly list: ListName
  readonly name: string
  readonly query: string
  readonly shared: boolean
}
export const createView = (body: NewView): Promise<SavedView> => call(savedViewRoutes.create, { body })
export const updateView = ({ id, list, name, query, shared, updatedAt }: SavedView): Promise<SavedView> =>
  call(savedViewRoutes.update, { params: { id }, body: { list, name, query, shared, updatedAt } })
export const deleteView = (id: number) => call(savedViewRoutes.delete, { params: { id } })

/** A list's address without its page, as a view keeps it. */
export const viewQuery = (params: URLSearchParams): string => {
  const kept = new URLSearchParams(params)
  kept.delete('page')
  return kept.toString()
}
