import { type Site, type SiteInput, siteBody, site as siteSchema } from '@narval/contracts'
import { probeOptions, siteOptions, siteTypeOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ChoiceField, NumberField, ParagraphField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { fr } from './fr.ts'
import { saveSite } from './site-queries.ts'

const TIME_ZONES = Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))

const NEW_SITE: SiteInput = siteBody.parse({ name: '-', code: '-' })
const valuesOf = (site: Site | null): SiteInput => {
  if (site === null) return { ...NEW_SITE, name: '', code: '' }
  return siteBody.parse(site)
}
const readNewer = (current: unknown): SiteInput | null => {
  const parsed = siteSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}
const known = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name })

interface SiteFormProps {
  /** Null: a new site. */
  readonly site: Site | null
  readonly onSaved: (site: Site) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a site. */
export const SiteForm = ({ site, onSaved, onCancel, onDelete }: SiteFormProps) => {
  const { can } = useSession()
  const handle = useEntityForm({
    schema: siteBody,
    values: valuesOf(site),
    basedOn: site?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    save: (input, basedOn) => saveSite(site?.id ?? null, input, basedOn),
    onSaved,
  })
  const { control } = handle.form
  const { fields, help, sections } = fr
  const seesProbes = can('probe_write')
  return (
    <FormShell handle={handle} labels={fields} creating={site === null} onCancel={onCancel} onDelete={onDelete}>
      <FormSection title={sections.identity} help={sections.identityHelp}>
        <TextField control={control} name="name" label={fields.name} required autoFocus={site === null} />
        <TextField control={control} name="code" label={fields.code} help={help.code} required />
        <RemoteSelectField
          control={control}
          name="typeId"
          label={fields.typeId}
          source={siteTypeOptions}
          known={known(site?.typeId ?? null, site?.typeName ?? null)}
        />
        <RemoteSelectField
          control={control}
          name="parentId"
          label={fields.parentId}
          help={help.parentId}
          source={siteOptions}
          known={known(site?.parentId ?? null, site?.parentName ?? null)}
        />
      </FormSection>
      <FormSection title={sections.place} help={sections.placeHelp}>
        <Wide>
          <TextField control={control} name="address" label={fields.address} />
        </Wide>
        <TextField control={control} name="postalCode" label={fields.postalCode} />
        <TextField control={control} name="city" label={fields.city} />
        <TextField control={control} name="country" label={fields.country} />
        <ChoiceField
          control={control}
          name="timeZone"
          label={fields.timeZone}
          help={help.timeZone}
          choices={TIME_ZONES}
        />
        <NumberField control={control} name="latitude" label={fields.latitude} help={help.latitude} decimals={6} />
        <NumberField control={control} name="longitude" label={fields.longitude} help={help.longitude} decimals={6} />
      </FormSection>
      <FormSection title={sections.contact} help={sections.contactHelp}>
        <TextField control={control} name="contactName" label={fields.contactName} />
        <TextField control={control} name="contactPhone" label={fields.contactPhone} type="tel" />
        <TextField control={control} name="contactEmail" label={fields.contactEmail} type="email" />
      </FormSection>
      <FormSection title={sections.supervision} help={sections.supervisionHelp}>
        <RemoteSelectField
          control={control}
          name="probeId"
          label={fields.probeId}
          help={seesProbes ? help.probeId : help.probeIdNoClaim}
          source={probeOptions}
          known={known(site?.probeId ?? null, site?.probeName ?? null)}
          disabled={!seesProbes}
        />
        <Wide>
          <ParagraphField control={control} name="instruction" label={fields.instruction} help={help.instruction} />
        </Wide>
      </FormSection>
    </FormShell>
  )
}
