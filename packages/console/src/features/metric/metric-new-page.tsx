import { Select, TextInput } from '@mantine/core'
import { CHECKS, type MetricDefinition, metricDefinition, NO_THRESHOLDS, scannerRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { scannerOptions } from '../../lib/option-sources.ts'
import { FormSection } from '../../ui/form-shell.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { fr } from './fr.ts'
import { MetricForm } from './metric-form.tsx'
import classes from './metric-new-page.module.css'

const LIST = '/metric/edit'
const hasInstance = (definition: MetricDefinition): boolean => definition.name.includes('{instance}')

/** /metric/edit/new: first the scanner and the key it shall have, then the same form as for an existing one. */
export const MetricNewPage = () => {
  const [params] = useSearchParams()
  const asked = Number(params.get('scannerId') ?? '')
  const [scannerId, setScannerId] = useState<number | null>(Number.isInteger(asked) && asked > 0 ? asked : null)
  const [key, setKey] = useState<string | null>(null)
  const [instance, setInstance] = useState('')
  const scanner = useQuery({
    queryKey: ['scanner', scannerId],
    queryFn: ({ signal }) => call(scannerRoutes.get, { params: { id: scannerId ?? 0 }, signal }),
    enabled: scannerId !== null,
  })
  const { data: produced } = useQuery({
    queryKey: ['scanner-metrics', scannerId],
    queryFn: ({ signal }) => call(scannerRoutes.metrics, { query: { id: String(scannerId ?? 0) }, signal }),
    enabled: scannerId !== null,
  })
  const taken = new Set(produced?.map(metric => metric.key))
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const definitions = scanner.data === undefined ? [] : CHECKS[scanner.data.kind].metrics
  const chosen = definitions.find(definition => definition.key === key)
  const wholeKey = chosen === undefined ? '' : hasInstance(chosen) ? `${chosen.key}[${instance.trim()}]` : chosen.key
  const definition =
    scanner.data === undefined || wholeKey === '' ? null : metricDefinition(scanner.data.kind, wholeKey)
  return (
    <>
      <div className={classes.source}>
        <FormSection title={fr.sections.source} help={fr.sections.sourceHelp}>
          <RemoteSelect
            label={fr.fields.scannerId}
            source={scannerOptions}
            value={scannerId}
            required
            onChange={id => setScannerId(id)}
          />
          <Select
            label={fr.definition}
            withAsterisk
            data={definitions.map(({ key: value, name }) => ({
              value,
              label: taken.has(value) ? fr.alreadyProduced(name) : name.replace('{instance}', '…'),
              disabled: taken.has(value),
            }))}
            value={key}
            onChange={setKey}
            disabled={definitions.length === 0}
            placeholder={scannerId === null ? fr.scannerFirst : ''}
            allowDeselect={false}
          />
          {chosen !== undefined && hasInstance(chosen) && (
            <TextInput
              label={fr.instance}
              description={fr.instanceHelp}
              withAsterisk
              value={instance}
              maxLength={128}
              onChange={event => setInstance(event.currentTarget.value)}
            />
          )}
        </FormSection>
      </div>
      {definition !== null && scannerId !== null && (
        <MetricForm
          key={`${scannerId} ${wholeKey}`}
          metric={{
            scannerId,
            key: wholeKey,
            name: definition.name,
            unit: definition.unit,
            thresholds: { ...NO_THRESHOLDS, ...definition.thresholds },
          }}
          onCancel={() => void navigate(LIST)}
          onSaved={metric => afterSaving(words.saved(metric.name), `${LIST}/${metric.id}`)}
        />
      )}
    </>
  )
}
