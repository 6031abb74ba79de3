import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { type AuditEntry, audit, objectKindOf } from './audit.ts'
import { type SealedContent, sealingOf } from './audit-seal.ts'
import { auditSites } from './audit-site.ts'
import { auditWords } from './audit-words.ts'
import type { Database, Db } from './database.ts'
import { lock } from './lock.ts'
import { transaction } from './transaction.ts'

/** Where the chain ends: kept outside of the database, it shows that its end was cut. */
export interface ChainEnd {
  readonly position: number
  readonly seal: string
}
export interface AnchorStore {
  read(): ChainEnd | null
  write(end: ChainEnd): void
}

/** An anchor that ends with the process: of tests. */
export const createMemoryAnchor = (): AnchorStore => {
  let end: ChainEnd | null = null
  return {
    read: () => end,
    write: next => {
      end = next
    },
  }
}

/** Entries of one turn: short enough that nobody waits for the database. */
const SLICE = 500
/** What is written within this time is sealed together. */
const SEAL_AFTER_MS = 500
/** Sealed though nobody said that it was written: what a long transaction commits late. */
const SEAL_EVERY_MS = 5_000

export interface AuditChain {
  /** Something was, or is about to be, written. */
  wake(): void
  /** Seals what waits, now. */
  seal(): Promise<void>
  /** Takes in what older versions wrote, which may last, and seals from then on; nobody waits for it. */
  start(): void
  /** Seals what waits; what was not taken in yet is by the next start. */
  stop(): Promise<void>
}

export interface AuditChainDeps {
  readonly database: Database
  readonly anchor: AnchorStore
  readonly now: () => number
  /** The log has grown; at most twice a second. */
  readonly onGrown: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Gives each entry its place in the chain once its transaction has ended, in the order of their ids: writers never wait for
 * each other, and one chain comes of it. An entry that this program did not write is refused a place.
 */
export const createAuditChain = (deps: AuditChainDeps): AuditChain => {
  const { database, anchor } = deps
  let timer: NodeJS.Timeout | null = null
  let every: NodeJS.Timeout | null = null
  let under: Promise<number> = Promise.resolve(0)
  let stopped = false
  // What is sealed before it keeps it out for ever.
  let isPastWaiting = false

  const sealAll = async (): Promise<number> => {
    if (isPastWaiting) isPastWaiting = !(await sealPast(database, anchor, deps.now, () => stopped))
    if (isPastWaiting) return 0
    let sum = 0
    for (let count = SLICE; count === SLICE && (await isWaiting(database.db)); sum += count) {
      const sealed = await transaction(database.db, trx => sealSome(database, trx, anchor.read()))
      count = sealed.count
      if (sealed.end !== null) anchor.write(sealed.end)
      await setImmediate()
    }
    return sum
  }
  const seal = (): Promise<number> => {
    under = under.catch(() => 0).then(sealAll)
    return under
  }
  const wake = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      // Messages grow the log too, and have no seal.
      void seal().then(deps.onGrown, deps.onError)
    }, SEAL_AFTER_MS)
  }
  const look = (): void => void seal().then(count => count > 0 && deps.onGrown(), deps.onError)
  return {
    wake,
    seal: async () => void (await seal()),
    start() {
      isPastWaiting = true
      look()
      every = setInterval(look, SEAL_EVERY_MS)
    },
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      if (every !== null) clearInterval(every)
      await seal()
    },
  }
}

const isWaiting = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('audit').select('id').where('position', 'is', null).limit(1).executeTakeFirst()) !== undefined

interface WaitingRow extends SealedContent {
  readonly id: number
  readonly mark: string
}
export const CONTENT = [
  ...(['id', 'at', 'kind', 'actor', 'address', 'action', 'object', 'outcome', 'detail', 'site_id', 'mark'] as const),
] as const

/** Refused a place in the chain: this program did not write it. */
export const REFUSED_POSITION = -1

