import { setImmediate } from 'node:timers/promises'
import { LOG_FAULTS_MAX, type LogFaultKind, type LogVerification } from '@narval/contracts'
import { audit } from './audit.ts'
import { type AnchorStore, type ChainEnd, CONTENT, checkpointOf, endOf, OWN, REFUSED_POSITION } from './audit-chain.ts'
import { type AuditSeals, sealingOf } from './audit-seal.ts'
import type { Database, Db } from './database.ts'
import { toIso } from './time.ts'
import { transaction } from './transaction.ts'

const SLICE = 1_000

interface Fault {
  readonly kind: LogFaultKind
  readonly from: number
  readonly to: number
  readonly text: string
}

const places = (from: number, to: number): string =>
  from === to ? `L’entrée n° ${from}` : `Les entrées n° ${from} à ${to}`
const verb = (from: number, to: number, one: string, many: string): string => (from === to ? one : many)

/**
 * Computes every seal of the chain again: an entry that was edited, one that is missing, one that this program did not
 * write, an end that was cut (`anchor`), a beginning that was cut otherwise than by the retention are each found.
 */
export const verifyAudit = async (db: Db, asked: Asked): Promise<LogVerification> => {
  const checkpoint = await checkpointOf(db)
  const answer = await verifyFrom(db, checkpoint, asked)
  // Entries that were dropped meanwhile are not missing.
  const now = await checkpointOf(db)
  return answer.ok || now?.position === checkpoint?.position ? answer : verifyFrom(db, now, asked)
}

export interface Asked {
  readonly anchor: AnchorStore
  readonly nowMs: number
  /** A place and its seal that somebody kept elsewhere. */
  readonly expected?: ChainEnd | null
}

const verifyFrom = async (
  db: Db,
  checkpoint: Awaited<ReturnType<typeof checkpointOf>>,
  { anchor: anchors, nowMs, expected = null }: Asked,
): Promise<LogVerification> => {
  const { seals } = sealingOf(db)
  // Before the end: an entry that is sealed meanwhile is not beyond it.
  const anchor = anchors.read()
  const end = await endOf(db)
  const found = collector()
  if (checkpoint !== null && checkpoint.mark !== seals.checkpoint(checkpoint.position, checkpoint.seal))
    found.add('checkpoint', 1, checkpoint.position, 'Le point de reprise de la conservation a été modifié.')
  const start = checkpoint ?? { position: 0, seal: '' }
  const known = [anchor, expected].filter(one => one !== null)
  const walked = await walk(db, seals, start, end.position, found, known)
  await addUnsealed(db, found)
  addCut(found, end, anchor)
  if (expected !== null && expected.position > end.position)
    found.add('truncated', end.position + 1, expected.position, 'Le sceau donné est au-delà de la fin du journal.')
  return {
    at: toIso(nowMs),
    ok: found.count() === 0,
    checked: walked.checked,
    from: walked.first,
    to: walked.checked === 0 ? null : end.position,
    seal: end.position === 0 ? null : end.seal,
    older: await olderOf(db),
    faultCount: found.count(),
    faults: found.all(),
  }
}

const collector = () => {
  const faults: Fault[] = []
  let count = 0
  return {
    add(kind: LogFaultKind, from: number, to: number, text: string): void {
      count += 1
      if (faults.length < LOG_FAULTS_MAX) faults.push({ kind, from, to, text })
    },
    count: () => count,
    all: () => faults,
  }
}
type Found = ReturnType<typeof collector>

const walk = async (
  db: Db,
  seals: AuditSeals,
  start: ChainEnd,
  through: number,
  found: Found,
  known: readonly ChainEnd[],
): Promise<{ checked: number; first: number | null }> => {
  let before: ChainEnd = start
  let checked = 0
  let first: number | null = null
  for (;;) {
    const rows = await db
      .selectFrom('audit')
      .select([...CONTENT, 'position', 'seal'])
      .where('position', '>', before.position)
      .where('position', '<=', through)
      .orderBy('position')
      .limit(SLICE)
      .execute()
    for (const row of rows) {
      const position = row.position ?? 0
      first ??= position
      checked += 1
      const missing = position > before.position + 1
      if (missing) addMissing(found, before.position + 1, position - 1)
      // After a hole nothing says what stood before: the entry's own mark is still checked.
      const isLinked = missing || row.seal === seals.link(before.seal, position, row.mark)
      const isKnown = known.every(one => one.position !== position || one.seal === row.seal)
      if (!seals.isMarked(row, row.mark) || !isLinked || !isKnown)
        found.add('altered', position, position, `${places(position, position)} a été modifiée.`)
      before = { position, seal: row.seal }
    }
    if (rows.length < SLICE) return { checked, first }
    await setImmediate()
  }
}

