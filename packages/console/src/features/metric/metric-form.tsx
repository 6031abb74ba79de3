import {
  AVAILABILITY_KEY,
  type Metric,
  metricBody,
  metricRoutes,
  metric as metricSchema,
  NO_DATA_POLICIES,
  type NO_THRESHOLDS,
  type Unit,
} from '@narval/contracts'
import { threshold } from '../../i18n/threshold.ts'
import { call } from '../../lib/api.ts'
import { measureUnits } from '../../lib/measure.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ChoiceField, NumberField, SwitchField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { ThresholdFields } from '../../ui/threshold-fields.tsx'
import { fr } from './fr.ts'

const valuesOf = (metric: Metric) => metricBody.parse(metric)
const readNewer = (current: unknown) => {
  const parsed = metricSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}
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

/** The fields of a metric: its name, thresholds in its own unit, and when a state is confirmed. */
export const MetricForm = ({ metric, onSaved, onCancel, onDelete }: MetricFormProps) => {
  const saved = isSaved(metric) ? metric : null
  const handle = useEntityForm({
    schema: metricBody,
    values:
      saved === null
        ? {
            scannerId: metric.scannerId,
            key: metric.key,
            name: metric.name,
            thresholds: metric.thresholds,
            attempts: null,
            noData: 'unknown',
            enabled: true,
          }
        : valuesOf(saved),
    basedOn: saved?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    save: ({ scannerId, key, ...editable }, basedOn) =>
      saved === null || basedOn === null
        ? call(metricRoutes.create, { body: { ...editable, scannerId, key } })
        : call(metricRoutes.update, { params: { id: saved.id }, body: { ...editable, updatedAt: basedOn } }),
    onSaved,
  })
  const { control } = handle.form
  const { fields, help, sections } = fr
  const written = measureUnits(metric.unit)
  const units = written.length > 1 ? written.join(', ') : ''
  const inherited = saved === null || saved.attempts !== null ? '' : ` (${saved.maxAttempts})`
  return (
    <FormShell handle={handle} labels={fields} creating={saved === null} onCancel={onCancel} onDelete={onDelete}>
      <FormSection title={sections.identity} help={sections.identityHelp}>
        <Wide>
          <TextField control={control} name="name" label={fields.name} required />
        </Wide>
        <Wide>
          <SwitchField control={control} name="enabled" label={fields.enabled} help={help.enabled} />
        </Wide>
      </FormSection>
      <FormSection
        title={sections.thresholds}
        help={metric.key === AVAILABILITY_KEY ? fr.stateHelp : sections.thresholdsHelp(units)}
      >
        <Wide>
          <ThresholdFields control={control} at="" unit={metric.unit} />
        </Wide>
      </FormSection>
      <FormSection title={sections.confirmation} help={sections.confirmationHelp}>
        <NumberField control={control} name="attempts" label={fields.attempts} help={help.attempts(inherited)} />
        <ChoiceField control={control} name="noData" label={fields.noData} help={help.noData} choices={NO_DATA} />
      </FormSection>
    </FormShell>
  )
}
