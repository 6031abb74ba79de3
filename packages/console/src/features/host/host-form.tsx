import { HOST_MAX_MODELS, HOST_MAX_PARENTS, type Host, hostBody, host as hostSchema } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import type * as z from 'zod/mini'
import { hostOptions, monitoringModelOptions, probeOptions, siteOptionsFor } from '../../lib/option-sources.ts'
import { ofHost } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { IdChoiceField, ParagraphField, SwitchField, TagsField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { RemoteMultiSelectField } from '../../ui/remote-multi-select.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { fr } from './fr.ts'
import { CatalogueFields } from './host-catalogue-fields.tsx'
import { hostScannersQuery, saveHost } from './host-queries.ts'

const { siteId: _, ...NEW_HOST } = { ...hostBody.parse({ name: '-', address: 'a', siteId: 1 }), name: '', address: '' }
const valuesOf = (host: Host) => hostBody.parse({ ...host, withPing: false })
const readNewer = (current: unknown) => {
  const parsed = hostSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}
const known = (id: number | null | undefined, name: string | null | undefined) =>
  typeof id === 'number' && typeof name === 'string' ? { id, name } : null

interface HostFormProps {
  /** Null: a new host. */
  readonly host: Host | null
  /** Site of a new host, when the page that led here knows it. */
  readonly siteId?: number | null
  readonly onSaved: (host: Host) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a host. */
export const HostForm = ({ host, siteId, onSaved, onCancel, onDelete }: HostFormProps) => {
  const { can, canOn } = useSession()
  const seesProbes = can('probe_write')
  const handle = useEntityForm({
    schema: hostBody,
    values: host === null ? { ...NEW_HOST, ...(typeof siteId === 'number' && { siteId }) } : valuesOf(host),
    basedOn: host?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    save: (input, basedOn) => saveHost(host?.id ?? null, input, basedOn),
    onSaved,
  })
  const { control } = handle.form
  const { fields, help, sections } = fr
  return (
    <FormShell
      handle={handle}
      labels={fields}
      creating={host === null}
      readOnly={host !== null && !canOn(ofHost(host), 'host_write')}
      onCancel={onCancel}
      onDelete={onDelete}
    >
      <FormSection title={sections.identity} help={sections.identityHelp}>
        <TextField control={control} name="name" label={fields.name} required autoFocus={host === null} />
        <TextField control={control} name="address" label={fields.address} help={help.address} required />
        <RemoteSelectField
          control={control}
          name="siteId"
          label={fields.siteId}
          source={siteOptionsFor.host_write}
          known={known(host?.siteId, host?.siteName)}
          required
        />
        <CatalogueFields form={handle.form} host={host} />
        <TagsField control={control} name="tags" label={fields.tags} help={help.tags} />
      </FormSection>
      <FormSection title={sections.supervision} help={sections.supervisionHelp}>
        <Wide>
          <SwitchField control={control} name="enabled" label={fields.enabled} help={help.enabled} />
        </Wide>
        {host === null && (
          <Wide>
            <SwitchField control={control} name="withPing" label={fields.withPing} help={help.withPing} />
          </Wide>
        )}
        <RemoteSelectField
          control={control}
          name="probeId"
          label={fields.probeId}
          help={seesProbes ? probeHelp(host) : help.probeIdNoClaim}
          source={probeOptions}
          known={known(host?.probeId, host?.probeName)}
          disabled={!seesProbes}
        />
        <Wide>
          <RemoteMultiSelectField
            control={control}
            name="monitoringModelIds"
            label={fields.monitoringModelIds}
            help={help.monitoringModelIds}
            source={monitoringModelOptions}
            known={host?.monitoringModels ?? []}
            max={HOST_MAX_MODELS}
          />
        </Wide>
        <Wide>
          <RemoteMultiSelectField
            control={control}
            name="parentIds"
            label={fields.parentIds}
            help={help.parentIds}
            source={hostOptions}
            known={host?.parents ?? []}
            without={host?.id ?? null}
            max={HOST_MAX_PARENTS}
          />
        </Wide>
        {host !== null && <LifeScannerField control={control} hostId={host.id} />}
      </FormSection>
      <FormSection title={sections.notes} help={sections.notesHelp}>
        <Wide>
          <TextField control={control} name="description" label={fields.description} help={help.description} />
        </Wide>
        <Wide>
          <ParagraphField control={control} name="instruction" label={fields.instruction} help={help.instruction} />
        </Wide>
      </FormSection>
    </FormShell>
  )
}

/** What holds while the field is empty. */
const probeHelp = (host: Host | null): string => {
  const effective = host?.effectiveProbe ?? null
  if (effective === null || effective.origin === 'host') return fr.help.probeId
  return effective.origin === 'site'
    ? fr.help.probeOfSite(effective.name, effective.originName)
    : fr.help.probeOfPlatform(effective.name)
}

interface LifeScannerProps {
  readonly control: Control<z.input<typeof hostBody>, unknown, z.output<typeof hostBody>>
  readonly hostId: number
}

const LifeScannerField = ({ control, hostId }: LifeScannerProps) => {
  const reads = useSession().can('scanner_read')
  const scanners = useQuery({ ...hostScannersQuery(hostId), enabled: reads })
  return (
    <IdChoiceField
      control={control}
      name="lifeScannerId"
      label={fr.fields.lifeScannerId}
      help={reads ? fr.help.lifeScannerId : fr.help.lifeNoClaim}
      choices={(scanners.data ?? []).map(({ id, name }) => ({ id, name }))}
      empty={fr.automatic}
      disabled={!reads}
    />
  )
}
