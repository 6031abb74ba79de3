import { type ColumnList, FIELD_PREFIX, type FieldScope } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { readableDefinitionsQuery, userOptions } from '../lib/custom-field-queries.ts'
import { listColumnsQuery } from '../lib/list-keeping.ts'
import { hostOptions, siteOptions } from '../lib/option-sources.ts'
import type { TableColumn, TableFilter } from './data-table-types.ts'
import { type FieldSources, fieldColumn, fieldFilter, nameOf, type WithFields } from './record-fields-shapes.ts'

const SOURCES: FieldSources = { host: hostOptions, site: siteOptions, user: userOptions }

interface FieldsOfList<T> {
  readonly scope: FieldScope
  /** Under which the list keeps the columns that the account chose. */
  readonly list: ColumnList
  readonly columns: readonly TableColumn<T>[]
  readonly filters: readonly TableFilter[]
}

/**
 * A list's own columns and filters with those of the fields that the account may read. A field's filter stands there with
 * its column, or when the address has it: with dozens of fields, all of them at once would hide the list.
 */
export const useFieldColumns = <T extends WithFields>(own: FieldsOfList<T>) => {
  const { scope, list, columns, filters } = own
  const { data: definitions } = useQuery(readableDefinitionsQuery)
  const { data: preferences } = useQuery(listColumnsQuery)
  const [params] = useSearchParams()
  const inAddress = [...params.keys()].filter(name => name.startsWith(FIELD_PREFIX)).join(' ')
  return useMemo(() => {
    // Secrets are in no list.
    const fields = (definitions ?? []).filter(one => one.scope === scope && one.type !== 'secret')
    const chosen = preferences?.find(one => one.list === list)?.columns ?? []
    const wanted = new Set([...chosen, ...inAddress.split(' ')])
    return {
      columns: [...columns, ...fields.map(definition => fieldColumn<T>(definition))],
      filters: [
        ...filters,
        ...fields.flatMap(definition => (wanted.has(nameOf(definition)) ? [fieldFilter(definition, SOURCES)] : [])),
      ],
    }
  }, [definitions, preferences, inAddress, scope, list, columns, filters])
}
