import type { Db } from './database.ts'

/** What is audited so far: signing in and what gives or takes rights (S60 widens it). */
export type AuditAction =
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
