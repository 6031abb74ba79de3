import { type AuditAction, audit, auditAll } from './audit.ts'
import { turns } from './batches.ts'
import type { Db } from './database.ts'

export interface Change {
  readonly before: unknown
  readonly after: unknown
}
export type ChangedFields = Readonly<Record<string, Change>>

/** What every entity carries and what the line of the audit says already. */
const STAMPS: readonly string[] = ['id', 'createdAt', 'updatedAt', 'updatedBy']

/**
 * The fields that differ between two versions of a record, each as it was and as it is; compared by content, whatever
 * the order of keys. Null for a version that is not: a creation lists what was given, a deletion what was lost. Give it
 * what is kept (`hostBody.parse(host)`), never states that change by themselves, and never a secret.
 */
export const changesOf = (before: object | null, after: object | null): ChangedFields => {
  const old = new Map<string, unknown>(Object.entries(before ?? {}))
  const fresh = new Map<string, unknown>(Object.entries(after ?? {}))
  const names = [...new Set([...fresh.keys(), ...old.keys()])].filter(name => !STAMPS.includes(name))
  const versions = names.map(name => [name, { before: old.get(name) ?? null, after: fresh.get(name) ?? null }] as const)
  return Object.fromEntries(versions.filter(([, change]) => canonical(change.before) !== canonical(change.after)))
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export interface AuditedChange {
  readonly action: AuditAction
  readonly actor: string | null
  /** What it was done to: `site 12`. */
  readonly object: string
  /** Its name, which outlives it. */
  readonly name: string
  readonly before: object | null
  readonly after: object | null
}

/** Writes one line of the audit with only what changed, in the transaction of the change; none when nothing did. */
export const auditChange = async (
  trx: Db,
  { before, after, name, ...entry }: AuditedChange,
  nowMs: number,
): Promise<void> => {
  const changes = changesOf(before, after)
  if (before !== null && after !== null && Object.keys(changes).length === 0) return
  await audit(trx, { ...entry, outcome: 'success', detail: { name, changes } }, nowMs)
}

/** Lines of many changes, a few statements in all. */
export const auditChanges = async (trx: Db, changed: readonly AuditedChange[], nowMs: number): Promise<void> => {
  for await (const some of turns(changed)) {
    const entries = some.flatMap(({ before, after, name, ...entry }) => {
      const changes = changesOf(before, after)
      if (before !== null && after !== null && Object.keys(changes).length === 0) return []
      return [{ ...entry, outcome: 'success' as const, detail: { name, changes } }]
    })
    await auditAll(trx, entries, nowMs)
  }
}
