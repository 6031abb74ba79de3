import { UnstyledButton } from '@mantine/core'
import { chart as words } from '../../i18n/chart.ts'
import type { ChartSummary } from '../../lib/chart-data.ts'
import { formatDateTime, formatValue, NOTHING } from '../../lib/format.ts'
import classes from './chart.module.css'
import { type Aligned, type ChartSeries, valueAt } from './series.ts'

interface ReadoutProps {
  readonly series: readonly ChartSeries[]
  readonly summaries: ReadonlyMap<string, ChartSummary | null>
  readonly cursor: number | null
  readonly data: Aligned
}

/** Under a small chart: the value under the cursor, else what the curve comes to. */
export const Readout = ({ series, summaries, cursor, data }: ReadoutProps) => {
  const [only] = series
  if (only === undefined) return null
  const { key, unit, states } = only
  const at = cursor === null ? undefined : data.at[cursor]
  const summary = summaries.get(key) ?? null
  const text = (value: number | null): string => (value === null ? NOTHING : formatValue(value, unit, states))
  return (
    <div className={classes.readout} aria-hidden="true">
      {at !== undefined && cursor !== null ? (
        <span>
          {formatDateTime(at * 1_000)} · <strong>{text(valueAt(data.of.get(key)?.[0], cursor))}</strong>
        </span>
      ) : (
        summary !== null &&
        states === null && (
          <>
            <span>
              {words.min} {text(summary.min)}
            </span>
            {unit !== 'code' && (
              <span>
                {words.avg} {text(summary.avg)}
              </span>
            )}
            <span>
              {words.max} {text(summary.max)}
            </span>
          </>
        )
      )}
    </div>
  )
}

interface LegendProps extends ReadoutProps {
  readonly colours: ReadonlyMap<string, string>
  /** Keys of the curves that are shown; null: all. */
  readonly shown: ReadonlySet<string> | null
  /** Newer values wait until the reader looks elsewhere. */
  readonly isPaused: boolean
  readonly onPress: (key: string, adds: boolean) => void
}

/** Each curve with what it comes to; pressed, it is isolated. */
export const Legend = ({ series, summaries, colours, shown, cursor, data, isPaused, onPress }: LegendProps) => {
  const at = cursor === null ? undefined : data.at[cursor]
  return (
    <div className={classes.legendBox}>
      <table className={classes.legend} aria-label={words.legend} data-looking={cursor !== null || undefined}>
        <thead>
          <tr>
            <th scope="col">{words.series}</th>
            <th scope="col" data-cursor>
              {at === undefined ? '' : formatDateTime(at * 1_000)}
            </th>
            {[words.min, words.avg, words.max, words.last].map(word => (
              <th key={word} scope="col" data-figure>
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(one => {
            const summary = summaries.get(one.key) ?? null
            const text = (value: number | null | undefined): string =>
              value === null || value === undefined ? NOTHING : formatValue(value, one.unit, one.states)
            const isShown = shown?.has(one.key) ?? true
            // Of the words of a state there is no mean, nor of codes.
            const mean = one.unit === 'code' ? null : summary?.avg
            const figures = one.states === null ? [summary?.min, mean, summary?.max] : [null, null, null]
            return (
              <tr key={one.key} data-off={!isShown || undefined}>
                <th scope="row">
                  <UnstyledButton
                    className={classes.legendName}
                    aria-pressed={isShown}
                    title={words.isolate}
                    disabled={series.length === 1}
                    onClick={event => onPress(one.key, event.ctrlKey || event.metaKey)}
                  >
                    <span
                      className={classes.swatch}
                      data-dashed={one.before !== undefined || undefined}
                      style={{ color: colours.get(one.key) }}
                      aria-hidden="true"
                    />
                    {one.name}
                  </UnstyledButton>
                </th>
                <td data-cursor>{cursor === null ? '' : text(valueAt(data.of.get(one.key)?.[0], cursor))}</td>
                {figures.map((value, place) => (
                  <td key={place} data-figure>
                    {text(value)}
                  </td>
                ))}
                <td data-figure>{text(summary?.last)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {isPaused && <span className={classes.paused}>{words.paused}</span>}
    </div>
  )
}
