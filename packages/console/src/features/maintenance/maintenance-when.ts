import { type Maintenance, parseRecurrence, recurrenceWords } from '@narval/contracts'

const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('fr-FR', { day: '2-digit', month: '2-digit', year: 'numeric' })
/** « 05:15 » on the reader's clocks. */
export const hourOf = (iso: string): string =>
  new Date(iso).toLocaleTimeString('fr-FR', { hour: '2-digit', minute: '2-digit' })

interface Span {
  readonly from: string
  readonly to: string
}

/** « 22/11/2026 05:15 – 06:15 », with the second day where it is another one. */
export const spanText = ({ from, to }: Span): string =>
  `${dayOf(from)} ${hourOf(from)} – ${dayOf(from) === dayOf(to) ? '' : `${dayOf(to)} `}${hourOf(to)}`

type Timed = Pick<Maintenance, 'schedule' | 'current' | 'state'> & {
  readonly lastRun: Pick<NonNullable<Maintenance['lastRun']>, 'startedAt' | 'endedAt'> | null
}

/** « tous les mois, le premier dimanche »; of a single window what it has become: it may be extended, reopened or cut short. */
export const whenText = ({ schedule, current, state, lastRun }: Timed): string => {
  if (schedule.kind === 'one-off') {
    const took = state === 'over' && lastRun?.endedAt != null ? { from: lastRun.startedAt, to: lastRun.endedAt } : null
    return spanText(current ?? took ?? schedule)
  }
  const rule = parseRecurrence(schedule.rrule)
  const hour = schedule.start.slice(11)
  return `${'fault' in rule ? schedule.rrule : recurrenceWords(rule)}, à ${hour} (${schedule.timeZone})`
}

/** « 05:15 – 06:15 » of what a day of the week view shows; `before`, `after`: it began or ends on another day. */
export const dayHours = ({ from, to }: Span, before: boolean, after: boolean): string => {
  const start = before ? '' : hourOf(from)
  if (before && after) return 'toute la journée'
  if (after) return `dès ${start}`
  return before ? `jusqu’à ${hourOf(to)}` : `${start} – ${hourOf(to)}`
}
