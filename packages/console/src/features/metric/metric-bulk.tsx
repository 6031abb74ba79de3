import { type MetricChange, metricRoutes } from '@narval/contracts'
import { bulk as words } from '../../i18n/bulk.ts'
import { threshold } from '../../i18n/threshold.ts'
import { call } from '../../lib/api.ts'
import { BulkActions } from '../../ui/bulk-actions.tsx'
import { BulkFields, BulkNumber, BulkPick } from '../../ui/bulk-fields.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import { fr } from './fr.ts'

/** Longest wait for a change of thousands. */
const TIMEOUT_MS = 120_000
const ACTIONS = [
  { label: words.enable, title: words.enableTitle, change: { enabled: true } },
  { label: words.disable, title: words.disableTitle, change: { enabled: false } },
  { label: words.inherit, title: words.inheritTitle, change: { inherit: true as const }, aside: true },
  { label: words.delete, title: words.deleteTitle, change: { delete: true as const }, destructive: true, aside: true },
]
const NOTHING: MetricChange = {}

/** What can be done with several metrics at once. */
export const MetricBulkActions = ({ selection }: { readonly selection: BulkSelection }) => (
  <BulkActions<MetricChange>
    selection={selection}
    noun={fr.metric}
    run={(target, change, plan) =>
      call(metricRoutes.bulk, { body: { ...target, change, plan }, timeoutMs: TIMEOUT_MS })
    }
    actions={ACTIONS}
    nothing={NOTHING}
    fields={(change, onChange) => (
      <BulkFields>
        <BulkNumber
          label={fr.fields.attempts}
          min={1}
          max={20}
          emptyLabel={words.inherited}
          value={change.attempts}
          onChange={attempts => onChange({ ...change, attempts })}
        />
        <BulkPick
          label={fr.fields.noData}
          choices={[
            { value: 'unknown', label: threshold.noData.unknown },
            { value: 'keep', label: threshold.noData.keep },
          ]}
          onChange={noData => onChange({ ...change, noData })}
        />
      </BulkFields>
    )}
  />
)
