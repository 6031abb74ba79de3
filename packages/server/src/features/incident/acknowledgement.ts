import { randomUUID } from 'node:crypto'
import {
  ACKNOWLEDGE_MAX_DAYS,
  type AcknowledgeBody,
  type BulkReply,
  CHECKS_MAX,
  type CheckNowBody,
  type Incident,
  type IncidentBulkBody,
  type IncidentBulkReply,
  type IncidentChange,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { ToldToOthers } from '../../account-notice.ts'
import type { ActedOn, Actor, Actors } from '../../actors.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalid, invalidField, notFound } from '../../http/refusal.ts'
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
import { type OwnersOf, ownerOf, ownersFor, placeOfObject, siteFault } from './owner.ts'
import { personOf, toldOf } from './told-act.ts'

export interface AcknowledgementServiceDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
  readonly acted: ActedTargets
  /** Who may act on incidents. */
  readonly actors: Actors
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
  readonly site_id: number | null
  readonly site_name: string | null
  readonly host_name: string | null
  readonly host_tags: string | null
}
interface Step {
  readonly row: Row
  readonly next: Held
}

const TITLE = sql<string>`case incident.kind when 'probe' then 'Sonde ' || probe.name || ' hors ligne'
  when 'link' then 'Liaison de la sonde ' || probe.name || ' en cause' else host.name || ${'\u202f: '} || metric.name end`

/** Acknowledging, giving back, taking on: one incident or many, by whoever may write incidents. */
export const createAcknowledgementService = (deps: AcknowledgementServiceDeps) => {
  const { database, monitoring, now, acted, actors } = deps

  /** What the change makes of an incident; the login of the owner as its account spells it. */
  const wantedOf = (
    viewer: Viewer,
    { acknowledge, own }: IncidentChange,
    owner: string | null,
  ): ((row: Row) => Held) => {
    if (acknowledge !== undefined) return acknowledging(viewer, acknowledge, owner)
    if (own === undefined) return row => ({ ...heldOf(row), ...NOT_ACKNOWLEDGED })
    return row => ({ ...heldOf(row), owner })
  }
  const acknowledging = (viewer: Viewer, body: AcknowledgeBody, owner: string | null) => {
    const nowMs = now()
    const untilMs = body.until == null ? null : fromIso(body.until)
    if (untilMs !== null && untilMs <= nowMs) throw invalidField('until', 'La fin de l’acquittement est déjà passée.')
    if (untilMs !== null && untilMs > nowMs + ACKNOWLEDGE_MAX_DAYS * 86_400_000)
      throw invalidField('until', `Un acquittement dure ${ACKNOWLEDGE_MAX_DAYS} jours au plus.`)
    return (row: Row): Held => ({
      acknowledged_by: viewer.login,
      acknowledged_at: nowMs,
      acknowledged_comment: body.comment,
      acknowledged_sticky: body.sticky ? 1 : 0,
      acknowledged_until: body.until === undefined ? monitoring.acknowledgements.endOf(row.metric_id) : untilMs,
      owner: body.owner === undefined ? row.owner : owner,
    })
  }

  const apply = async (viewer: Viewer, ids: readonly number[], change: IncidentChange, plan: boolean) => {
    const login = change.own?.owner ?? change.acknowledge?.owner ?? null
    const owner: Actor | null = login === null ? null : await ownerOf(actors, login)
    const wanted = wantedOf(viewer, change, owner?.login ?? null)
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
          const fault = owner === null ? null : siteFault(owner, row)
          if (fault !== null) {
            refusals.push({ id: row.id, name: row.title, errors: [fault] })
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
    const before = await deps.get(viewer, id)
    const { refusals } = await apply(viewer, [id], change, false)
    const [refusal] = refusals
    if (refusal === undefined) return deps.get(viewer, id)
    const why = refusal.errors.join(' ')
    throw before.closedAt === null ? invalidField('owner', why) : conflict(why)
  }

  const placeOf = async (viewer: Viewer, id: number): Promise<ActedOn> => {
    const { siteId, hostId } = await deps.get(viewer, id)
    return { siteId, tags: monitoring.model.hosts.get(hostId ?? 0)?.facts.tags ?? '' }
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
    /** Of one thing those who may act on it; of many those who may act on some of what the viewer sees. */
    async owners(viewer: Viewer, one: OwnersOf | null) {
      if (one === null) return ownersFor(actors, monitoring, viewer, undefined)
      const on = one.of === 'incident' ? await placeOf(viewer, one.id) : placeOfObject(monitoring, viewer, one)
      if (on === undefined) throw notFound('Cet objet n’existe pas.')
      return ownersFor(actors, monitoring, viewer, on)
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
          incident.acknowledged_comment, incident.acknowledged_sticky, incident.acknowledged_until, incident.owner,
          site.id as site_id, site.name as site_name, host.name as host_name, host.tags_folded as host_tags
          from incident left join metric on metric.id = incident.metric_id left join host on host.id = metric.host_id
          left join probe on probe.id = incident.probe_id
          left join site on site.id = coalesce(host.site_id, incident.site_id) where incident.id in (${sql.join(ids)}) order by incident.id`.execute(
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
