import { ActionIcon, Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { LOG_BOOK_KINDS } from '@narval/contracts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { siteOptions } from '../../lib/option-sources.ts'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import type { BookFilter } from './log-book-queries.ts'
import { addDays, dayOf, dayText, type Shift, shortHoursText } from './shift.ts'

interface BookControlsProps {
  readonly filter: BookFilter
  readonly day: Date
  readonly today: Date
  readonly shifts: readonly Shift[]
  /** The shift that is shown, from 1 on; 0: the whole day. */
  readonly place: number
  readonly put: (changes: Readonly<Record<string, string | null>>, options?: { readonly replace?: boolean }) => void
}

/** Which day or shift, which site, which lines: all of it in the address. */
export const BookControls = ({ filter, day, today, shifts, place, put }: BookControlsProps) => {
  const isToday = dayText(day) === dayText(today)
  const show = (next: Date): void =>
    put({ day: dayText(next) === dayText(today) ? null : dayText(next) }, { replace: false })
  return (
    <div className={classes.controls}>
      <div className={classes.days}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={fr.previousDay}
          title={fr.previousDay}
          onClick={() => show(addDays(day, -1))}
        >
          <IconChevronLeft size={17} />
        </ActionIcon>
        <TextInput
          type="date"
          aria-label={fr.day}
          value={dayText(day)}
          max={dayText(today)}
          onChange={event => {
            const chosen = dayOf(event.currentTarget.value)
            if (chosen !== null) show(chosen)
          }}
        />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={fr.nextDay}
          title={fr.nextDay}
          disabled={isToday}
          onClick={() => show(addDays(day, 1))}
        >
          <IconChevronRight size={17} />
        </ActionIcon>
        {!isToday && (
          <Button variant="subtle" size="compact-sm" onClick={() => show(today)}>
            {fr.today}
          </Button>
        )}
      </div>
      {shifts.length > 1 && (
        <SegmentedControl
          aria-label={fr.shift}
          value={String(place)}
          onChange={value => put({ shift: value === '0' ? null : value }, { replace: false })}
          data={[
            { value: '0', label: fr.wholeDay },
            ...shifts.map((shift, index) => ({ value: String(index + 1), label: shortHoursText(shift) })),
          ]}
        />
      )}
      <div className={classes.narrow}>
        <RemoteSelect
          label={fr.site}
          quiet
          placeholder={fr.anySite}
          source={siteOptions}
          value={filter.site}
          onChange={id => put({ site: id === null ? null : String(id) }, { replace: false })}
        />
      </div>
      <Select
        className={classes.narrow}
        aria-label={fr.kind}
        placeholder={fr.anyKind}
        clearable
        data={LOG_BOOK_KINDS.map(value => ({ value, label: fr.kinds[value] }))}
        value={filter.kind}
        onChange={kind => put({ kind }, { replace: false })}
      />
    </div>
  )
}
