import type { ChainLink } from '@narval/contracts'
import { compareSeverity, type MetricEvent } from '@narval/engine'
import type { Db } from '../../store/database.ts'
import type { Turn } from '../../turns.ts'
import { rootIncident } from '../dependency.ts'
import type { MetricEntry } from '../fleet/model.ts'
import type { Effects } from '../judge-metric.ts'
import { maintenanceKey, type RecordedWindow } from '../maintenance/maintenance-runs.ts'
import { type Alert, changeIncident, closeIncident, insertOutbox, openIncident } from '../monitoring.store.ts'
import { linkOpinions } from '../probe/second-opinion.store.ts'
import { ALERT_TYPES_BY_SEVERITY, alertText, incidentTitle } from '../texts.ts'
import { endAtReopening, endUnlessSticky } from './acknowledgement.store.ts'
import { isEndOfFlapping, isFlappingEvent, saveFlapping } from './flapping-incident.ts'
import { insertIncidentEvents, type NewIncidentEvent } from './incident-log.ts'
import { separateAtEnd, separateIncident } from './incident-merge.ts'
import { createReopening, type Reopening } from './incident-reopening.ts'

/** What is known of an incident besides its own metric. */
export interface IncidentSurroundings {
  /** Whether what happens to a metric at this instant is told to nobody. */
  readonly isMuted: (metric: MetricEntry, atMs: number) => boolean
  /** The maintenance that has begun and covers a metric at this instant. */
  readonly runOver: (metric: MetricEntry, atMs: number) => RecordedWindow | null
  /** Why it is red, as it is known now. */
  readonly chainOf: (metric: MetricEntry) => readonly ChainLink[]
}

/** What the rows of incidents change in memory, once they are there for good. */
export interface IncidentsSaved {
  readonly alerts: Alert[]
  readonly unacknowledged: MetricEntry[]
  /** Incidents that stand for themselves again, by hand or by themselves. */
  readonly separated: Set<number>
  /** All that something happened to. */
  readonly touched: Set<number>
}

type Told = Effects['events'][number]

/** The place of an incident in the console. */
export const incidentLink = (id: number): string => `/dashboard/live-view/incident/${id}`

/** Writes what the events of an evaluation do to incidents, with their timelines and alerts, in their order. */
export const saveIncidents = async (
  trx: Db,
  events: readonly Told[],
  { isMuted, runOver, chainOf }: IncidentSurroundings,
  turn: Turn,
): Promise<IncidentsSaved> => {
  const saved: IncidentsSaved = { alerts: [], unacknowledged: [], separated: new Set(), touched: new Set() }
  const [lines, after]: [NewIncidentEvent[], NewIncidentEvent[]] = [[], []]
  const reopening = await createReopening(trx, events.filter(isOpening))
  for (const told of events) {
    const { metric, event, key } = told
    // Most events of a storm concern no incident: their words would be written for nobody.
    if (metric.incidentId === null && !isOpening(told)) continue
    await turn()
    const { title, message } = alertText(metric, event)
    let line: NewIncidentEvent | null = null
    if (isOpening(told)) line = await open(trx, told, message, reopening, saved, after)
    else if (metric.incidentId === null) continue
    else if (event.type === 'incident-changed') {
      await changeIncident(trx, metric.incidentId, event.to, message)
      const change = { incidentId: metric.incidentId, key, atMs: event.atMs, severity: event.to }
      const ended = await endUnlessSticky(trx, change)
      if (ended !== null) {
        saved.unacknowledged.push(metric)
        after.push(ended)
      }
    } else if (event.type === 'incident-closed') {
      await closeIncident(trx, metric.incidentId, event.atMs)
      const name = incidentTitle(metric)
      for (const id of await separateAtEnd(trx, metric.incidentId, name, event.atMs)) saved.separated.add(id)
    } else if (isBadAgain(told)) {
      if (!(await standAlone(trx, told))) continue
      saved.separated.add(metric.incidentId)
      await changeIncident(trx, metric.incidentId, event.to, message)
    } else if (!isFlappingEvent(event)) continue
    if (metric.incidentId === null) continue
    saved.touched.add(metric.incidentId)
    if (isFlappingEvent(event)) await saveFlapping(trx, metric.incidentId, event, message)
    if (event.type === 'incident-closed' || isEndOfFlapping(event))
      reopening.ended(metric, metric.incidentId, event.atMs)
    if (line !== null) lines.push({ ...line, detail: { chain: chainOf(metric) } })
    if (line !== null) lines.push(...maintenanceLine(line, runOver(metric, event.atMs)))
    if (!isBadAgain(told) && (line === null || isFlappingEvent(event)))
      lines.push(lineOf(event, key, metric.incidentId, message))
    const isExplained = metric.explainedBy !== null && !saved.separated.has(metric.incidentId)
    // What another incident explains is told with it: it ends without a word of its own.
    if (isExplained || isAboutToMerge(metric) || isMuted(metric, event.atMs)) continue
    const entry = {
      ...{
        eventKey: key,
        atMs: event.atMs,
        severity: event.to,
        type: ALERT_TYPES_BY_SEVERITY[event.to],
        title,
        message,
      },
      ...{ link: incidentLink(metric.incidentId), incidentId: metric.incidentId },
    }
    const id = await insertOutbox(trx, entry)
    if (id !== null) saved.alerts.push({ ...entry, id })
  }
  await insertIncidentEvents(trx, [...lines, ...after], turn)
  return saved
}

