import { describe, expect, it } from 'vitest'
import { chartCsv, fileName, TABLE_ROWS, tableRows } from './export.ts'
import { aligned, type ChartSeries } from './series.ts'

const T0 = Date.UTC(2026, 10, 20, 8)
const curve = (key: string, values: (number | null)[], more: Partial<ChartSeries> = {}): ChartSeries => ({
  ...{ key, name: key, unit: 'ms', states: null },
  data: {
    ...{ id: 1, unit: 'ms', at: values.map((_, index) => T0 + index * 60_000) },
    ...{ value: values, min: values, max: values },
  },
  ...more,
})
const shownOf = (series: ChartSeries[], minutes: number) => ({
  data: aligned(series, 60_000),
  visible: series,
  view: { fromMs: T0, toMs: T0 + minutes * 60_000 },
})

describe('what is shown, as a file and as a table', () => {
  it('the file has the time twice, a column a curve, the words of states, and only what is in sight', () => {
    const door = curve('Porte', [0, 1, 1], { unit: 'code', states: { 0: 'fermée', 1: 'ouverte' } })
    const lines = chartCsv(shownOf([curve('Latence', [1.5, null, 3]), door], 1)).split('\r\n')
    expect(lines[0]).toBe('\uFEFFInstant (UTC);Heure locale;Latence (ms);Porte')
    expect(lines[1]).toMatch(/^2026-11-20T08:00:00.000Z;20\/11\/2026.*;1,5;fermée$/)
    expect(lines[2]).toMatch(/^2026-11-20T08:01:00.000Z;.*;;ouverte$/)
    expect(lines).toHaveLength(4)
  })
  it('S45: the name of a metric is no formula of a spreadsheet', () => {
    expect(chartCsv(shownOf([curve('=1+1', [1], { unit: '' })], 1))).toContain(";'=1+1")
  })
  it('the table holds the last 200 rows and knows how many there are', () => {
    const { all, rows } = tableRows(shownOf([curve('a', new Array(300).fill(5))], 300))
    expect([all, rows.length, rows.at(-1)?.at]).toEqual([300, TABLE_ROWS, T0 + 299 * 60_000])
    expect(rows[0]?.texts[0]?.replaceAll(/\s/g, ' ')).toBe('5 ms')
  })
  it('a file has a name that every system takes', () => {
    expect(fileName('srv-1 · Délai d’attente', T0, 'csv')).toBe('srv-1-delai-d-attente-2026-11-20.csv')
  })
})
