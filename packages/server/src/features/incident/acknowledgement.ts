import { randomUUID } from 'node:crypto'
import {
  ACKNOWLEDGE_MAX_DAYS,
  type AcknowledgeBody,
  type BulkReply,
  CHECKS_MAX,
  type CheckNowBody,
  fold,
  type Incident,
  type IncidentBulkBody,
  type IncidentBulkReply,
  type IncidentChange,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { ToldToOthers } from '../../account-notice.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalid, invalidField } from '../../http/refusal.ts'
import { NOT_ACKNOWLEDGED } from '../../monitoring/incident/acknowledgement.store.ts'
import { insertIncidentEvents, type NewIncidentEvent } from '../../monitoring/incident/incident-log.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { type AuditedChange, auditChanges } from '../../store/audit-change.ts'
import { turns } from '../../store/batches.ts'
import { bulkReplyOf } from '../../store/bulk.ts'
import type { Database, Db } from '../../store/database.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import type { ActedTargets } from './acted.ts'
import { personOf, toldOf } from './told-act.ts'

export interface AcknowledgementServiceDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
  readonly acted: ActedTargets
  readonly get: (viewer: Viewer, id: number) => Promise<Incident>
  /** Asks probes to run scanners at once; how many probes were told. */
  readonly recheck: (scannerIds: readonly number[]) => number
  /** Tells all others who are signed in. */
  readonly tell: (viewer: Viewer, told: ToldToOthers) => void
}

/** What of an incident is acknowledged. */
interface Held {
  readonly acknowledged_by: string | null
  readonly acknowledged_at: number | null
  readonly acknowledged_comment: string | null
  readonly acknowledged_sticky: 0 | 1
  readonly acknowledged_until: number | null
  readonly owner: string | null
}
interface Row extends Held {
  readonly id: number
  readonly metric_id: number | null
  readonly title: string
  readonly closed_at: number | null
}
interface Step {
  readonly row: Row
  readonly next: Held
}

const TITLE = sql<string>`case incident.kind when 'probe' then 'Sonde ' || probe.name || ' hors ligne'
  when 'link' then 'Liaison de la sonde ' || probe.name || ' en cause' else host.name || ${'\u202f: '} || metric.name end`

