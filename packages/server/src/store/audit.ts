import type { Db } from './database.ts'

/** Managed objects whose changes are audited with before and after; see `audit-change.ts`. */
export type AuditedObject =
  | 'site'
  | 'site-type'
  | 'host'
  | 'host-type'
  | 'host-model'
  | 'metric'
  | 'scanner'
  | 'probe'
  | 'probe-group'
  | 'notification-rule'
  | 'notification-channel'
  | 'parameter'
  | 'credential'
  | 'discovery-range'
  | 'incident'
  | 'maintenance'
  | 'comment'
  | 'monitoring-model'
  | 'field-definition'
  | 'field-group'
  | 'field-privilege'
  | 'field-value'

/** What is audited: signing in, what gives or takes rights, and every change of a managed object (S60). */
export type AuditAction =
  | `${AuditedObject}-${'create' | 'update' | 'delete'}`
  | 'login'
  | 'logout'
  | 'session-end'
  | 'refresh'
  | 'password-update'
  | 'password-reset'
  | 'account-create'
  | 'account-update'
  | 'account-delete'
  | 'claims-update'
  | 'api-token-create'
  | 'api-token-delete'
  | `display-token-${'create' | 'delete' | 'use'}`
  | 'push-token-create'
  | 'import'
  | 'discovery-run'
  | 'discovery-review'
  | 'secret-rotation'
  | 'notification-channel-test'
  | `delivery-${'retry' | 'cancel'}`
  | `probe-${'code' | 'enroll' | 'approve' | 'revoke' | 'move' | 'rotate' | 'diagnose' | 'refused'}`

export interface AuditEntry {
  readonly action: AuditAction
  readonly outcome: 'success' | 'refused'
  /** Login of who did it; null when nobody is known. */
  readonly actor: string | null
  readonly address?: string
  /** What it was done to: `account 12`. */
  readonly object?: string
  /** What is worth knowing of it; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Writes one line of the audit, in the transaction of what it tells: if it can not be written, nothing is done. */
export const audit = async (db: Db, entry: AuditEntry, nowMs: number): Promise<void> => {
  await db
    .insertInto('audit')
    .values({
      at: nowMs,
      actor: entry.actor,
      address: entry.address ?? '',
      action: entry.action,
      object: entry.object ?? '',
      outcome: entry.outcome,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute()
}
