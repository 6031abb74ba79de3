import type { IncidentEventKind } from '@narval/contracts'
import type { Logger } from 'pino'
import { batches } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import type { Evaluation } from '../evaluation.ts'
import type { MetricEntry, Model } from '../fleet/model.ts'
import type { Publisher } from '../publisher.ts'
import { NOT_ACKNOWLEDGED } from './acknowledgement.store.ts'
import { insertIncidentEvents } from './incident-log.ts'

/** How often it is seen whether an acknowledgement has come to its end. */
const LOOK_EVERY_MS = 1_000

export interface AcknowledgementDeps {
  readonly database: Database
  readonly model: Model
  readonly evaluation: Evaluation
  readonly publisher: Publisher
  /** How many one lasts where nothing nearer says it. */
  readonly hours: () => number
  readonly now: () => number
  readonly log: Logger
}

export interface Acknowledgements {
  /** When one that is given now ends, epoch ms, where nobody says otherwise; `metricId`: what the incident is about. */
  endOf(metricId: number | null): number
  /** Those that end; also of those whose time came while the server was down. */
  pass(): Promise<void>
  /** Incidents were acknowledged, given back or taken on: memory, lists and hubs follow. `untilMs`: the first end among them. */
  changed(incidentIds: readonly number[], untilMs: number | null): Promise<void>
  start(): Promise<void>
  stop(): void
}

/** Ends acknowledgements at their time, and keeps what monitoring holds in memory of them as the database has it. */
export const createAcknowledgements = (deps: AcknowledgementDeps): Acknowledgements => {
  const { database, now, log } = deps
  let nextMs = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let passing: Promise<void> = Promise.resolve()

  const foresee = async (): Promise<void> => {
    const row = await database.db
      .selectFrom('incident')
      .select(eb => eb.fn.min('acknowledged_until').as('until'))
      .where('closed_at', 'is', null)
      .where('acknowledged_at', 'is not', null)
      .executeTakeFirst()
    nextMs = row?.until == null ? Number.POSITIVE_INFINITY : Number(row.until)
  }
  const changed = async (incidentIds: readonly number[], untilMs: number | null): Promise<void> => {
    if (untilMs !== null) nextMs = Math.min(nextMs, untilMs)
    if (incidentIds.length === 0) return
    const metrics = await follow(deps, incidentIds)
    deps.publisher.changed({ entity: 'incident', ids: incidentIds, action: 'updated' })
    deps.publisher.changed({ entity: 'metric', ids: metrics.map(({ id }) => id), action: 'updated' })
    deps.publisher.touched([])
  }
  const end = async (): Promise<void> => {
    if (nextMs > now()) return
    const ended = await endDue(database, now())
    await foresee()
    await changed(ended, null)
  }
  const pass = (): Promise<void> => {
    passing = passing.catch(() => undefined).then(end)
    return passing
  }

  return {
    endOf: metricId => {
      const metric = metricId === null ? undefined : deps.model.metrics.get(metricId)
      return now() + (metric?.rules.acknowledgeHours ?? deps.hours()) * 3_600_000
    },
    pass,
    changed,
    async start() {
      await foresee()
      await pass()
      timer = setInterval(
        () => void pass().catch(error => log.error({ err: error }, 'acknowledgements were not ended')),
        LOOK_EVERY_MS,
      )
    },
    stop() {
      if (timer !== null) clearInterval(timer)
    },
  }
}

/** Ends those whose time has come, each with its line. @returns their incidents. */
const endDue = (database: Database, nowMs: number): Promise<number[]> =>
  transaction(database.db, async trx => {
    const due = await trx
      .selectFrom('incident')
      .select(['id', 'acknowledged_by', 'acknowledged_until', 'severity_rank'])
      .where('closed_at', 'is', null)
      .where('acknowledged_at', 'is not', null)
      .where('acknowledged_until', '<=', nowMs)
      .execute()
    for (const some of batches(due)) {
      await trx
        .updateTable('incident')
        .set(NOT_ACKNOWLEDGED)
        .where(
          'id',
          'in',
          some.map(({ id }) => id),
        )
        .execute()
      await insertIncidentEvents(
        trx,
        some.map(row => ({
          key: `acknowledgement-end:${row.id}:${row.acknowledged_until}`,
          incidentId: row.id,
          atMs: row.acknowledged_until ?? nowMs,
          kind: 'acknowledgement-expired' satisfies IncidentEventKind,
          text: `L’acquittement de ${row.acknowledged_by} est arrivé à son terme.`,
        })),
      )
    }
    return due.map(({ id }) => id)
  })

/** Reads again what is acknowledged, between two evaluations, so that the order of what was written meanwhile does not count. */
const follow = async (deps: AcknowledgementDeps, incidentIds: readonly number[]): Promise<MetricEntry[]> => {
  const metrics: MetricEntry[] = []
  await deps.evaluation.alone(async () => {
    for (const ids of batches(incidentIds)) {
      const rows = await deps.database.db
        .selectFrom('incident')
        .select(['id', 'metric_id', 'acknowledged_at'])
        .where('id', 'in', ids)
        .execute()
      for (const row of rows) {
        const metric = row.metric_id === null ? undefined : deps.model.metrics.get(row.metric_id)
        if (metric?.incidentId !== row.id) continue
        metric.acknowledged = row.acknowledged_at !== null
        metrics.push(metric)
      }
    }
  })
  await deps.evaluation.between(effects => {
    for (const metric of metrics) {
      effects.fresh.add(metric)
      effects.hosts.add(metric.scanner.host)
    }
  })
  return metrics
}
