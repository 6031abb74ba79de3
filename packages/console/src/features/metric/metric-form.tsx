import {
  AVAILABILITY_KEY,
  METRIC_INHERITED,
  type Metric,
  type MetricInherited,
  metricRoutes,
  NO_DATA_POLICIES,
  type NO_THRESHOLDS,
  thresholdFormulas,
  thresholds,
  type Unit,
} from '@narval/contracts'
import { type ReactNode, useRef } from 'react'
import { inherited as inheritedWords } from '../../i18n/inherited.ts'
import { threshold } from '../../i18n/threshold.ts'
import { call } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { metricInheritance, originText, sameThresholdValues } from '../../lib/inheritance.ts'
import { measureUnits } from '../../lib/measure.ts'
import { useSession } from '../../lib/session.ts'
import { formulaSummary, thresholdSummary } from '../../lib/threshold-summary.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ChoiceField, NumberField, SwitchField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { FormulaHint } from '../../ui/formula-hint.tsx'
import { InheritedField } from '../../ui/inherited-field.tsx'
import { useRuleSettings } from '../../ui/rule-settings.tsx'
import { ThresholdFields } from '../../ui/threshold-fields.tsx'
import { useInheritance } from '../../ui/use-inheritance.ts'
import { fr } from './fr.ts'
import { type MetricFormOutput, type MetricFormValues, metricForm, readNewer, valuesOf } from './metric-schema.ts'

const NO_DATA = NO_DATA_POLICIES.map(value => ({ value, label: threshold.noData[value] }))

/** A metric to be: what the choice of its scanner and key already says. */
export interface MetricDraft {
  readonly scannerId: number
  readonly key: string
  readonly name: string
  readonly unit: Unit
  readonly thresholds: typeof NO_THRESHOLDS
}

