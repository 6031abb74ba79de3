import {
  holidayHours,
  holidayRegionOf,
  openingHours,
  type Site,
  type SiteInput,
  siteBody,
  siteFields,
  site as siteSchema,
} from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { form as words } from '../../i18n/form.ts'
import { holidaySummary, openingSummary } from '../../lib/opening-text.ts'
import type { OptionSource } from '../../lib/option-source.ts'
import { probeOptions, siteOptions, siteTypeOptions } from '../../lib/option-sources.ts'
import { ofSite } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ParagraphField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { HolidayHoursField } from '../../ui/holiday-hours.tsx'
import { OpeningHoursField } from '../../ui/opening-hours.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { TimeZoneField } from '../../ui/time-zone-field.tsx'
import { useOptionName } from '../../ui/use-options.ts'
import { fr } from './fr.ts'
import { parentSource } from './parent-source.ts'
import { PlaceFields, type SiteFormState } from './place-fields.tsx'
import { clockAt, useNow } from './site-clock.ts'
import { saveSite, siteQuery } from './site-queries.ts'

const NEW_SITE: SiteInput = siteBody.parse({ name: '-', code: '-' })
const valuesOf = (site: Site | null): SiteInput => {
  if (site === null) return { ...NEW_SITE, name: '', code: '' }
  return siteFields.parse(site)
}
const readNewer = (current: unknown): SiteInput | null => {
  const parsed = siteSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}
const known = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name })

const OptionName = ({ source, id }: { readonly source: OptionSource; readonly id: unknown }) =>
  useOptionName(source, typeof id === 'number' ? id : null) ?? '…'
const nameIn =
  (source: OptionSource) =>
  (id: unknown): ReactNode =>
    id === null ? <em>{words.empty}</em> : <OptionName source={source} id={id} />
/** How ids and hours read when two versions are compared. */
const DESCRIBE = {
  typeId: nameIn(siteTypeOptions),
  parentId: nameIn(siteOptions),
  probeId: nameIn(probeOptions),
  openingHours: (value: unknown): ReactNode => {
    const ranges = openingHours.safeParse(value)
    return ranges.success ? openingSummary(ranges.data) : '…'
  },
  holidays: (value: unknown): ReactNode => {
    const hours = holidayHours.safeParse(value)
    return hours.success ? holidaySummary(hours.data) : '…'
  },
}

interface SiteFormProps {
  /** Null: a new site. */
  readonly site: Site | null
  readonly onSaved: (site: Site) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a site. */
export const SiteForm = ({ site, onSaved, onCancel, onDelete }: SiteFormProps) => {
  const { canOn } = useSession()
  const handle = useEntityForm({
    schema: siteBody,
    values: valuesOf(site),
    basedOn: site?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    describe: DESCRIBE,
    save: (input, basedOn) => saveSite(site?.id ?? null, input, basedOn),
    onSaved,
  })
  const { control } = handle.form
  const { fields, help, sections } = fr
  const client = useQueryClient()
  const parents = useMemo(
    () => parentSource(client, site?.id ?? null, node => canOn(ofSite(node), 'site_write')),
    [client, site?.id, canOn],
  )
  return (
    <FormShell
      handle={handle}
      labels={fields}
      creating={site === null}
      readOnly={site !== null && !canOn(ofSite(site), 'site_write')}
      onCancel={onCancel}
      onDelete={onDelete}
    >
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
          source={parents}
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
        <PlaceFields form={handle.form} own={site?.id ?? null} />
      </FormSection>
      <Operation form={handle.form} site={site} />
    </FormShell>
  )
}

const Operation = ({ form, site }: { readonly form: SiteFormState; readonly site: Site | null }) => {
  const { control } = form
  const { fields, help, sections } = fr
  const seesProbes = useSession().can('probe_write')
  const inherited = useInheritedProbe(form, site)
  const [zone = '', country = '', postalCode = ''] = useWatch({ control, name: ['timeZone', 'country', 'postalCode'] })
  const now = useNow()
  return (
    <FormSection title={sections.operation} help={sections.operationHelp}>
      <TimeZoneField
        control={control}
        name="timeZone"
        label={fields.timeZone}
        help={`${help.timeZone} ${help.localTime(clockAt(zone, now))}`}
      />
      <Wide>
        <OpeningHoursField control={control} name="openingHours" label={fields.openingHours} help={help.openingHours} />
      </Wide>
      <HolidayHoursField
        control={control}
        name="holidays"
        label={fields.holidays}
        help={help.holidays(holidayRegionOf(country, postalCode))}
      />
      <TextField control={control} name="contactName" label={fields.contactName} />
      <TextField control={control} name="contactPhone" label={fields.contactPhone} type="tel" />
      <TextField control={control} name="contactEmail" label={fields.contactEmail} type="email" />
      <RemoteSelectField
        control={control}
        name="probeId"
        label={fields.probeId}
        help={[inherited, seesProbes ? '' : help.probeIdNoClaim].filter(Boolean).join('. ')}
        source={probeOptions}
        known={known(site?.probeId ?? null, site?.probeName ?? null)}
        disabled={!seesProbes}
      />
      <Wide>
        <ParagraphField control={control} name="instruction" label={fields.instruction} help={help.instruction} />
      </Wide>
    </FormSection>
  )
}

/** « Héritée de Région Sud : sonde-1 »: the probe that the site gets while it has none of its own; empty when it has. */
const useInheritedProbe = ({ control }: SiteFormState, site: Site | null): string => {
  const [probeId = null, parentId = null] = useWatch({ control, name: ['probeId', 'parentId'] })
  const parent = useQuery({ ...siteQuery(parentId ?? 0), enabled: probeId === null && parentId !== null })
  if (probeId !== null) return ''
  const asSaved = site !== null && site.probeId === null && site.parentId === parentId ? site.effectiveProbe : null
  const probe = asSaved ?? (parentId === null ? null : (parent.data?.effectiveProbe ?? null))
  if (probe === null || probe.origin === 'platform') return fr.help.probeLocal(probe?.name ?? '')
  return fr.help.probeInherited(probe.originName, probe.name)
}
