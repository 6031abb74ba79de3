import type { StateWords } from '@narval/contracts'
import { chart as words } from '../../i18n/chart.ts'
import { toCsv } from '../../lib/csv.ts'
import { formatDateTime, formatValue, UNIT_LABELS } from '../../lib/format.ts'
import { type Cell, type ChartSeries, placesIn } from './series.ts'
import type { ChartContent } from './use-chart.ts'

type Shown = Pick<ChartContent, 'data' | 'view' | 'visible'>

/** Rows of what is shown, one a time at which any of its curves has a value. */
const rowsOf = ({ data, view, visible }: Shown): { readonly at: number; readonly cells: readonly Cell[] }[] => {
  const columns = visible.map(({ key }) => data.of.get(key)?.[0] ?? [])
  const [first, end] = placesIn(data.at, view)
  return data.at.slice(first, end).flatMap((at, index) => {
    const cells = columns.map(column => column[first + index])
    return cells.some(cell => cell !== null && cell !== undefined) ? { at: at * 1_000, cells } : []
  })
}

const headOf = ({ name, unit, states }: ChartSeries): string =>
  states !== null || unit === '' ? name : `${name} (${unit === 'ratio' ? 'ratio' : UNIT_LABELS[unit]})`

/** What is shown as a file: the time in UTC and as the reader's clocks tell it, a column a curve, values in the unit of their head. */
export const chartCsv = (shown: Shown): string =>
  toCsv(
    [words.utc, words.local, ...shown.visible.map(headOf)],
    rowsOf(shown).map(({ at, cells }) => [
      new Date(at).toISOString(),
      formatDateTime(at),
      ...cells.map((cell, index) => csvCell(cell, shown.visible[index]?.states ?? null)),
    ]),
  )
const csvCell = (cell: Cell, states: StateWords): string | number | null => states?.[cell ?? -1] ?? cell ?? null

/** Rows of the table of values: so many are read, and a page stays light. */
export const TABLE_ROWS = 200
/** The last rows of what is shown, in words, and how many there are in all. */
export const tableRows = (shown: Shown) => {
  const rows = rowsOf(shown)
  return {
    all: rows.length,
    rows: rows.slice(-TABLE_ROWS).map(({ at, cells }) => ({
      at,
      texts: cells.map((cell, index) => {
        const one = shown.visible[index]
        return one === undefined ? '' : formatValue(cell ?? null, one.unit, one.states)
      }),
    })),
  }
}

/** A name that every system takes for a file, with the day of its end. */
export const fileName = (name: string, toMs: number, extension: string): string =>
  `${name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80)
    .toLowerCase()}-${new Date(toMs).toISOString().slice(0, 10)}.${extension}`