const sealSome = async (
  database: Database,
  trx: Db,
  anchor: ChainEnd | null,
): Promise<{ count: number; end: ChainEnd | null }> => {
  await lock(database, trx, 'audit-chain')
  const rows: WaitingRow[] = await trx
    .selectFrom('audit')
    .select(CONTENT)
    .where('position', 'is', null)
    .orderBy('id')
    .limit(SLICE)
    .execute()
  let end = await endOf(trx)
  // What was cut leaves a hole for ever: the chain goes on where it ended.
  if (anchor !== null && anchor.position > end.position) end = anchor
  const { seals } = sealingOf(trx)
  const sealed = rows.map(row => {
    if (!seals.isMarked(row, row.mark)) return { id: row.id, position: REFUSED_POSITION, seal: '' }
    end = { position: end.position + 1, seal: seals.link(end.seal, end.position + 1, row.mark) }
    return { id: row.id, ...end }
  })
  await updateEach(database, trx, sealed)
  return { count: rows.length, end: end.position === 0 ? null : end }
}

interface Written {
  readonly id: number
  readonly position?: number
  readonly seal?: string
  readonly site_id?: number | null
  readonly object_kind?: string
  readonly words?: string
  readonly mark?: string
}
/** Gives each row its own values, the same columns in all: on PostgreSQL in one statement, where each costs a journey. */
const updateEach = async ({ dialect }: Database, trx: Db, rows: readonly Written[]): Promise<void> => {
  if (dialect === 'sqlite')
    for (const { id, ...values } of rows) await trx.updateTable('audit').set(values).where('id', '=', id).execute()
  else if (rows[0] !== undefined) {
    const columns = Object.keys(rows[0]).filter(name => name !== 'id')
    const values = sql.join(columns.map(name => sql`${sql.ref(name)} = v.${sql.ref(name)}`))
    await sql`update audit set ${values} from json_to_recordset(cast(${JSON.stringify(rows)} as json))
      as v(id bigint, position bigint, seal text, site_id bigint, object_kind text, words text, mark text)
      where audit.id = v.id`.execute(trx)
  }
}

/** The last sealed entry; where everything was dropped, the checkpoint. */
export const endOf = async (db: Db): Promise<ChainEnd> => {
  const last = await db
    .selectFrom('audit')
    .select(['position', 'seal'])
    .where('position', '>', 0)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last !== undefined && last.position !== null) return { position: last.position, seal: last.seal }
  return (await checkpointOf(db)) ?? { position: 0, seal: '' }
}

export const checkpointOf = async (db: Db) =>
  (await db.selectFrom('audit_checkpoint').select(['position', 'seal', 'mark']).executeTakeFirst()) ?? null

/**
 * Seals once what older versions have written: nothing shows whether it was changed before, all that is changed from now
 * on shows. Where there ever was a chain, nothing more is taken in this way.
 * @returns false when it was given up half-way.
 */
const sealPast = async (
  database: Database,
  anchor: AnchorStore,
  now: () => number,
  isGivenUp: () => boolean,
): Promise<boolean> => {
  const { db } = database
  if (anchor.read() !== null || (await endOf(db)).position > 0) return true
  const found = await sql<{ last: number | null; n: number }>`select max(id) as last, count(*) as n from audit
    where mark = '' and event_id is null and position is null`.execute(db)
  const { last = null, n = 0 } = found.rows[0] ?? {}
  if (last === null) return true
  for (let from = 0; from < last; ) {
    if (isGivenUp()) return false
    from = await transaction(db, trx => adopt(database, trx, from, last))
    await setImmediate()
  }
  const detail = { rows: Number(n), through: last }
  await audit(db, { ...OWN, action: 'log-chain', detail }, now())
  return true
}

/** What the log says of itself. */
export const OWN = {
  kind: 'event',
  outcome: 'success',
  actor: null,
  address: '',
  object: 'log',
} as const satisfies Omit<AuditEntry, 'action'>

const adopt = async (database: Database, trx: Db, from: number, last: number): Promise<number> => {
  const rows = await trx
    .selectFrom('audit')
    .select(CONTENT)
    .where('id', '>', from)
    .where('id', '<=', last)
    .where('mark', '=', '')
    .orderBy('id')
    .limit(SLICE)
    .execute()
  const { seals } = sealingOf(trx)
  const sites = await auditSites(
    trx,
    rows.map(({ object, detail }) => ({ object, detail: JSON.parse(detail) })),
  )
  const adopted = rows.map((row, index) => {
    const site_id = sites[index] ?? null
    const mark = seals.mark({ ...row, site_id })
    return { id: row.id, site_id, object_kind: objectKindOf(row.object), words: auditWords(row), mark }
  })
  await updateEach(database, trx, adopted)
  return rows.at(-1)?.id ?? last
}
