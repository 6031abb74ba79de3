import { insertIncidentEvents, type NewIncidentEvent } from '../../monitoring/incident/incident-log.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import { audit } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { type ChannelRow, saveOutcome } from '../../store/notification-channels.ts'
import { transaction } from '../../store/transaction.ts'
import { backoffMs, isGivenUp } from './backoff.ts'
import { type DueRow, incidentsOfDelivery } from './delivery.store.ts'

/** What came of one try. */
export interface Tried {
  readonly ok: boolean
  readonly permanent: boolean
  readonly error: string
  readonly answer: string
  readonly recipient: string
  readonly durationMs: number
}
export interface Settled {
  readonly state: 'sent' | 'waiting' | 'failed' | 'dropped'
}

/** Writes what came of a try with the line of each incident's timeline: together, each once. */
export const settleTry = (
  { db }: Database,
  told: { readonly row: DueRow; readonly channel: ChannelRow; readonly tried: Tried; readonly whom: string },
  nowMs: number,
  random: () => number,
): Promise<Settled> =>
  transaction(db, async trx => {
    const { row, channel, tried, whom } = told
    const attempts = row.attempts + 1
    const firstMs = Math.min(row.first_at ?? nowMs, nowMs)
    const isOver = tried.permanent || isGivenUp(attempts, firstMs, nowMs)
    const state = tried.ok ? 'sent' : isOver ? 'failed' : 'waiting'
    const answer = (tried.ok ? tried.answer : [tried.error, tried.answer].filter(part => part !== '').join('\n')).slice(
      0,
      1_000,
    )
    const written = await trx
      .updateTable('delivery')
      .set({
        ...{ state, attempts, answer, first_at: firstMs, tried_at: nowMs, duration_ms: tried.durationMs },
        recipient: tried.recipient,
        next_at: state === 'waiting' ? nowMs + backoffMs(attempts, random) : row.next_at,
        ended_at: state === 'waiting' ? null : nowMs,
      })
      .where('id', '=', row.id)
      // What somebody cancelled in between is sent all the same: that is said.
      .where('state', 'in', tried.ok ? ['waiting', 'cancelled'] : ['waiting'])
      .executeTakeFirst()
    await saveOutcome(trx, channel.id, { atMs: nowMs, ok: tried.ok, answer, durationMs: tried.durationMs })
    if (Number(written.numUpdatedRows) === 0 || state === 'waiting') return { state }
    const place = `« ${channel.name} »`
    const text = tried.ok
      ? `${whom}, par ${place}\u202f: ${row.subject}. ${row.reason}`
      : `${whom}, par ${place}, n’a pas pu être prévenu\u202f: ${tried.error}`
    if (!tried.ok) await auditFailure(trx, row, `${whom}, par ${place}\u202f: ${tried.error}`, nowMs)
    await tell(trx, row, { kind: tried.ok ? 'notified' : 'notification-failed', atMs: nowMs, text })
    return { state }
  })

/** Ends a delivery that nobody can get, and says why on its incidents. */
export const dropDelivery = ({ db }: Database, row: DueRow, why: string, nowMs: number): Promise<Settled> =>
  transaction(db, async trx => {
    const written = await trx
      .updateTable('delivery')
      .set({ state: 'dropped', answer: why, ended_at: nowMs })
      .where('id', '=', row.id)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (Number(written.numUpdatedRows) === 1) {
      await auditFailure(trx, row, why, nowMs)
      await tell(trx, row, { kind: 'notification-failed', atMs: nowMs, text: `${row.subject}\u202f: ${why}` })
    }
    return { state: 'dropped' as const }
  })

const auditFailure = (trx: Db, row: DueRow, reason: string, nowMs: number): Promise<void> =>
  audit(
    trx,
    {
      ...{ kind: 'event', action: 'delivery-failed', outcome: 'failure', actor: null, address: '' },
      ...{ object: `delivery ${row.id}`, detail: { name: row.subject, reason } },
    },
    nowMs,
  )

const tell = async (trx: Db, row: DueRow, event: Pick<NewIncidentEvent, 'kind' | 'atMs' | 'text'>): Promise<void> => {
  const incidents = await incidentsOfDelivery(trx, row.id)
  await insertIncidentEvents(
    trx,
    incidents.map(incidentId => ({
      ...event,
      incidentId,
      key: `delivery ${row.delivery_key} ${incidentId} ${event.kind} ${row.attempts}`,
      severity: severityOf(row.severity_rank),
      detail: { delivery: row.id },
    })),
  )
}
