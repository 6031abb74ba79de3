import { CHECKS, type CheckKind, SCANNER_INHERITED, type Scanner, type ScannerInherited } from '@narval/contracts'
import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { inherited as words } from '../../i18n/inherited.ts'
import { type InheritedValues, originText, sameParameters, scannerInheritance } from '../../lib/inheritance.ts'
import { SCHEDULE_FIELDS, type ScheduleField, scheduleFieldsOf, scheduleText } from '../../lib/schedule.ts'
import { SwitchField } from '../../ui/form-fields.tsx'
import { FormSection, Wide } from '../../ui/form-shell.tsx'
import { InheritedField } from '../../ui/inherited-field.tsx'
import { ParameterFields } from '../../ui/scanner-parameters.tsx'
import { ScheduleFieldInput } from '../../ui/schedule-fields.tsx'
import { type Inheritance, useInheritance } from '../../ui/use-inheritance.ts'
import type { ScheduleDefaults } from '../../ui/use-schedule-defaults.ts'
import { fr } from './fr.ts'
import type { scannerForm } from './scanner-schema.ts'

export type ScannerFormHandle = UseFormReturn<z.input<typeof scannerForm>, unknown, z.output<typeof scannerForm>>

const PLATFORM = { value: null, origin: 'platform' } as const
/** A scanner of the host alone inherits the figures of the platform, and nothing else. */
const FROM_PLATFORM: InheritedValues<ScheduleField> = {
  intervalSeconds: PLATFORM,
  retryIntervalSeconds: PLATFORM,
  timeoutMs: PLATFORM,
  attempts: PLATFORM,
}

/** What of a scanner is its own, and what comes from its model or the platform. */
export const useScannerInheritance = (form: ScannerFormHandle, scanner: Scanner | null) => {
  const ofModel = scanner === null ? null : scannerInheritance(scanner)
  const kind: CheckKind = scanner?.kind ?? 'ping'
  const model = useInheritance<z.input<typeof scannerForm>, z.output<typeof scannerForm>, ScannerInherited>(form, {
    fields: SCANNER_INHERITED,
    inherited: ofModel,
    same: { parameters: (a, b) => sameParameters(kind, a, b) },
  })
  const platform = useInheritance<z.input<typeof scannerForm>, z.output<typeof scannerForm>, ScheduleField>(form, {
    fields: SCHEDULE_FIELDS,
    inherited: ofModel === null ? FROM_PLATFORM : null,
  })
  return { ofModel, model, figures: ofModel === null ? platform : model }
}

interface SettingsProps {
  readonly form: ScannerFormHandle
  readonly scanner: Scanner | null
  readonly kind: CheckKind
  readonly defaults: ScheduleDefaults
  readonly inheritance: ReturnType<typeof useScannerInheritance>
}

/** Where a value comes from; of its own, also what the model would say. */
const originOf = (own: boolean, inherited: InheritedValues<string>[string], scanner: Scanner | null, said: string) => {
  if (!own) return originText(inherited.origin, scanner?.modelName ?? null)
  return inherited.origin === 'model' && said !== ''
    ? `${words.ownScanner} · ${words.modelSays(said)}`
    : words.ownScanner
}

const Figure = ({ form, scanner, defaults, inheritance, field }: SettingsProps & { readonly field: ScheduleField }) => {
  const { ofModel, figures } = inheritance
  const handle: Pick<Inheritance<ScheduleField>, 'isOwn' | 'customize' | 'revert'> = figures
  const inherited = (ofModel ?? FROM_PLATFORM)[field]
  const figure = scanner?.inherited?.[field] ?? defaults[field]
  const own = handle.isOwn(field)
  return (
    <InheritedField
      label={fr.fields[field]}
      own={own}
      origin={originOf(own, inherited, scanner, scheduleText(field, figure))}
      onCustomize={() => handle.customize(field, figure)}
      onRevert={() => handle.revert(field)}
    >
      <ScheduleFieldInput control={form.control} at="" field={field} defaults={defaults} brief />
    </InheritedField>
  )
}

/** The schedule: each figure its own, the model's or the platform's. */
export const ScheduleSettings = (props: SettingsProps) => (
  <FormSection title={fr.sections.schedule} help={fr.sections.scheduleHelp}>
    {scheduleFieldsOf(props.kind).map(field => (
      <Figure key={field} {...props} field={field} />
    ))}
  </FormSection>
)

/** The parameters of the kind, together the scanner's own or its model's. */
export const ParameterSettings = ({ form, scanner, kind, inheritance: { ofModel, model } }: SettingsProps) => {
  const fields = <ParameterFields kind={kind} control={form.control} at="parameters" />
  const own = model.isOwn('parameters')
  return (
    <FormSection title={fr.sections.parameters} help={CHECKS[kind].description}>
      {fields}
      {ofModel !== null && (
        <Wide>
          <InheritedField
            label={fr.fields.parameters}
            own={own}
            origin={originOf(own, ofModel.parameters, scanner, '')}
            onCustomize={() => model.customize('parameters')}
            onRevert={() => model.revert('parameters')}
          />
        </Wide>
      )}
    </FormSection>
  )
}

/** Whether the scanner is run at all. */
export const EnabledSetting = ({ form, scanner, inheritance: { ofModel, model } }: SettingsProps) => {
  const field = <SwitchField control={form.control} name="enabled" label={fr.fields.enabled} help={fr.help.enabled} />
  if (ofModel === null) return field
  const own = model.isOwn('enabled')
  return (
    <InheritedField
      label={fr.fields.enabled}
      own={own}
      origin={originOf(own, ofModel.enabled, scanner, ofModel.enabled.value === true ? words.on : words.off)}
      onCustomize={() => model.customize('enabled')}
      onRevert={() => model.revert('enabled')}
    >
      {field}
    </InheritedField>
  )
}
