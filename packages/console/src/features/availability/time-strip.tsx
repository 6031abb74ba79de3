import { availability as words } from '../../i18n/availability.ts'
import { formatDateTime, formatDuration } from '../../lib/format.ts'
import marks from '../../ui/availability-bar.module.css'
import classes from './availability.module.css'
import { fr } from './fr.ts'
import type { ShownInterval } from './interval-table.tsx'

interface TimeStripProps {
  readonly from: string
  readonly to: string
  readonly intervals: readonly ShownInterval[]
}

/** What is bad is seen however short it was: a pixel of a wide screen. */
const LEAST = 0.08
const BAD = ['down', 'unreachable', 'error', 'warning']

/** A period from left to right, each stretch in the colour of what it counts as, what is bad in front. */
export const TimeStrip = ({ from, to, intervals }: TimeStripProps) => {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const place = (at: string): number => ((Date.parse(at) - start) / (end - start)) * 100
  const ordered = [
    ...intervals.filter(({ reason }) => !BAD.includes(reason)),
    ...intervals.filter(({ reason }) => BAD.includes(reason)),
  ]
  return (
    <div className={classes.strip}>
      <div className={classes.track} role="img" aria-label={fr.stripAlt(intervals.length)}>
        {ordered.map(interval => {
          const left = place(interval.from)
          const width = place(interval.to) - left
          return (
            <span
              key={interval.from}
              className={marks.part}
              data-reason={interval.reason}
              style={{
                insetInlineStart: `${left}%`,
                width: `${BAD.includes(interval.reason) ? Math.max(width, LEAST) : width}%`,
              }}
              title={titleOf(interval)}
            />
          )
        })}
      </div>
      <div className={classes.axis} aria-hidden="true">
        {[0, 1, 2, 3, 4].map(step => (
          <span key={step}>{dayOf(start + ((end - start) * step) / 4)}</span>
        ))}
      </div>
    </div>
  )
}

const day = new Intl.DateTimeFormat('fr-FR', { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' })
const dayOf = (ms: number): string => day.format(ms)

const titleOf = ({ from, to, reason }: ShownInterval): string =>
  `${words.reasons[reason]} · ${formatDateTime(from)} – ${formatDateTime(to)} · ${formatDuration(Date.parse(to) - Date.parse(from))}`
