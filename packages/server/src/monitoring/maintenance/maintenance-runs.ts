import type { MaintenanceReport } from '@narval/contracts'
import type { MaintenanceRunState } from '@narval/engine'
import type { Database } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import type { MetricEntry, Model } from '../fleet/model.ts'
import { insertIncidentEvents, type NewIncidentEvent } from '../incident/incident-log.ts'
import type { Alert } from '../monitoring.store.ts'
import { insertOutbox, type OutboxEntry } from '../monitoring.store.ts'
import { badAtStart, endRun, insertRun, type OpenRun, type StoredMaintenance } from './maintenance.store.ts'
import { activeMetrics, type Cover, isBad, reportOn } from './maintenance-cover.ts'

type Named = Pick<StoredMaintenance, 'id' | 'comment' | 'author' | 'flexibleMs'>

/** Writes that a maintenance began, with what was wrong then, and tells the incidents that it covers. */
export const beginRun = async (
  { database, model }: { readonly database: Database; readonly model: Model },
  held: Named,
  run: MaintenanceRunState,
  cover: Cover,
): Promise<OpenRun> => {
  const metrics = activeMetrics(model, cover)
  // The problem that one waited for came with it, not before.
  const beforeMs = held.flexibleMs === null ? run.startedMs + 1 : run.startedMs
  const bad = metrics.filter(metric => isBad(metric) && metric.state.hardSinceMs < beforeMs)
  const id = await transaction(database.db, async trx => {
    const runId = await insertRun(trx, held, run, cover, idsOf(bad))
    const text = `En maintenance\u202f: ${held.comment}`
    await insertIncidentEvents(trx, linesOf(metrics, runId, 'maintenance-started', run.startedMs, held.author, text))
    return runId
  })
  return { ...run, id }
}

export interface RunEnd {
  readonly endedMs: number
  readonly endedBy: string | null
  /** It has no page any more. */
  readonly isDeleted?: boolean | undefined
}

/** Writes that it ended with its report, once; what did not come back is an alert for all. @returns that alert. */
export const finishRun = async (
  { database, model }: { readonly database: Database; readonly model: Model },
  held: Named,
  run: OpenRun,
  { endedMs, endedBy, isDeleted }: RunEnd,
  cover: Cover,
): Promise<Alert | null> => {
  const metrics = activeMetrics(model, cover)
  return transaction(database.db, async trx => {
    const report = reportOn(metrics, await badAtStart(trx, run.id))
    if (!(await endRun(trx, { id: run.id, endedMs, endedBy, report }, cover))) return null
    const text = `La maintenance est terminée\u202f: ${held.comment}`
    await insertIncidentEvents(trx, linesOf(metrics, run.id, 'maintenance-ended', endedMs, endedBy, text))
    if (report.brokenCount === 0) return null
    const entry = reportAlert(held, { runId: run.id, report, atMs: endedMs, isDeleted })
    const id = await insertOutbox(trx, entry)
    return id === null ? null : { ...entry, id }
  })
}

const idsOf = (metrics: readonly MetricEntry[]): number[] => metrics.map(({ id }) => id)

/** A window that is known to have begun: its line in timelines has a key of its own. */
export interface RecordedWindow {
  readonly runId: number
  readonly comment: string
  readonly author: string | null
}

/** A window is told once to each incident, whether it was open when it began or opened meanwhile. */
export const maintenanceKey = (
  kind: 'maintenance-started' | 'maintenance-ended',
  runId: number,
  incidentId: number,
): string => `${kind}:${runId}:${incidentId}`

const linesOf = (
  metrics: readonly MetricEntry[],
  runId: number,
  kind: 'maintenance-started' | 'maintenance-ended',
  atMs: number,
  actor: string | null,
  text: string,
): NewIncidentEvent[] => {
  const incidents = new Set(metrics.flatMap(({ incidentId }) => incidentId ?? []))
  return [...incidents].map(incidentId => ({
    key: maintenanceKey(kind, runId, incidentId),
    incidentId,
    atMs,
    kind,
    actor,
    text,
  }))
}

/** « Fin de maintenance : 3 métriques ne sont pas revenues » */
const reportAlert = (
  { id, comment }: Named,
  end: {
    readonly runId: number
    readonly report: MaintenanceReport
    readonly atMs: number
    readonly isDeleted: boolean | undefined
  },
): OutboxEntry => {
  const { broken, brokenCount } = end.report
  const gravest = broken[0]?.severity ?? 'warning'
  const what = brokenCount === 1 ? '1 métrique n’est pas revenue' : `${brokenCount} métriques ne sont pas revenues`
  const first = broken.slice(0, 3).map(({ name }) => name)
  return {
    eventKey: `maintenance-report:${end.runId}`,
    atMs: end.atMs,
    severity: gravest,
    type: gravest === 'error' ? 'Error' : 'Warning',
    title: `Fin de maintenance\u202f: ${what}`,
    message: [comment, ...first, ...(brokenCount > 3 ? ['…'] : [])].join(' · '),
    link: `/dashboard/live-view/maintenance${end.isDeleted === true ? '' : `/${id}`}`,
    incidentId: null,
  }
}
