import { Checkbox, Chip, Group } from '@mantine/core'
import { type QuietHours, WEEK_DAYS } from '@narval/contracts'
import { DAY_LETTERS, DAY_NAMES } from '../../lib/opening-text.ts'
import { ClockInput } from '../../ui/opening-hours.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const { alerts: words } = fr
const nightly = (): QuietHours => ({
  ...{ days: [...WEEK_DAYS], from: '22:00', to: '07:00', exceptErrors: true },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

interface QuietFieldsProps {
  readonly value: QuietHours | null
  readonly onChange: (quiet: QuietHours | null) => void
}

/** The hours in which one wants to see nothing appear. */
export const QuietFields = ({ value, onChange }: QuietFieldsProps) => (
  <>
    <Checkbox
      label={words.quiet}
      description={words.quietHelp}
      checked={value !== null}
      onChange={event => onChange(event.currentTarget.checked ? nightly() : null)}
    />
    {value !== null && <Hours value={value} onChange={onChange} />}
  </>
)

const Hours = ({ value, onChange }: { readonly value: QuietHours; readonly onChange: (quiet: QuietHours) => void }) => (
  <div className={classes.quiet}>
    <Chip.Group
      multiple
      value={value.days.map(String)}
      onChange={days => onChange({ ...value, days: days.map(Number).toSorted((a, b) => a - b) })}
    >
      <Group gap={6} role="group" aria-label={words.quietDays}>
        {WEEK_DAYS.map(day => (
          <Chip key={day} value={String(day)} size="xs" aria-label={DAY_NAMES[day - 1]}>
            {DAY_LETTERS[day - 1]}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
    {value.days.length === 0 && <p className={classes.refused}>{words.lacksDays}</p>}
    <Group gap="sm">
      <span aria-hidden="true">{words.quietFrom}</span>
      <ClockInput label={words.quietStart} value={value.from} onChange={from => onChange({ ...value, from })} />
      <span aria-hidden="true">{words.quietTo}</span>
      <ClockInput label={words.quietEnd} value={value.to} onChange={to => onChange({ ...value, to })} />
    </Group>
    <p className={classes.note}>{words.quietZone(value.timeZone)}</p>
    <Checkbox
      label={words.exceptErrors}
      checked={value.exceptErrors}
      onChange={event => onChange({ ...value, exceptErrors: event.currentTarget.checked })}
    />
  </div>
)
