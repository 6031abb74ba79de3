import { type MetricChange, metricRoutes } from '@narval/contracts'
import { bulk as words } from '../../i18n/bulk.ts'
import { threshold } from '../../i18n/threshold.ts'
import { call } from '../../lib/api.ts'
import { BULK_TIMEOUT_MS, BulkActions, INHERITING_ACTIONS } from '../../ui/bulk-actions.tsx'
import { BulkFields, BulkNumber, BulkPick } from '../../ui/bulk-fields.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import { fr } from './fr.ts'

const NOTHING: MetricChange = {}

/** What can be done with several metrics at once. */
export const MetricBulkActions = ({ selection }: { readonly selection: BulkSelection }) => (
  <BulkActions<MetricChange>
    selection={selection}
    noun={fr.metric}
    run={(target, change, plan) =>
      call(metricRoutes.bulk, { body: { ...target, change, plan }, timeoutMs: BULK_TIMEOUT_MS })
    }
    actions={INHERITING_ACTIONS}
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