const isOpening = ({ event }: Told): boolean => event.type === 'incident-opened' || event.opens === true

/** What is told to nobody says why. */
const maintenanceLine = (
  { incidentId, atMs }: NewIncidentEvent,
  window: RecordedWindow | null,
): readonly NewIncidentEvent[] =>
  window === null
    ? []
    : [
        {
          ...{ key: maintenanceKey('maintenance-started', window.runId, incidentId), incidentId, atMs },
          ...{ kind: 'maintenance-started', actor: window.author },
          text: `Ouvert pendant la maintenance «\u202f${window.comment}\u202f».`,
        },
      ]

/** Failed by all its attempts since it could be reached again. */
const isBadAgain = ({ metric, event }: Told): boolean =>
  event.type === 'hard-changed' && event.to !== 'unknown' && event.to !== 'ok' && metric.explainedBy !== null

/** Its incident will be explained by another one before this commit ends. */
const isAboutToMerge = (metric: MetricEntry): boolean =>
  metric.state.hardCause === 'host-unreachable' && rootIncident(metric.scanner.host) !== null

/** Opens the incident of a metric, or the one that ended a short while ago; its first line. */
const open = async (
  trx: Db,
  { metric, event, key }: Told,
  information: string,
  reopening: Reopening,
  saved: IncidentsSaved,
  after: NewIncidentEvent[],
): Promise<NewIncidentEvent> => {
  const { atMs, to: severity } = event
  const lineKey = event.type === 'incident-opened' ? key : `${key}:opened`
  const again = reopening.of(metric, lineKey, atMs)
  metric.explainedBy = null
  if (again === null)
    metric.incidentId = await openIncident(trx, { eventKey: key, metric, severity, information, openedMs: atMs })
  else {
    metric.incidentId = again.id
    if (!again.isWritten) await reopening.write(again.id, atMs, severity, information)
    const ended = await endAtReopening(trx, { incidentId: again.id, key, atMs, severity })
    if (ended !== null) {
      saved.unacknowledged.push(metric)
      after.push(ended)
    }
  }
  if (metric === metric.scanner.host.life && event.problemSinceMs !== null)
    await linkOpinions(trx, metric.id, event.problemSinceMs, metric.incidentId)
  const kind = again === null ? 'opened' : 'reopened'
  return { key: lineKey, incidentId: metric.incidentId, atMs, severity, text: information, kind }
}

/** What was explained by another incident, and is still bad though it can be reached, is told again. */
const standAlone = async (trx: Db, { metric, event }: Told): Promise<boolean> => {
  const { incidentId, explainedBy } = metric
  if (incidentId === null || explainedBy === null) return false
  const row = await trx
    .selectFrom('incident')
    .select(['parent_id', 'merged_by'])
    .where('id', '=', incidentId)
    .executeTakeFirst()
  // Who merged it by hand knows why.
  if (row === undefined || row.parent_id === null || row.merged_by !== null) return false
  await separateIncident(trx, {
    ...{ id: incidentId, rootId: row.parent_id, title: incidentTitle(metric), atMs: event.atMs, actor: null },
    text: 'L’équipement peut de nouveau être joint, et le problème dure.',
  })
  return true
}

/** What the timeline of an incident says of a change. */
const lineOf = (event: MetricEvent, key: string, incidentId: number, text: string): NewIncidentEvent => ({
  ...{ key, incidentId, atMs: event.atMs, severity: event.to, text },
  kind:
    event.type === 'flapping-started' || event.type === 'flapping-ended'
      ? event.type
      : event.type === 'incident-closed'
        ? 'closed'
        : compareSeverity(event.to, event.from) < 0
          ? 'worsened'
          : 'eased',
})