interface MetricFormProps {
  readonly metric: Metric | MetricDraft
  readonly onSaved: (metric: Metric) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

const isSaved = (metric: Metric | MetricDraft): metric is Metric => 'id' in metric

const draftValues = ({ unit: _, ...draft }: MetricDraft): MetricFormOutput => ({
  ...draft,
  formulas: {},
  attempts: null,
  noData: 'unknown',
  enabled: true,
})

const describeThresholds = (value: unknown, unit: Unit): string => {
  const parsed = thresholds.safeParse(value)
  const text = parsed.success ? thresholdSummary(parsed.data, unit) : ''
  return text === '' ? fr.noThresholds : text
}
const describeFormulas = (value: unknown): string => {
  const parsed = thresholdFormulas.safeParse(value)
  return Object.values(parsed.success ? parsed.data : {}).join(' · ')
}
const describeOverrides = (value: unknown): string =>
  METRIC_INHERITED.filter(field => Array.isArray(value) && value.includes(field))
    .map(field => fr.fields[field])
    .join(', ')

/** What a field has when it is not the metric's own, in a few words. */
const saidOf = ({ inherited, unit }: Metric, field: MetricInherited): string => {
  switch (field) {
    case 'name':
      return `«\u202f${inherited.name}\u202f»`
    case 'thresholds':
      return formulaSummary(inherited.thresholds, inherited.formulas, unit)
    case 'attempts':
      return formatNumber(inherited.attempts, 0)
    case 'noData':
      return threshold.noData[inherited.noData]
    case 'enabled':
      return inherited.enabled ? inheritedWords.on : inheritedWords.off
    default:
      return field satisfies never
  }
}

/** The fields of a metric: its name, thresholds in its own unit, and when a state is confirmed. */
export const MetricForm = ({ metric, onSaved, onCancel, onDelete }: MetricFormProps) => {
  const { canOn } = useSession()
  const saved = isSaved(metric) ? metric : null
  const own = useRef<() => MetricInherited[]>(() => [])
  const handle = useEntityForm({
    schema: metricForm,
    values: saved === null ? draftValues(metric) : valuesOf(saved),
    basedOn: saved?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    describe: {
      thresholds: value => describeThresholds(value, metric.unit),
      noData: value => (value === 'keep' ? threshold.noData.keep : threshold.noData.unknown),
      formulas: value => describeFormulas(value),
      overrides: value => describeOverrides(value),
    },
    save: ({ scannerId, key, overrides: _kept, ...editable }, basedOn) =>
      saved === null || basedOn === null
        ? call(metricRoutes.create, { body: { ...editable, scannerId, key } })
        : call(metricRoutes.update, {
            params: { id: saved.id },
            body: { ...editable, updatedAt: basedOn, overrides: own.current() },
          }),
    onSaved,
  })
  const inherited = saved === null ? null : metricInheritance(saved)
  const inheritance = useInheritance<MetricFormValues, MetricFormOutput, MetricInherited>(handle.form, {
    fields: METRIC_INHERITED,
    inherited,
    same: { thresholds: sameThresholdValues },
    beside: { thresholds: 'formulas' },
  })
  own.current = inheritance.own
  const { control } = handle.form
  const { fields, help, sections } = fr
  const hysteresis = useRuleSettings('metric', saved?.id ?? null).data?.rules.find(
    ({ key }) => key === 'hysteresisPercent',
  )?.value
  const clearRatio = typeof hysteresis === 'number' ? hysteresis / 100 : undefined
  const written = measureUnits(metric.unit)
  const units = written.length > 1 ? written.join(', ') : ''
  const maxAttempts = saved === null || saved.attempts !== null ? '' : ` (${saved.maxAttempts})`
  const withOrigin = (field: MetricInherited, input: ReactNode): ReactNode => {
    if (saved === null || inherited === null) return input
    const isOwn = inheritance.isOwn(field)
    const said = saidOf(saved, field)
    const origin = originText(inherited[field].origin, saved.modelName)
    return (
      <InheritedField
        label={fields[field]}
        own={isOwn}
        origin={
          isOwn ? `${inheritedWords.ownMetric}${said === '' ? '' : ` · ${inheritedWords.elsewhere(said)}`}` : origin
        }
        onCustomize={() => inheritance.customize(field, field === 'attempts' ? saved.inherited.attempts : undefined)}
        onRevert={() => inheritance.revert(field)}
      >
        {input}
      </InheritedField>
    )
  }
  return (
    <FormShell
      handle={handle}
      labels={fields}
      creating={saved === null}
      readOnly={saved !== null && !canOn(saved, 'metric_write')}
      onCancel={onCancel}
      onDelete={onDelete}
    >
      <FormSection title={sections.identity} help={sections.identityHelp}>
        <Wide>{withOrigin('name', <TextField control={control} name="name" label={fields.name} required />)}</Wide>
        <Wide>
          {withOrigin(
            'enabled',
            <SwitchField control={control} name="enabled" label={fields.enabled} help={help.enabled} />,
          )}
        </Wide>
      </FormSection>
      <FormSection
        title={sections.thresholds}
        help={metric.key === AVAILABILITY_KEY ? fr.stateHelp : sections.thresholdsHelp(units)}
      >
        <Wide>
          <FormulaHint />
          {withOrigin(
            'thresholds',
            <ThresholdFields
              control={control}
              at=""
              unit={metric.unit}
              clearRatio={clearRatio}
              {...(saved === null ? {} : { computed: { ...saved, faults: saved.formulaFaults } })}
            />,
          )}
        </Wide>
      </FormSection>
      <FormSection title={sections.confirmation} help={sections.confirmationHelp}>
        {withOrigin(
          'attempts',
          <NumberField
            control={control}
            name="attempts"
            label={fields.attempts}
            help={help.attempts(maxAttempts)}
            {...(saved === null ? {} : { placeholder: formatNumber(saved.inherited.attempts, 0) })}
          />,
        )}
        {withOrigin(
          'noData',
          <ChoiceField control={control} name="noData" label={fields.noData} help={help.noData} choices={NO_DATA} />,
        )}
      </FormSection>
    </FormShell>
  )
}
