import {
  CHECKS,
  type CheckKind,
  parameterName,
  parameterText,
  SCANNER_INHERITED,
  type Scanner,
  type ScannerInherited,
  scannerBody,
  scannerRoutes,
  scanner as scannerSchema,
} from '@narval/contracts'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { inherited } from '../../i18n/inherited.ts'
import { call } from '../../lib/api.ts'
import { hostOptionsFor, probeOptions } from '../../lib/option-sources.ts'
import { initialParameters } from '../../lib/scanner-kinds.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { KindCards } from '../../ui/kind-cards.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { useScheduleDefaults } from '../../ui/use-schedule-defaults.ts'
import { fr } from './fr.ts'
import { EnabledSetting, ParameterSettings, ScheduleSettings, useScannerInheritance } from './inherited-settings.tsx'
import { ExpectedMetrics, ProducedMetrics } from './produced-metrics.tsx'
import { scannerForm } from './scanner-schema.ts'
import { TestPanel } from './test-panel.tsx'
import { isTestable } from './test-result.tsx'

const { hostId: _, ...NEW_SCANNER } = scannerBody.parse({
  name: CHECKS.ping.label,
  kind: 'ping',
  hostId: 1,
  parameters: initialParameters('ping'),
})
const valuesOf = (scanner: Scanner) => ({
  ...scannerBody.parse(scanner),
  // One made before its kind had a parameter has the default of it.
  parameters: { ...initialParameters(scanner.kind), ...scanner.parameters },
  overrides: scanner.overrides,
})
const readNewer = (current: unknown) => {
  const parsed = scannerSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}
const known = (id: number | null | undefined, name: string | null | undefined) =>
  typeof id === 'number' && typeof name === 'string' ? { id, name } : null

const describeParameters =
  (kind: CheckKind) =>
  (value: unknown): string =>
    Object.entries(typeof value === 'object' && value !== null ? value : {})
      .map(([key, one]) => `${parameterName(kind, key)}\u202f: ${parameterText(kind, key, one)}`)
      .join(', ')
const describeOverrides = (value: unknown): string =>
  SCANNER_INHERITED.filter(field => Array.isArray(value) && value.includes(field))
    .map(field => fr.fields[field])
    .join(', ')

interface ScannerFormProps {
  /** Null: a new scanner. */
  readonly scanner: Scanner | null
  /** Host of a new scanner, when the page that led here knows it. */
  readonly hostId?: number | null
  readonly onSaved: (scanner: Scanner) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a scanner: its kind, what it checks, how, and how often. */
export const ScannerForm = ({ scanner, hostId, onSaved, onCancel, onDelete }: ScannerFormProps) => {
  const { can, canOn } = useSession()
  const writes = scanner === null ? can('scanner_write') : canOn(scanner, 'scanner_write')
  const own = useRef<() => ScannerInherited[]>(() => [])
  const handle = useEntityForm({
    schema: scannerForm,
    values: scanner === null ? { ...NEW_SCANNER, ...(typeof hostId === 'number' && { hostId }) } : valuesOf(scanner),
    basedOn: scanner?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    describe: { parameters: describeParameters(scanner?.kind ?? 'ping'), overrides: describeOverrides },
    save: ({ overrides: _kept, ...input }, basedOn) =>
      scanner === null || basedOn === null
        ? call(scannerRoutes.create, { body: input })
        : call(scannerRoutes.update, {
            params: { id: scanner.id },
            body: { ...input, updatedAt: basedOn, ...(scanner.modelId !== null && { overrides: own.current() }) },
          }),
    onSaved,
  })
  const { control, getValues, setValue } = handle.form
  const kind = useWatch({ control, name: 'kind' })
  const kept = useRef(new Map<CheckKind, Record<string, unknown>>())
  const defaults = useScheduleDefaults(scanner)
  const inheritance = useScannerInheritance(handle.form, scanner)
  own.current = inheritance.model.own
  const settings = { form: handle.form, scanner, kind, defaults, inheritance }
  const { fields, help, sections } = fr
  const modelName = scanner?.modelName ?? null
  // What was typed for the other kind comes back with it.
  const changeKind = (next: CheckKind): void => {
    const before = getValues()
    kept.current.set(before.kind, before.parameters ?? {})
    if (before.name === '' || before.name === CHECKS[before.kind].label) setValue('name', CHECKS[next].label)
    setValue('parameters', kept.current.get(next) ?? initialParameters(next))
    setValue('kind', next, { shouldDirty: true })
    handle.form.clearErrors('parameters')
  }
  return (
    <FormShell
      handle={handle}
      labels={fields}
      creating={scanner === null}
      readOnly={!writes}
      onCancel={onCancel}
      onDelete={onDelete}
    >
      <FormSection title={sections.kind} help={sections.kindHelp}>
        <Wide>
          <KindCards value={kind} onChange={scanner === null ? changeKind : null} label={fields.kind} />
        </Wide>
      </FormSection>
      <FormSection title={sections.target} help={sections.targetHelp}>
        <RemoteSelectField
          control={control}
          name="hostId"
          label={fields.hostId}
          source={hostOptionsFor.scanner_write}
          known={known(scanner?.hostId, scanner?.hostName)}
          required
        />
        <TextField
          control={control}
          name="name"
          label={fields.name}
          required
          {...(modelName === null ? {} : { disabled: true, help: inherited.model(modelName) })}
        />
        {CHECKS[kind].runner !== 'server' && (
          <RemoteSelectField
            control={control}
            name="probeId"
            label={fields.probeId}
            help={can('probe_write') ? help.probeId : help.probeIdNoClaim}
            source={probeOptions}
            known={scanner?.probeId === null ? null : known(scanner?.probeId, scanner?.probeName)}
            disabled={!can('probe_write')}
          />
        )}
        <EnabledSetting {...settings} />
      </FormSection>
      <ParameterSettings {...settings} />
      <ScheduleSettings {...settings} />
      {writes && isTestable(kind) && <TestPanel form={handle.form} scanner={scanner} defaults={defaults} />}
      <FormSection title={sections.metrics} help={sections.metricsHelp}>
        <Wide>{scanner === null ? <ExpectedMetrics kind={kind} /> : <ProducedMetrics scanner={scanner} />}</Wide>
      </FormSection>
    </FormShell>
  )
}
