import { type SiteChange, siteRoutes } from '@narval/contracts'
import { bulk as words } from '../../i18n/bulk.ts'
import { call } from '../../lib/api.ts'
import { probeOptions, siteOptions, siteTypeOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { BULK_TIMEOUT_MS, BulkActions } from '../../ui/bulk-actions.tsx'
import { BulkChoice, BulkField, BulkFields } from '../../ui/bulk-fields.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import { HolidayHoursText, holidayModes, hoursOfMode, modeOf } from '../../ui/holiday-hours.tsx'
import { fr } from './fr.ts'

const ACTIONS = [
  {
    label: words.delete,
    title: words.deleteTitle,
    change: { delete: 'alone' as const },
    destructive: true,
    aside: true,
  },
  {
    label: fr.deleteWithAll,
    title: fr.deleteWithAllTitle,
    change: { delete: 'cascade' as const },
    destructive: true,
    aside: true,
  },
]
const NOTHING: SiteChange = {}
const KEEP = 'keep'

/** What can be done with several sites at once. */
export const SiteBulkActions = ({ selection }: { readonly selection: BulkSelection }) => (
  <BulkActions<SiteChange>
    selection={selection}
    noun={fr.site}
    run={(target, change, plan) =>
      call(siteRoutes.bulk, { body: { ...target, change, plan }, timeoutMs: BULK_TIMEOUT_MS })
    }
    actions={ACTIONS}
    nothing={NOTHING}
    fields={(change, onChange) => <Fields change={change} onChange={onChange} />}
  />
)

interface FieldsProps {
  readonly change: SiteChange
  readonly onChange: (change: SiteChange) => void
}

const Fields = ({ change, onChange }: FieldsProps) => {
  const seesProbes = useSession().can('probe_write')
  return (
    <BulkFields>
      <BulkChoice
        label={fr.fields.typeId}
        source={siteTypeOptions}
        value={change.typeId}
        onChange={typeId => onChange({ ...change, typeId })}
      />
      <BulkChoice
        label={fr.fields.parentId}
        source={siteOptions}
        value={change.parentId}
        onChange={parentId => onChange({ ...change, parentId })}
      />
      <BulkField
        label={fr.fields.holidays}
        modes={[{ value: KEEP, label: words.keep }, ...holidayModes]}
        mode={change.holidays === undefined ? KEEP : modeOf(change.holidays)}
        onMode={mode => onChange({ ...change, holidays: mode === KEEP ? undefined : hoursOfMode(mode) })}
      >
        {change.holidays != null && change.holidays.length > 0 && (
          <HolidayHoursText value={change.holidays} onChange={holidays => onChange({ ...change, holidays })} />
        )}
      </BulkField>
      {seesProbes && (
        <BulkChoice
          label={fr.fields.probeId}
          source={probeOptions}
          value={change.probeId}
          onChange={probeId => onChange({ ...change, probeId })}
        />
      )}
    </BulkFields>
  )
}
