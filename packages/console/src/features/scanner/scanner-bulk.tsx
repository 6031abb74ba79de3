import { ATTEMPTS, INTERVAL_SECONDS, type ScannerChange, scannerRoutes } from '@narval/contracts'
import { bulk as words } from '../../i18n/bulk.ts'
import { scanner } from '../../i18n/scanner.ts'
import { call } from '../../lib/api.ts'
import { probeOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { BULK_TIMEOUT_MS, BulkActions, INHERITING_ACTIONS } from '../../ui/bulk-actions.tsx'
import { BulkChoice, BulkFields, BulkNumber } from '../../ui/bulk-fields.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import { fr } from './fr.ts'

const NOTHING: ScannerChange = {}

/** What can be done with several scanners at once. */
export const ScannerBulkActions = ({ selection }: { readonly selection: BulkSelection }) => (
  <BulkActions<ScannerChange>
    selection={selection}
    noun={fr.scanner}
    run={(target, change, plan) =>
      call(scannerRoutes.bulk, { body: { ...target, change, plan }, timeoutMs: BULK_TIMEOUT_MS })
    }
    actions={INHERITING_ACTIONS}
    nothing={NOTHING}
    fields={(change, onChange) => <Fields change={change} onChange={onChange} />}
  />
)

interface FieldsProps {
  readonly change: ScannerChange
  readonly onChange: (change: ScannerChange) => void
}

const Fields = ({ change, onChange }: FieldsProps) => {
  const seesProbes = useSession().can('probe_write')
  return (
    <BulkFields>
      {seesProbes && (
        <BulkChoice
          label={fr.columns.probe}
          source={probeOptions}
          value={change.probeId}
          onChange={probeId => onChange({ ...change, probeId })}
        />
      )}
      <BulkNumber
        label={fr.columns.interval}
        unit="s"
        min={INTERVAL_SECONDS.min}
        max={INTERVAL_SECONDS.max}
        emptyLabel={words.inherited}
        value={change.intervalSeconds}
        onChange={intervalSeconds => onChange({ ...change, intervalSeconds })}
      />
      <BulkNumber
        label={scanner.schedule.attempts}
        min={ATTEMPTS.min}
        max={ATTEMPTS.max}
        emptyLabel={words.inherited}
        value={change.attempts}
        onChange={attempts => onChange({ ...change, attempts })}
      />
    </BulkFields>
  )
}
