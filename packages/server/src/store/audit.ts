import type { LogAction, LogKind } from '@narval/contracts'
import { currentSource } from '../http/source.ts'
import { sealingOf } from './audit-seal.ts'
import { auditSites } from './audit-site.ts'
import { auditWords } from './audit-words.ts'
import type { Db } from './database.ts'

/** What is audited: signing in, what gives or takes rights, every change of a managed object, and what happens (S60). */
export type AuditAction = LogAction

export interface AuditEntry {
  readonly action: AuditAction
  readonly outcome: 'success' | 'refused' | 'failure'
  /** Login of who did it; null when nobody is known. */
  readonly actor: string | null
  /** Left out: that of the call that is being answered. */
  readonly address?: string
  /** What it was done to: `account 12`. */
  readonly object?: string
  /** What is worth knowing of it; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** `event` for what nobody did. */
  readonly kind?: LogKind
}

/** Writes one line of the audit, in the transaction of what it tells: if it can not be written, nothing is done. */
export const audit = (db: Db, entry: AuditEntry, nowMs: number): Promise<void> => auditAll(db, [entry], nowMs)

/** Lines of one transaction, in one statement: some hundred at most. */
export const auditAll = async (db: Db, entries: readonly AuditEntry[], nowMs: number): Promise<void> => {
  if (entries.length === 0) return
  const { seals, onWritten } = sealingOf(db)
  const sites = await auditSites(db, entries)
  const rows = entries.map((entry, index) => {
    const content = {
      ...{ at: nowMs, kind: entry.kind ?? 'audit', action: entry.action, outcome: entry.outcome },
      actor: entry.actor === null ? null : oneLine(entry.actor),
      address: oneLine(entry.address ?? currentSource()),
      object: oneLine(entry.object ?? ''),
      detail: JSON.stringify(entry.detail ?? {}),
      site_id: sites[index] ?? null,
    }
    return {
      ...content,
      object_kind: objectKindOf(content.object),
      words: auditWords(content),
      mark: seals.mark(content),
    }
  })
  await db.insertInto('audit').values(rows).execute()
  onWritten()
}

/** The first word of `account 12`. */
export const objectKindOf = (object: string): string => object.split(' ', 1)[0] ?? ''

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** A text whose control characters are written out: nothing that is given can begin a line of its own (S60). */
export const oneLine = (text: string): string =>
  text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    character => NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const SERVER = { kind: 'event', outcome: 'success', actor: null, address: '', object: 'server' } as const

/** The server starts; says whether it had stopped as it should. */
export const auditStart = async (db: Db, nowMs: number): Promise<void> => {
  const last = await db
    .selectFrom('audit')
    .select('action')
    .where('object_kind', '=', 'server')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const detail = { unexpected: last?.action === 'server-start' }
  await audit(db, { ...SERVER, action: 'server-start', detail }, nowMs)
}
export const auditStop = (db: Db, nowMs: number): Promise<void> =>
  audit(db, { ...SERVER, action: 'server-stop' }, nowMs)
