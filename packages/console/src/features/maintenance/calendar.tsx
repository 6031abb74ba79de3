import { ActionIcon, Button, Group } from '@mantine/core'
import type { MaintenanceOccurrence } from '@narval/contracts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import hiding from '../../ui/hidden.module.css'
import { maintenancePath } from '../../ui/maintenance-mark.tsx'
import { ErrorState, LoadingState } from '../../ui/page.tsx'
import classes from './calendar.module.css'
import { addDays, byDay, type CalendarView, dayKey, moved, weeksOf } from './calendar-days.ts'
import { fr } from './fr.ts'
import { calendarQuery } from './maintenance-queries.ts'
import { StateIcon } from './maintenance-state.tsx'
import { dayHours, hourOf } from './maintenance-when.ts'

/** Occurrences that a day of a month shows; the rest is told by their number. */
const SHOWN_IN_MONTH = 4

const format = (date: Date, options: Intl.DateTimeFormatOptions): string => date.toLocaleDateString('fr-FR', options)

interface CalendarProps {
  readonly view: CalendarView
  readonly date: Date
  readonly today: Date
  readonly onMove: (date: Date) => void
}

/** A month or a week of maintenance windows; on a narrow screen an agenda of the days that have some. */
export const Calendar = ({ view, date, today, onMove }: CalendarProps) => {
  const weeks = weeksOf(view, date)
  const days = weeks.flat()
  const [first = date, last = date] = [days[0], days[days.length - 1]]
  const query = useQuery({
    ...calendarQuery(first.toISOString(), addDays(last, 1).toISOString()),
    placeholderData: keepPreviousData,
  })
  const period =
    view === 'month'
      ? format(date, { month: 'long', year: 'numeric' })
      : fr.weekOf(
          format(first, { day: 'numeric', month: 'long' }),
          format(last, { day: 'numeric', month: 'long', year: 'numeric' }),
        )
  const found = byDay(query.data ?? [], days)
  const isEmpty = query.data?.length === 0
  return (
    <section className={classes.calendar} aria-label={fr.calendarOf(period)}>
      <header className={classes.calendarHead}>
        <Group gap={6} wrap="nowrap">
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={fr.previous[view]}
            onClick={() => onMove(moved(view, date, -1))}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={fr.next[view]}
            onClick={() => onMove(moved(view, date, 1))}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
          <Button variant="default" onClick={() => onMove(today)}>
            {fr.today}
          </Button>
        </Group>
        <h2 className={classes.period} aria-live="polite">
          {period}
        </h2>
      </header>
      {query.data === undefined && query.error === null && <LoadingState height={420} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <>
          {isEmpty && <p className={classes.nothing}>{fr.nothingPlanned}</p>}
          <table className={classes.grid} data-view={view} data-empty={isEmpty || undefined}>
            <caption className={hiding.hidden}>{fr.calendarOf(period)}</caption>
            <thead>
              <tr>
                {(weeks[0] ?? []).map(day => (
                  <th key={day.getDay()} scope="col">
                    {format(day, { weekday: 'short' })}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeks.map(week => (
                <tr key={dayKey(week[0] ?? date)}>
                  {week.map(day => (
                    <Day
                      key={dayKey(day)}
                      day={day}
                      isToday={dayKey(day) === dayKey(today)}
                      isOutside={view === 'month' && day.getMonth() !== date.getMonth()}
                      occurrences={found.get(dayKey(day)) ?? []}
                      shown={view === 'month' ? SHOWN_IN_MONTH : Number.POSITIVE_INFINITY}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

interface DayProps {
  readonly day: Date
  readonly isToday: boolean
  readonly isOutside: boolean
  readonly occurrences: readonly MaintenanceOccurrence[]
  readonly shown: number
}

const Day = ({ day, isToday, isOutside, occurrences, shown }: DayProps) => (
  <td
    className={classes.day}
    data-today={isToday || undefined}
    data-outside={isOutside || undefined}
    data-none={occurrences.length === 0 || undefined}
    aria-current={isToday ? 'date' : undefined}
  >
    <time className={classes.dayName} dateTime={dayKey(day)}>
      <span className={classes.dayNumber}>{day.getDate()}</span>
      <span className={classes.dayLong}>{format(day, { weekday: 'long', day: 'numeric', month: 'long' })}</span>
    </time>
    {occurrences.length > 0 && (
      <ul className={classes.occurrences}>
        {occurrences.slice(0, shown).map(one => (
          <li key={`${one.maintenanceId} ${one.from}`}>
            <Occurrence occurrence={one} day={day} isWeek={shown > SHOWN_IN_MONTH} />
          </li>
        ))}
        {occurrences.length > shown && (
          <li className={classes.more}>
            <Link to={`?view=week&date=${dayKey(day)}`}>{fr.more(occurrences.length - shown)}</Link>
          </li>
        )}
      </ul>
    )}
  </td>
)

const Occurrence = ({
  occurrence,
  day,
  isWeek,
}: {
  readonly occurrence: MaintenanceOccurrence
  readonly day: Date
  readonly isWeek: boolean
}) => {
  const goesOn = Date.parse(occurrence.from) < day.getTime()
  const endsLater = Date.parse(occurrence.to) > addDays(day, 1).getTime()
  const { maintenanceId, from, to, objects, comment, state, broken } = occurrence
  const word = (broken ?? 0) > 0 ? fr.brokenShort(broken ?? 0) : fr.states[state]
  return (
    <Link
      className={classes.occurrence}
      data-state={state}
      data-broken={(broken ?? 0) > 0 || undefined}
      to={maintenancePath(maintenanceId)}
      title={`${hourOf(from)} – ${hourOf(to)} · ${objects} · ${comment} · ${word}`}
    >
      <StateIcon state={state} broken={broken} />
      <span className={classes.hour}>
        {isWeek ? dayHours(occurrence, goesOn, endsLater) : goesOn ? fr.goesOn : hourOf(from)}
      </span>
      <span className={classes.what}>{objects}</span>
      <span className={classes.word}>{word}</span>
    </Link>
  )
}
