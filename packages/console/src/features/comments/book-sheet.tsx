import type { LogBookEntry } from '@narval/contracts'
import { formatDateTime } from '../../lib/format.ts'
import { PaperSheet } from '../../ui/paper-sheet.tsx'
import { eventText } from './book-words.ts'
import { fr } from './log-book-fr.ts'
import sheet from './sheet.module.css'
import { dayName, type Shift, shiftText } from './shift.ts'

const DAY_MS = 23 * 3_600_000

/** The book as it is on paper, in the place of the console: light, without menus, each line whole. */
export const BookSheet = ({
  period,
  entries,
}: {
  readonly period: Shift
  readonly entries: readonly LogBookEntry[]
}) => (
  <PaperSheet>
    <h1>{fr.title}</h1>
    <p className={sheet.about}>
      {period.to.getTime() - period.from.getTime() >= DAY_MS ? dayName(period.from) : shiftText(period)}
      {` · ${fr.count(entries.length)} · ${fr.sheet.made(formatDateTime(Date.now()))}`}
    </p>
    <table className={sheet.table}>
      <thead>
        <tr>
          <th scope="col">{fr.at}</th>
          <th scope="col">{fr.sheet.event}</th>
          <th scope="col">{fr.sheet.text}</th>
          <th scope="col">{fr.sheet.author}</th>
          <th scope="col">{fr.site}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(entry => (
          <tr key={entry.key}>
            <td>{formatDateTime(entry.at)}</td>
            <td>{eventText(entry)}</td>
            <td>{[entry.title, entry.text].filter(Boolean).join(' — ')}</td>
            <td>{entry.author ?? fr.narval}</td>
            <td>{entry.siteName ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </PaperSheet>
)
