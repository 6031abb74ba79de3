import { Button, TextInput } from '@mantine/core'
import { CHECKS, type CheckKind, type ModelScanner, NO_DATA_POLICIES } from '@narval/contracts'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import { inherited } from '../../i18n/inherited.ts'
import { threshold as thresholdWords } from '../../i18n/threshold.ts'
import { formulaSummary } from '../../lib/threshold-summary.ts'
import { ChoiceField, NumberField, SwitchField } from '../../ui/form-fields.tsx'
import { FormulaHint } from '../../ui/formula-hint.tsx'
import { InheritedField } from '../../ui/inherited-field.tsx'
import { ThresholdFields } from '../../ui/threshold-fields.tsx'
import { fr } from './fr.ts'
import classes from './model-metrics.module.css'
import { kindMetric, type ModelFormHandle } from './model-schema.ts'

interface ModelMetricsProps {
  readonly form: ModelFormHandle
  /** Of the scanner in the form. */
  readonly index: number
  readonly kind: CheckKind
  readonly readOnly: boolean
}
type Entry = ModelScanner['metrics'][number]

const words = fr.metric
const NO_DATA = NO_DATA_POLICIES.map(value => ({ value, label: thresholdWords.noData[value] }))

/** Settings that begin with what the check kind says. */
const entryOf = (kind: CheckKind, key: string): Entry => ({
  key,
  thresholds: kindMetric(kind, key)?.thresholds ?? null,
  formulas: {},
  attempts: null,
  noData: 'unknown',
  enabled: true,
})

/** The metrics of a scanner's kind: each as the kind says, or set by the model; those with instances also one by one. */
export const ModelMetrics = ({ form, index, kind, readOnly }: ModelMetricsProps) => {
  const name = `definition.scanners.${index}.metrics` as const
  const { fields, append, remove } = useFieldArray({ control: form.control, name })
  const keys = fields.map(field => field.key)
  const bare = CHECKS[kind].metrics.map(metric => metric.key)
  // Instances under the metric that they belong to.
  const rows = bare.flatMap(key => [key, ...keys.filter(one => one.startsWith(`${key}[`))])
  const set = (key: string): void => append(entryOf(kind, key), { shouldFocus: false })
  return (
    <ul className={classes.list}>
      {rows.map(key => {
        const at = keys.indexOf(key)
        return (
          <MetricRow
            key={key}
            form={form}
            kind={kind}
            metricKey={key}
            at={at < 0 ? null : `${name}.${at}`}
            onSet={readOnly ? null : () => set(key)}
            onReset={readOnly ? null : () => remove(at)}
            onInstance={readOnly ? null : instance => set(`${key}[${instance}]`)}
            taken={keys}
          />
        )
      })}
    </ul>
  )
}

interface MetricRowProps {
  readonly form: ModelFormHandle
  readonly kind: CheckKind
  readonly metricKey: string
  /** Path of what the model says of it; null: nothing. */
  readonly at: `definition.scanners.${number}.metrics.${number}` | null
  readonly onSet: (() => void) | null
  readonly onReset: (() => void) | null
  readonly onInstance: ((instance: string) => void) | null
  readonly taken: readonly string[]
}

const MetricRow = ({ form, kind, metricKey, at, onSet, onReset, onInstance, taken }: MetricRowProps) => {
  const known = kindMetric(kind, metricKey)
  if (known === null) return null
  const isAll = known.hasInstances && known.instance === null
  const name = isAll ? `${known.name} (${words.all})` : known.name
  return (
    <li
      className={classes.row}
      data-set={at !== null || undefined}
      data-instance={known.instance !== null || undefined}
    >
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        <span className={classes.summary}>
          {at === null ? words.kind(formulaSummary(known.thresholds, {}, known.unit)) : words.own}
        </span>
        {at === null && onSet !== null && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            aria-label={words.setOf(name)}
            onClick={onSet}
          >
            {words.set}
          </Button>
        )}
        {at !== null && onReset !== null && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowBackUp size={14} />}
            aria-label={words.resetOf(name)}
            onClick={onReset}
          >
            {words.reset}
          </Button>
        )}
      </div>
      {at !== null && <MetricSettings form={form} kind={kind} metricKey={metricKey} at={at} />}
      {isAll && onInstance !== null && (
        <InstanceAdder
          taken={instance => taken.includes(`${metricKey}[${instance}]`)}
          onAdd={onInstance}
          name={known.name}
        />
      )}
    </li>
  )
}

interface SettingsProps {
  readonly form: ModelFormHandle
  readonly kind: CheckKind
  readonly metricKey: string
  readonly at: `definition.scanners.${number}.metrics.${number}`
}

const MetricSettings = ({ form, kind, metricKey, at }: SettingsProps) => {
  const { control, setValue, getFieldState } = form
  const known = kindMetric(kind, metricKey)
  const thresholds = useWatch({ control, name: `${at}.thresholds` })
  const own = thresholds !== null && thresholds !== undefined
  const keyFault = getFieldState(`${at}.key`).error?.message
  const change = (value: Entry['thresholds']): void => {
    setValue(`${at}.thresholds`, value, { shouldDirty: true })
    if (value === null) setValue(`${at}.formulas`, {}, { shouldDirty: true })
  }
  if (known === null) return null
  return (
    <div className={classes.settings}>
      {keyFault !== undefined && <p className={classes.fault}>{keyFault}</p>}
      <InheritedField
        label={words.thresholds}
        own={own}
        origin={own ? inherited.ownModel : inherited.kind}
        onCustomize={() => change(known.thresholds)}
        onRevert={() => change(null)}
      >
        {own ? (
          <>
            <FormulaHint />
            <ThresholdFields control={control} at={at} unit={known.unit} />
          </>
        ) : (
          <span>{words.kind(formulaSummary(known.thresholds, {}, known.unit))}</span>
        )}
      </InheritedField>
      <div className={classes.fields}>
        <NumberField
          control={control}
          name={`${at}.attempts`}
          label={words.attempts}
          help={words.attemptsHelp}
          placeholder={inherited.scanner}
        />
        <ChoiceField
          control={control}
          name={`${at}.noData`}
          label={words.noData}
          help={words.noDataHelp}
          choices={NO_DATA}
        />
        <SwitchField control={control} name={`${at}.enabled`} label={words.enabled} />
      </div>
    </div>
  )
}

interface InstanceAdderProps {
  readonly name: string
  readonly taken: (instance: string) => boolean
  readonly onAdd: (instance: string) => void
}

/** Asks the name of one instance, whose thresholds then differ from those of the others. */
const InstanceAdder = ({ name, taken, onAdd }: InstanceAdderProps) => {
  const [text, setText] = useState<string | null>(null)
  const instance = text?.trim() ?? ''
  if (text === null)
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.adder}
        onClick={() => setText('')}
        aria-label={`${words.addInstance}\u202f: ${name}`}
      >
        {words.addInstance}
      </Button>
    )
  const isAddable = instance !== '' && !taken(instance)
  const add = (): void => {
    if (!isAddable) return
    onAdd(instance)
    setText(null)
  }
  return (
    <div className={classes.instance}>
      <TextInput
        label={words.instance}
        description={words.instanceHelp}
        inputWrapperOrder={['label', 'input', 'description']}
        value={text}
        maxLength={128}
        data-autofocus
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          // Enter would send the whole form.
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button variant="default" disabled={!isAddable} onClick={add}>
        {words.add}
      </Button>
    </div>
  )
}