/** Acknowledging, giving back, taking on: one incident or many, by whoever may write incidents. */
export const createAcknowledgementService = (deps: AcknowledgementServiceDeps) => {
  const { database, monitoring, now, acted } = deps

  /** What the change makes of an incident; the login of the owner as its account spells it. */
  const wantedOf = async (viewer: Viewer, change: IncidentChange): Promise<(row: Row) => Held> => {
    const { acknowledge, own } = change
    if (acknowledge !== undefined) return acknowledging(viewer, acknowledge)
    if (own === undefined) return row => ({ ...heldOf(row), ...NOT_ACKNOWLEDGED })
    const owner = await loginOf(database.db, own.owner)
    return row => ({ ...heldOf(row), owner })
  }
  const acknowledging = async (viewer: Viewer, body: AcknowledgeBody) => {
    const nowMs = now()
    const untilMs = body.until == null ? null : fromIso(body.until)
    if (untilMs !== null && untilMs <= nowMs) throw invalidField('until', 'La fin de l’acquittement est déjà passée.')
    if (untilMs !== null && untilMs > nowMs + ACKNOWLEDGE_MAX_DAYS * 86_400_000)
      throw invalidField('until', `Un acquittement dure ${ACKNOWLEDGE_MAX_DAYS} jours au plus.`)
    const owner = body.owner === undefined ? undefined : await loginOf(database.db, body.owner)
    return (row: Row): Held => ({
      acknowledged_by: viewer.login,
      acknowledged_at: nowMs,
      acknowledged_comment: body.comment,
      acknowledged_sticky: body.sticky ? 1 : 0,
      acknowledged_until: body.until === undefined ? monitoring.acknowledgements.endOf(row.metric_id) : untilMs,
      owner: owner === undefined ? row.owner : owner,
    })
  }

  const apply = async (viewer: Viewer, ids: readonly number[], change: IncidentChange, plan: boolean) => {
    const wanted = await wantedOf(viewer, change)
    const done = await transaction(database.db, async trx => {
      const steps: Step[] = []
      const refusals: BulkReply['refusals'] = []
      let matched = 0
      for await (const some of turns(ids, 500)) {
        const rows = await readRows(trx, some)
        matched += rows.length
        const fresh: Step[] = []
        for (const row of rows) {
          if (row.closed_at !== null) {
            refusals.push({ id: row.id, name: row.title, errors: ['Cet incident est terminé.'] })
            continue
          }
          const next = wanted(row)
          if (JSON.stringify(next) !== JSON.stringify(heldOf(row))) fresh.push({ row, next })
        }
        if (!plan) await save(trx, viewer, fresh, now())
        steps.push(...fresh)
      }
      return { matched, steps, refusals }
    })
    if (!plan && done.steps.length > 0) await settle(viewer, change, done.steps)
    return done
  }
  const settle = async (viewer: Viewer, change: IncidentChange, steps: readonly Step[]): Promise<void> => {
    const ends = steps.flatMap(({ next }) => next.acknowledged_until ?? [])
    await monitoring.acknowledgements.changed(
      steps.map(({ row }) => row.id),
      ends.length === 0 ? null : ends.reduce((a, b) => Math.min(a, b)),
    )
    const [first] = steps
    if (first === undefined) return
    const who = await personOf(database.db, viewer.userId)
    const owner = change.own?.owner ?? change.acknowledge?.owner ?? null
    const toWhom = owner === null || owner === viewer.login ? null : owner
    deps.tell(viewer, toldOf({ who, change, toWhom, count: steps.length, id: first.row.id, title: first.row.title }))
  }
  const one = async (viewer: Viewer, id: number, change: IncidentChange): Promise<Incident> => {
    // Whether it exists and may be seen.
    await deps.get(viewer, id)
    const { refusals } = await apply(viewer, [id], change, false)
    const [refusal] = refusals
    if (refusal !== undefined) throw conflict(refusal.errors.join(' '))
    return deps.get(viewer, id)
  }

  return {
    acknowledge: (viewer: Viewer, id: number, body: AcknowledgeBody) => one(viewer, id, { acknowledge: body }),
    unacknowledge: (viewer: Viewer, id: number) => one(viewer, id, { unacknowledge: true }),
    own: (viewer: Viewer, id: number, owner: string | null) => one(viewer, id, { own: { owner } }),
    async bulk(viewer: Viewer, { change, plan, ...target }: IncidentBulkBody): Promise<IncidentBulkReply> {
      const { matched, steps, refusals } = await apply(viewer, await acted.incidents(viewer, target), change, plan)
      const isByRule = change.acknowledge !== undefined && change.acknowledge.until === undefined
      const hours = isByRule ? hoursOf(steps) : null
      return { ...bulkReplyOf({ matched, changed: steps.length, refusals }), hours }
    },
    async check(viewer: Viewer, body: CheckNowBody) {
      const scanners = await acted.scanners(viewer, body)
      if (scanners.length === 0) throw invalid(['Rien de ce qui est désigné ne peut être vérifié par une sonde.'])
      if (scanners.length > CHECKS_MAX)
        throw invalid([
          `Au plus ${CHECKS_MAX} contrôles à la fois : ${scanners.length} correspondent, précisez le choix.`,
        ])
      return { scanners: scanners.length, probes: deps.recheck(scanners) }
    },
    async owners() {
      const rows = await database.db
        .selectFrom('account')
        .select(['login', 'first_name', 'last_name'])
        .where('enabled', '=', 1)
        .orderBy('name_folded')
        .orderBy('login_folded')
        .limit(1_000)
        .execute()
      return rows.map(row => ({ login: row.login, name: `${row.first_name} ${row.last_name}`.trim() || row.login }))
    },
  }
}
export type AcknowledgementService = ReturnType<typeof createAcknowledgementService>

const heldOf = (row: Held): Held => ({
  acknowledged_by: row.acknowledged_by,
  acknowledged_at: row.acknowledged_at,
  acknowledged_comment: row.acknowledged_comment,
  acknowledged_sticky: row.acknowledged_sticky,
  acknowledged_until: row.acknowledged_until,
  owner: row.owner,
})

