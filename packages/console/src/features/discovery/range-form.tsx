import { Checkbox, Select, TagsInput } from '@mantine/core'
import {
  DISCOVERY_METHODS,
  DISCOVERY_RECURRENCES,
  type DiscoveryRange,
  type DiscoveryRangeInput,
  discoveryRangeBody,
  discoveryRange as discoveryRangeSchema,
  discoveryRoutes,
  rangeIntervals,
} from '@narval/contracts'
import { type Control, type FieldPath, type FieldValues, useController, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { formatDuration } from '../../lib/format.ts'
import { probeOptions, siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ChoiceField, FIELD_ORDER, NumberField, ParagraphField, SwitchField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import classes from './discovery.module.css'
import { fr } from './fr.ts'

const { form: words } = fr
const { fields, help, sections } = words

const {
  siteId: _,
  name: _name,
  ranges: _ranges,
  ...DEFAULTS
} = discoveryRangeBody.parse({
  name: 'x',
  siteId: 1,
  ranges: '192.0.2.1',
})
const NEW_RANGE = { ...DEFAULTS, name: '', ranges: '' }
const readNewer = (current: unknown) => {
  const parsed = discoveryRangeSchema.safeParse(current)
  return parsed.success ? discoveryRangeBody.parse(parsed.data) : null
}

const RECURRENCE_CHOICES = DISCOVERY_RECURRENCES.map(value => ({ value, label: fr.recurrences[value] }))

interface RangeFormProps {
  /** Null: a new range. */
  readonly range: DiscoveryRange | null
  readonly onSaved: (range: DiscoveryRange) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a range: what to go through, how, and when. */
export const RangeForm = ({ range, onSaved, onCancel, onDelete }: RangeFormProps) => {
  const { can } = useSession()
  const handle = useEntityForm({
    schema: discoveryRangeBody,
    values: range === null ? NEW_RANGE : discoveryRangeBody.parse(range),
    basedOn: range?.updatedAt ?? null,
    labels: fields,
    readNewer,
    save: (input, basedOn) =>
      range === null || basedOn === null
        ? call(discoveryRoutes.create, { body: input })
        : call(discoveryRoutes.update, { params: { id: range.id }, body: { ...input, updatedAt: basedOn } }),
    onSaved,
  })
  const { control } = handle.form
  const [methods, recurrence] = useWatch({ control, name: ['methods', 'recurrence'] })
  return (
    <FormShell
      handle={handle}
      labels={fields}
      creating={range === null}
      readOnly={!can('scanner_write')}
      onCancel={onCancel}
      onDelete={onDelete}
    >
      <FormSection title={sections.range} help={sections.rangeHelp}>
        <TextField control={control} name="name" label={fields.name} required />
        <RemoteSelectField
          control={control}
          name="siteId"
          label={fields.siteId}
          source={siteOptions}
          known={range === null ? null : { id: range.siteId, name: range.siteName }}
          required
        />
        <Wide>
          <ParagraphField control={control} name="ranges" label={fields.ranges} help={help.ranges} required />
          <Size control={control} />
        </Wide>
        <Wide>
          <ParagraphField control={control} name="exclusions" label={fields.exclusions} help={help.exclusions} />
        </Wide>
        <RemoteSelectField
          control={control}
          name="probeId"
          label={fields.probeId}
          help={can('probe_write') ? help.probeId : help.probeIdNoClaim}
          source={probeOptions}
          known={
            range?.probeId == null || range.probeName === null ? null : { id: range.probeId, name: range.probeName }
          }
          disabled={!can('probe_write')}
        />
      </FormSection>
      <FormSection title={sections.methods} help={sections.methodsHelp}>
        <Wide>
          <MethodsField control={control} name="methods" />
        </Wide>
        {methods?.includes('ports') === true && (
          <Wide>
            <PortsField control={control} name="ports" />
          </Wide>
        )}
        <NumberField
          control={control}
          name="rate"
          label={fields.rate}
          help={help.rate}
          unit={words.rateUnit}
          required
        />
      </FormSection>
      <FormSection title={sections.schedule} help={sections.scheduleHelp}>
        <ChoiceField
          control={control}
          name="recurrence"
          label={fields.recurrence}
          choices={RECURRENCE_CHOICES}
          required
        />
        {recurrence === 'weekly' && <DayField control={control} name="weekday" />}
        {recurrence !== 'manual' && (
          <NumberField control={control} name="atHour" label={fields.atHour} unit={words.hourUnit} required />
        )}
        <SwitchField control={control} name="enabled" label={fields.enabled} help={help.enabled} />
      </FormSection>
    </FormShell>
  )
}

type FormControl = Control<z.input<typeof discoveryRangeBody>, unknown, DiscoveryRangeInput>

/** How many addresses that is, and the least time that the rate asks for. */
const Size = ({ control }: { readonly control: FormControl }) => {
  const [ranges, exclusions, rate] = useWatch({ control, name: ['ranges', 'exclusions', 'rate'] })
  const { size, errors } = rangeIntervals({ ranges: ranges ?? '', exclusions: exclusions ?? '' })
  if (errors.length > 0 || size === 0) return null
  const seconds = size / (typeof rate === 'number' && rate > 0 ? rate : DEFAULTS.rate)
  return (
    <p className={classes.size} aria-live="polite">
      {words.size(size, formatDuration(Math.ceil(seconds) * 1_000))}
    </p>
  )
}

interface OwnFieldProps<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  readonly name: FieldPath<V>
}

/** Each way to look, with what it brings; in the order of their use whatever the order of the ticks. */
const MethodsField = <V extends FieldValues, O>({ control, name }: OwnFieldProps<V, O>) => {
  const { field, fieldState, formState } = useController({ control, name })
  const chosen: unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <Checkbox.Group
      label={fields.methods}
      value={chosen.map(String)}
      onChange={next => field.onChange(DISCOVERY_METHODS.filter(method => next.includes(method)))}
      error={fieldState.error?.message}
      withAsterisk
    >
      <div className={classes.methods}>
        {DISCOVERY_METHODS.map(method => (
          <Checkbox
            key={method}
            value={method}
            label={fr.methods[method]}
            description={words.methods[method]}
            disabled={formState.disabled}
            onBlur={field.onBlur}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}

const PortsField = <V extends FieldValues, O>({ control, name }: OwnFieldProps<V, O>) => {
  const { field, fieldState, formState } = useController({ control, name })
  const ports: unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <TagsInput
      label={fields.ports}
      description={help.ports}
      inputWrapperOrder={FIELD_ORDER}
      disabled={formState.disabled}
      value={ports.map(String)}
      // What is no number stays as it was typed, and is refused in words.
      onChange={next => field.onChange(next.map(text => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : text)))}
      onBlur={field.onBlur}
      ref={field.ref}
      error={fieldState.error?.message ?? firstMessage(fieldState.error)}
      splitChars={[',', ';', ' ']}
      clearable
    />
  )
}
const firstMessage = (error: unknown): string | undefined => {
  const first: unknown = Array.isArray(error) ? error.find(one => one !== undefined && one !== null) : undefined
  return typeof first === 'object' && first !== null && 'message' in first && typeof first.message === 'string'
    ? first.message
    : undefined
}

const DAY_CHOICES = fr.days.map((label, n) => ({ value: String(n + 1), label }))
const DayField = <V extends FieldValues, O>({ control, name }: OwnFieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  return (
    <Select
      label={fields.weekday}
      data={DAY_CHOICES}
      value={String(field.value)}
      onChange={value => field.onChange(Number(value))}
      onBlur={field.onBlur}
      ref={field.ref}
      error={fieldState.error?.message}
      allowDeselect={false}
      withAsterisk
    />
  )
}
