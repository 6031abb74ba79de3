import { CHECKS, type CheckEvent, type EventSeverity } from '@narval/contracts'
import { sql } from 'kysely'
import { logMessages } from '../store/audit-message.ts'
import { batches } from '../store/batches.ts'
import type { Database, Db } from '../store/database.ts'
import type { Turn } from '../turns.ts'
import type { Model } from './fleet/model.ts'
import type { RunEvent } from './run/run-codec.ts'

/** A message with the scanner that received it; `key` is the same each time that its batch is judged. */
export interface KeptEvent extends CheckEvent {
  readonly key: string
  readonly scannerId: number
}

/** Messages of one batch that are kept; what is beyond is left out (S57). */
export const EVENTS_PER_BATCH = 2_000

/** In this order in the database and in journals. */
export const EVENT_RANKS: readonly EventSeverity[] = ['error', 'warning', 'ok']

/** The gravest message of a scanner among these, the newest of its kind; undefined when none is more than « ok ». */
export const gravest = (events: readonly RunEvent[], scannerId: number): string | undefined =>
  events
    .filter(event => event.scannerId === scannerId && event.severity !== 'ok')
    .toSorted((a, b) => EVENT_RANKS.indexOf(a.severity) - EVENT_RANKS.indexOf(b.severity) || b.at - a.at)[0]?.text

/** Writes messages, each once; those of scanners that are gone are left out. */
export const insertEvents = async (trx: Db, model: Model, events: readonly KeptEvent[], turn: Turn): Promise<void> => {
  for (const some of batches(events, 100)) {
    await turn()
    const ids = [...new Set(some.map(({ scannerId }) => scannerId))]
    const rows = await trx.selectFrom('scanner').select(['id', 'host_id', 'kind']).where('id', 'in', ids).execute()
    const known = new Map(rows.map(row => [row.id, row]))
    const values = some.flatMap(({ key, scannerId, at, severity, source, text }) => {
      const scanner = known.get(scannerId)
      if (scanner === undefined || !model.scanners.has(scannerId)) return []
      const severity_rank = EVENT_RANKS.indexOf(severity)
      const { host_id, kind } = scanner
      return [{ event_key: key, scanner_id: scannerId, host_id, kind, severity_rank, at, source, text }]
    })
    if (values.length === 0) continue
    const fresh = await trx
      .insertInto('received_event')
      .values(values)
      .onConflict(conflict => conflict.column('event_key').doNothing())
      .returning(['id', 'host_id', 'at', 'source', 'text'])
      .execute()
    await logMessages(
      trx,
      fresh.map(one => ({ ...one, host: model.hosts.get(one.host_id) })),
    )
  }
}

export interface EventLimits {
  readonly eventDays: number
  readonly eventsPerScanner: number
}

/** Deletes what is older, or more, than the platform keeps; each scanner keeps its newest. */
export const purgeEvents = async (
  { db }: Database,
  { eventDays, eventsPerScanner }: EventLimits,
  nowMs: number,
): Promise<void> => {
  await db
    .deleteFrom('received_event')
    .where('at', '<', nowMs - eventDays * 86_400_000)
    .execute()
  const full = await db
    .selectFrom('received_event')
    .select('scanner_id')
    .groupBy('scanner_id')
    .having(eb => eb.fn.countAll(), '>', eventsPerScanner)
    .execute()
  for (const { scanner_id } of full)
    await sql`delete from received_event where scanner_id = ${scanner_id} and id <= (select id from received_event
      where scanner_id = ${scanner_id} order by id desc limit 1 offset ${eventsPerScanner})`.execute(db)
}

/** Whether a kind of check brings messages at all. */
export const bringsEvents = (kind: keyof typeof CHECKS): boolean =>
  CHECKS[kind].passive === true || CHECKS[kind].runner === 'server'
