import { type MetricEvent, type Severity, severityRank } from '@narval/engine'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import type { MetricEntry } from '../fleet/model.ts'
import { changeIncident } from '../monitoring.store.ts'

interface Opening {
  readonly metric: MetricEntry
  readonly event: MetricEvent
  readonly key: string
}

export interface Reopening {
  /** An incident of the metric ends in this very commit: what comes back after it is the same one too. */
  ended(metric: MetricEntry, id: number, atMs: number): void
  /** The incident that is to be opened again in place of a new one; `isWritten`: it was, when this was judged before. */
  of(metric: MetricEntry, lineKey: string, atMs: number): { readonly id: number; readonly isWritten: boolean } | null
  write(id: number, atMs: number, severity: Severity, information: string): Promise<unknown>
}

/**
 * Since when an incident fails without a break, epoch ms: its last reopening, else its opening. Everything that says
 * « depuis », reminds or escalates counts from here: it was fine in between.
 */
export const failsSince = (row: { readonly opened_at: number; readonly reopened_at: number | null }): number =>
  row.reopened_at ?? row.opened_at

/** Finds what ended a short while ago of the metrics whose incidents open, by two questions whatever their number. */
export const createReopening = async (trx: Db, openings: readonly Opening[]): Promise<Reopening> => {
  const ended = new Map<number, { readonly id: number; readonly closedMs: number }>()
  const written = new Map<string, number>()
  for (const some of batches(openings)) {
    const ids = some.map(({ metric }) => metric.id)
    const sinceMs = Math.min(...some.map(({ metric, event }) => event.atMs - spanOf(metric)))
    const rows = await trx
      .selectFrom('incident')
      .select(['id', 'metric_id', 'closed_at'])
      .where('metric_id', 'in', ids)
      .where('closed_at', '>=', sinceMs)
      .orderBy('closed_at')
      .orderBy('id')
      .execute()
    for (const { id, metric_id, closed_at } of rows)
      if (metric_id !== null && closed_at !== null) ended.set(metric_id, { id, closedMs: closed_at })
    const keys = some.flatMap(({ key }) => [key, `${key}:opened`])
    const lines = await trx
      .selectFrom('incident_event')
      .select(['event_key', 'incident_id'])
      .where('event_key', 'in', keys)
      .where('kind', '=', 'reopened')
      .execute()
    for (const { event_key, incident_id } of lines) written.set(event_key, incident_id)
  }
  return {
    ended(metric, id, atMs) {
      ended.set(metric.id, { id, closedMs: atMs })
    },
    of(metric, lineKey, atMs) {
      const before = written.get(lineKey)
      if (before !== undefined) return { id: before, isWritten: true }
      const last = ended.get(metric.id)
      return last !== undefined && atMs - last.closedMs < spanOf(metric) ? { id: last.id, isWritten: false } : null
    },
    async write(id, atMs, severity, information) {
      await trx
        .updateTable('incident')
        .set(({ eb }) => ({
          closed_at: null,
          parent_id: null,
          merged_at: null,
          merged_by: null,
          reopened: eb('reopened', '+', 1),
          reopened_at: atMs,
          severity_rank: severityRank(severity),
        }))
        .where('id', '=', id)
        .execute()
      return changeIncident(trx, id, severity, information)
    },
  }
}

const spanOf = (metric: MetricEntry): number => metric.rules.reopenMinutes * 60_000
