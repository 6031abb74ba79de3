import { type Scanner, type ScannerInput, scannerBody } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Db } from '../../store/database.ts'

type Audited = ScannerInput & { readonly overrides?: Scanner['overrides'] }
/** What people set of a scanner, as it is audited. */
export const auditedOf = (scanner: Audited) => ({ ...scannerBody.parse(scanner), overrides: scanner.overrides ?? [] })

export const auditScanner = (
  trx: Db,
  viewer: Viewer,
  action: 'create' | 'update' | 'delete',
  id: number,
  before: Audited | null,
  after: Audited | null,
  nowMs: number,
) =>
  auditChange(
    trx,
    {
      action: `scanner-${action}`,
      actor: viewer.login,
      object: `scanner ${id}`,
      name: after?.name ?? before?.name ?? '',
      before: before === null ? null : auditedOf(before),
      after: after === null ? null : auditedOf(after),
    },
    nowMs,
  )
