import { Button, Checkbox, Group, NumberInput, SegmentedControl, Select, SimpleGrid, TextInput } from '@mantine/core'
import { WEEKDAYS } from '@narval/contracts'
import { toLocalInput } from '../../lib/local-time.ts'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { fr } from './fr.ts'
import { type Draft, ENDS, REPEATS } from './maintenance-draft.ts'

interface FieldsProps {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  /** By the names that the server gives. */
  readonly errors: Readonly<Record<string, string>>
}
const { fields: words } = fr
const HOUR_MS = 3_600_000
const ZONES = Intl.supportedValuesOf('timeZone')
const one = <T extends string>(all: readonly T[], value: string | null, or: T): T =>
  all.find(each => each === value) ?? or
const choices = <T extends string>(all: readonly T[], labels: Readonly<Record<T, string>>) =>
  all.map(value => ({ value, label: labels[value] }))

/** When: once, or again and again. */
export const ScheduleFields = (props: FieldsProps) => {
  const { draft, onChange } = props
  return (
    <>
      <SegmentedControl
        aria-label={words.kind}
        value={draft.kind}
        onChange={value => onChange({ kind: value === 'recurring' ? 'recurring' : 'one-off' })}
        data={choices(['one-off', 'recurring'], fr.kinds)}
      />
      {draft.kind === 'one-off' ? <OnceFields {...props} /> : <RecurringFields {...props} />}
      <Checkbox
        label={words.flexible}
        description={words.flexibleHelp}
        checked={draft.flexible}
        onChange={event => onChange({ flexible: event.currentTarget.checked })}
      />
      {draft.flexible && (
        <Minutes
          label={words.flexibleMinutes}
          value={draft.flexibleMinutes}
          onChange={flexibleMinutes => onChange({ flexibleMinutes })}
          error={props.errors.flexibleMinutes}
        />
      )}
    </>
  )
}

const OnceFields = ({ draft, onChange, errors }: FieldsProps) => {
  const now = (): void => {
    const nowMs = Date.now()
    onChange({ from: toLocalInput(nowMs), to: toLocalInput(nowMs + 2 * HOUR_MS) })
  }
  const tonight = (): void => {
    const start = new Date()
    start.setHours(22, 0, 0, 0)
    onChange({ from: toLocalInput(start.getTime()), to: toLocalInput(start.getTime() + 8 * HOUR_MS) })
  }
  return (
    <>
      <Group gap="xs">
        <Button variant="default" size="compact-sm" onClick={now}>
          {fr.now2h}
        </Button>
        <Button variant="default" size="compact-sm" onClick={tonight}>
          {fr.tonight}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="datetime-local"
          label={words.from}
          value={draft.from}
          onChange={event => onChange({ from: event.currentTarget.value })}
          error={errors['schedule.from']}
          required
        />
        <TextInput
          type="datetime-local"
          label={words.to}
          value={draft.to}
          onChange={event => onChange({ to: event.currentTarget.value })}
          error={errors['schedule.to']}
          required
        />
      </SimpleGrid>
    </>
  )
}

const RecurringFields = (props: FieldsProps) => {
  const { draft, onChange, errors } = props
  return (
    <>
      <Select
        label={words.repeats}
        allowDeselect={false}
        value={draft.repeats}
        onChange={value => onChange({ repeats: one(REPEATS, value, 'weekly') })}
        data={choices(REPEATS, fr.repeats)}
      />
      <RuleFields {...props} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="datetime-local"
          label={words.start}
          value={draft.start}
          onChange={event => onChange({ start: event.currentTarget.value })}
          error={errors['schedule.start']}
          required
        />
        <Minutes
          label={words.duration}
          value={draft.durationMinutes}
          onChange={durationMinutes => onChange({ durationMinutes })}
          error={errors['schedule.durationMinutes']}
        />
      </SimpleGrid>
      <Select
        label={words.timeZone}
        searchable
        allowDeselect={false}
        value={draft.timeZone}
        onChange={value => onChange({ timeZone: value ?? draft.timeZone })}
        data={ZONES.includes(draft.timeZone) ? ZONES : [draft.timeZone, ...ZONES]}
        limit={100}
        error={errors['schedule.timeZone']}
      />
      {draft.repeats !== 'custom' && <EndFields {...props} />}
    </>
  )
}

const RuleFields = ({ draft, onChange, errors }: FieldsProps) => {
  const error = errors['schedule.rrule']
  if (draft.repeats === 'custom')
    return (
      <TextInput
        label={words.rule}
        description={words.ruleHelp}
        inputWrapperOrder={FIELD_ORDER}
        value={draft.rule}
        onChange={event => onChange({ rule: event.currentTarget.value })}
        error={error}
        maxLength={300}
        required
      />
    )
  return (
    <>
      <NumberInput
        label={words.interval}
        value={draft.interval}
        onChange={value => onChange({ interval: Number(value) || 1 })}
        min={1}
        max={720}
        suffix={`\u202f${fr.units[draft.repeats]}`}
        allowDecimal={false}
        error={error}
      />
      {draft.repeats === 'weekly' && (
        <Checkbox.Group
          label={words.weekdays}
          value={[...draft.weekdays]}
          onChange={next => onChange({ weekdays: WEEKDAYS.filter(day => next.includes(day)) })}
        >
          <Group gap="sm" mt={4}>
            {WEEKDAYS.map(day => (
              <Checkbox key={day} value={day} label={fr.days[day]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {draft.repeats === 'monthly-day' && (
        <NumberInput
          label={words.monthDay}
          value={draft.monthDay}
          onChange={value => onChange({ monthDay: Number(value) || 1 })}
          min={-31}
          max={31}
          allowDecimal={false}
        />
      )}
      {draft.repeats === 'monthly-nth' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={words.nth}
            allowDeselect={false}
            value={String(draft.nth)}
            onChange={value => onChange({ nth: Number(value) || 1 })}
            data={Object.entries(fr.ranks).map(([value, label]) => ({ value, label }))}
          />
          <Select
            label={words.nthDay}
            allowDeselect={false}
            value={draft.weekdays[0] ?? 'MO'}
            onChange={value => onChange({ weekdays: [one(WEEKDAYS, value, 'MO')] })}
            data={choices(WEEKDAYS, fr.days)}
          />
        </SimpleGrid>
      )}
    </>
  )
}

const EndFields = ({ draft, onChange }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <Select
      label={words.ends}
      allowDeselect={false}
      value={draft.ends}
      onChange={value => onChange({ ends: one(ENDS, value, 'never') })}
      data={choices(ENDS, fr.ends)}
    />
    {draft.ends === 'until' && (
      <TextInput
        type="date"
        label={words.until}
        value={draft.until}
        onChange={event => onChange({ until: event.currentTarget.value })}
        required
      />
    )}
    {draft.ends === 'count' && (
      <NumberInput
        label={words.count}
        value={draft.count}
        onChange={value => onChange({ count: Number(value) || 1 })}
        min={1}
        max={10_000}
        allowDecimal={false}
      />
    )}
  </SimpleGrid>
)

interface MinutesProps {
  readonly label: string
  readonly value: number
  readonly onChange: (minutes: number) => void
  readonly error: string | undefined
}

const Minutes = ({ label, value, onChange, error }: MinutesProps) => (
  <NumberInput
    label={label}
    value={value}
    onChange={next => onChange(Number(next) || 1)}
    min={1}
    max={44_640}
    step={30}
    allowDecimal={false}
    suffix={`\u202f${words.minutes}`}
    error={error}
  />
)
