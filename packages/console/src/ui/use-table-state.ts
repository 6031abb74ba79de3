import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { readTableState, type TableShape, type TableState, writeTableState } from '../lib/datatable-state.ts'

export interface TableStateHandle {
  readonly state: TableState
  /** Changes part of the state; back to the first page unless `page` is among it. `replace` adds no step to « back ». */
  readonly update: (change: Partial<TableState>, replace?: boolean) => void
}

/** The state of a list, held in the URL: a reload, a link and the browser's « back » find the same rows. */
export const useTableState = (shape: TableShape): TableStateHandle => {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readTableState(params, shape), [params, shape])
  const update = useCallback(
    (change: Partial<TableState>, replace = false) =>
      setParams(current => writeTableState(current, { ...readTableState(current, shape), page: 1, ...change }, shape), {
        replace,
        preventScrollReset: true,
      }),
    [setParams, shape],
  )
  return { state, update }
}
