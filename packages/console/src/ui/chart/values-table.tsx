import { useMemo } from 'react'
import { chart as words } from '../../i18n/chart.ts'
import { formatDateTime } from '../../lib/format.ts'
import classes from './chart.module.css'
import { TABLE_ROWS, tableRows } from './export.ts'
import type { ChartContent } from './use-chart.ts'

/** What is shown, in words: the newest first, so many at most. */
export const ValuesTable = ({ content }: { readonly content: ChartContent }) => {
  const { data, view, visible } = content
  const { all, rows } = useMemo(() => tableRows({ data, view, visible }), [data, view, visible])
  return (
    <section
      className={classes.values}
      aria-label={words.valuesTitle}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
      tabIndex={0}
    >
      {all > TABLE_ROWS && <p className={classes.note}>{words.someOf(TABLE_ROWS, all)}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">{words.instant}</th>
            {visible.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ at, texts }) => (
            <tr key={at}>
              <th scope="row">{formatDateTime(at)}</th>
              {texts.map((text, index) => (
                <td key={visible[index]?.key}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