const readRows = async (trx: Db, ids: readonly number[]): Promise<Row[]> =>
  ids.length === 0
    ? []
    : (
        await sql<Row>`select incident.id, incident.metric_id, ${TITLE} as title, incident.closed_at, incident.acknowledged_by, incident.acknowledged_at,
          incident.acknowledged_comment, incident.acknowledged_sticky, incident.acknowledged_until, incident.owner
          from incident left join metric on metric.id = incident.metric_id left join host on host.id = metric.host_id
          left join probe on probe.id = incident.probe_id where incident.id in (${sql.join(ids)}) order by incident.id`.execute(
          trx,
        )
      ).rows

/** The shortest and the longest that these last. */
const hoursOf = (steps: readonly Step[]): IncidentBulkReply['hours'] => {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const { next } of steps) {
    if (next.acknowledged_at === null || next.acknowledged_until === null) continue
    const hours = Math.round((next.acknowledged_until - next.acknowledged_at) / HOUR_MS)
    least = Math.min(least, hours)
    most = Math.max(most, hours)
  }
  return most === 0 ? null : { least, most }
}
const HOUR_MS = 3_600_000

/** Writes what becomes alike by one statement, the audit, and a line of each timeline. */
const save = async (trx: Db, viewer: Viewer, steps: readonly Step[], nowMs: number): Promise<void> => {
  for (const group of Map.groupBy(steps, ({ next }) => JSON.stringify(next)).values()) {
    const ids = group.map(({ row }) => row.id)
    const columns = group[0]?.next
    if (columns !== undefined) await trx.updateTable('incident').set(columns).where('id', 'in', ids).execute()
  }
  await auditChanges(
    trx,
    steps.map(step => lineOf(viewer, step)),
    nowMs,
  )
  const act = randomUUID()
  await insertIncidentEvents(
    trx,
    steps.flatMap(step => eventsOf(viewer, step, act, nowMs)),
  )
}

const auditedOf = (held: Held) => ({
  acknowledgedBy: held.acknowledged_by,
  acknowledgedComment: held.acknowledged_comment,
  acknowledgedSticky: held.acknowledged_sticky === 1,
  acknowledgedUntil: toIsoOrNull(held.acknowledged_until),
  owner: held.owner,
})
const lineOf = (viewer: Viewer, { row, next }: Step): AuditedChange => ({
  ...{ action: 'incident-update', actor: viewer.login, object: `incident ${row.id}`, name: row.title },
  ...{ before: auditedOf(row), after: auditedOf(next) },
})

const eventsOf = (viewer: Viewer, { row, next }: Step, act: string, atMs: number): NewIncidentEvent[] => {
  const line = { incidentId: row.id, atMs, actor: viewer.login }
  const events: NewIncidentEvent[] = []
  if (next.acknowledged_at !== null && isOtherwise(row, next))
    events.push({
      ...{ ...line, key: `${act}:${row.id}:acknowledged`, kind: 'acknowledged' },
      text: next.acknowledged_comment ?? '',
      detail: { sticky: next.acknowledged_sticky === 1, until: toIsoOrNull(next.acknowledged_until) },
    })
  if (next.acknowledged_at === null && row.acknowledged_at !== null)
    events.push({ ...line, key: `${act}:${row.id}:unacknowledged`, kind: 'unacknowledged' })
  if (next.owner !== row.owner)
    events.push({ ...line, key: `${act}:${row.id}:owned`, kind: 'owned', text: ownedText(viewer.login, row, next) })
  return events
}
/** Two people may do it within one millisecond. */
const isOtherwise = (row: Held, next: Held): boolean =>
  JSON.stringify({ ...heldOf(row), owner: null }) !== JSON.stringify({ ...heldOf(next), owner: null })

const ownedText = (login: string, row: Held, next: Held): string => {
  if (next.owner === null) return row.owner === login ? 'Rendu.' : `Retiré à ${row.owner}.`
  return next.owner === login ? 'Pris en charge.' : `Confié à ${next.owner}.`
}

/** @throws Refusal where no enabled account has this login. */
const loginOf = async (db: Db, login: string | null): Promise<string | null> => {
  if (login === null) return null
  const row = await db
    .selectFrom('account')
    .select('login')
    .where('login_folded', '=', fold(login))
    .where('enabled', '=', 1)
    .executeTakeFirst()
  if (row === undefined) throw invalidField('owner', 'Ce compte n’existe pas ou n’est plus actif.')
  return row.login
}