const addMissing = (found: Found, from: number, to: number): void =>
  found.add('missing', from, to, `${places(from, to)} ${verb(from, to, 'manque', 'manquent')}.`)

/** Lines that stand outside of the chain though nobody but this program writes any. */
const addUnsealed = async (db: Db, found: Found): Promise<void> => {
  const rows = await db
    .selectFrom('audit')
    .select('id')
    .where(eb =>
      eb.or([
        eb('position', '=', REFUSED_POSITION),
        eb.and([eb('position', '=', 0), eb('event_id', 'is', null)]),
        eb('position', '<', REFUSED_POSITION),
      ]),
    )
    .orderBy('id')
    .limit(LOG_FAULTS_MAX)
    .execute()
  for (const { id } of rows)
    found.add('unsealed', id, id, `La ligne ${id} n’a pas été écrite par Narval\u202f: elle est hors de la chaîne.`)
}

const addCut = (found: Found, end: ChainEnd, anchor: ChainEnd | null): void => {
  if (anchor === null) {
    if (end.position > 0)
      found.add(
        'anchor',
        end.position,
        end.position,
        'Le repère de fin manque\u202f: une fin coupée ne se verrait pas.',
      )
    return
  }
  if (anchor.position <= end.position) return
  const [from, to] = [end.position + 1, anchor.position]
  found.add(
    'truncated',
    from,
    to,
    `La fin du journal a été coupée\u202f: ${places(from, to).toLowerCase()} ${verb(from, to, 'manque', 'manquent')} (ou une sauvegarde a été restaurée).`,
  )
}

/** Entries that were there before the first seal, while they are kept. */
const olderOf = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'log-chain')
    .where('position', '>', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const told: unknown = row === undefined ? null : JSON.parse(row.detail)
  return typeof told === 'object' && told !== null && 'rows' in told && typeof told.rows === 'number' ? told.rows : 0
}

/** Entries dropped by one transaction. */
const DROPPED = 5_000

/**
 * Drops what is older than `beforeMs`, from the beginning of the chain and never its last entry; a sealed checkpoint says
 * where it begins now. What was wrong with what goes is told in the line that says so.
 * @returns how many entries went.
 */
export const purgeAudit = async (database: Database, beforeMs: number, nowMs: number): Promise<number> => {
  const { db } = database
  const { seals } = sealingOf(db)
  const end = await endOf(db)
  const kept = await db
    .selectFrom('audit')
    .select('position')
    .where('position', '>', 0)
    .where('at', '>=', beforeMs)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  const through = Math.min((kept?.position ?? end.position) - 1, end.position - 1)
  const start = (await checkpointOf(db)) ?? { position: 0, seal: '' }
  if (through <= start.position) return 0
  const found = collector()
  await walk(db, seals, start, through, found, [])
  let dropped = 0
  for (let from = start.position; from < through; from += DROPPED) {
    const to = Math.min(from + DROPPED, through)
    dropped += await transaction(db, trx => dropThrough(trx, to, nowMs))
    await setImmediate()
  }
  const detail = { rows: dropped, through, ...(found.count() > 0 && { faults: found.count() }) }
  await audit(db, { ...OWN, action: 'log-purge', outcome: found.count() === 0 ? 'success' : 'failure', detail }, nowMs)
  return dropped
}

const dropThrough = async (trx: Db, to: number, nowMs: number): Promise<number> => {
  const { seals } = sealingOf(trx)
  const last = await trx
    .selectFrom('audit')
    .select(['position', 'seal'])
    .where('position', '>', 0)
    .where('position', '<=', to)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return 0
  const row = { position: to, seal: last.seal, at: nowMs, mark: seals.checkpoint(to, last.seal) }
  await trx
    .insertInto('audit_checkpoint')
    .values({ id: 1, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
  const gone = await trx.deleteFrom('audit').where('position', '>', 0).where('position', '<=', to).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
