import { compareSeverity, type MetricEvent } from '@narval/engine'
import type { Database } from '../store/database.ts'
import { endUnlessSticky } from './acknowledgement.ts'
import { insertEvents } from './event-log.ts'
import { isFlappingEvent, saveFlapping } from './flapping-incident.ts'
import { countSite, judgeHost } from './host-roll-up.ts'
import { insertIncidentEvents, type NewIncidentEvent } from './incident-log.ts'
import type { Effects } from './judge-run.ts'
import type { HostEntry, MetricEntry, Model, SiteEntry } from './model.ts'
import {
  changeIncident,
  closeIncident,
  existingMetrics,
  insertOutbox,
  type OutboxEntry,
  openIncident,
  saveHostState,
  savePosition,
  saveStates,
} from './monitoring.store.ts'
import { linkOpinions } from './second-opinion.store.ts'
import { ALERT_TYPES_BY_SEVERITY, alertText } from './texts.ts'

/** An alert that was written and is now to be pushed. */
export interface Alert extends OutboxEntry {
  readonly id: number
}

/** What the hubs are to be told after the commit. */
export interface Committed {
  readonly metrics: readonly MetricEntry[]
  readonly hosts: readonly HostEntry[]
  readonly sites: readonly SiteEntry[]
  readonly alerts: readonly Alert[]
  /** True when a confirmed state changed: said at once; the rest waits its turn. */
  readonly hard: boolean
}

/**
 * Writes states, incidents, outbox and the position reached, in one transaction (rule 5). Called again with the same
 * effects after a failure, it ends in the same rows.
 */
export const commitEffects = async (
  {
    database,
    model,
    isMuted,
  }: {
    readonly database: Database
    readonly model: Model
    /** Whether what happens to a metric at this instant is told to nobody. */
    readonly isMuted: (metric: MetricEntry, atMs: number) => boolean
  },
  effects: Effects,
  applied: number | null,
  nowMs: number,
): Promise<Committed> => {
  const moved = rollUp(effects, nowMs)
  const alerts: Alert[] = []
  const unacknowledged: MetricEntry[] = []
  if (
    effects.received.length + effects.states.size + effects.events.length > 0 ||
    moved.hosts.length > 0 ||
    applied !== null
  ) {
    await database.db.transaction().execute(async trx => {
      alerts.length = 0
      const exists = await existingMetrics(
        trx,
        [...effects.states].map(metric => metric.id),
      )
      const [lines, after]: [NewIncidentEvent[], NewIncidentEvent[]] = [[], []]
      unacknowledged.length = 0
      for (const { metric, event, key } of effects.events) {
        if (!exists.has(metric.id)) continue
        const { title, message } = alertText(metric, event)
        if (event.type === 'incident-opened' || event.opens === true) {
          metric.incidentId = await openIncident(trx, {
            eventKey: key,
            metric,
            severity: event.to,
            information: message,
            openedMs: event.atMs,
          })
          if (metric === metric.scanner.host.life && event.problemSinceMs !== null)
            await linkOpinions(trx, metric.id, event.problemSinceMs, metric.incidentId)
        } else if (event.type === 'incident-changed' && metric.incidentId !== null) {
          await changeIncident(trx, metric.incidentId, event.to, message)
          const change = { incidentId: metric.incidentId, key, atMs: event.atMs, severity: event.to }
          const ended = await endUnlessSticky(trx, change)
          if (ended !== null) {
            unacknowledged.push(metric)
            after.push(ended)
          }
        } else if (event.type === 'incident-closed' && metric.incidentId !== null)
          await closeIncident(trx, metric.incidentId, event.atMs)
        else if (!isFlappingEvent(event) || metric.incidentId === null) continue
        if (isFlappingEvent(event)) await saveFlapping(trx, metric.incidentId, event, message)
        const entry: OutboxEntry = {
          eventKey: key,
          atMs: event.atMs,
          severity: event.to,
          type: ALERT_TYPES_BY_SEVERITY[event.to],
          title,
          message,
          link: `/host/${metric.scanner.host.id}`,
          incidentId: metric.incidentId,
        }
        if (event.opens === true)
          lines.push({ ...lineOf(event, `${key}:opened`, metric.incidentId, message), kind: 'opened' })
        lines.push(lineOf(event, key, metric.incidentId, message))
        if (isMuted(metric, event.atMs)) continue
        const id = await insertOutbox(trx, entry)
        if (id !== null) alerts.push({ ...entry, id })
      }
      await insertIncidentEvents(trx, [...lines, ...after])
      await saveStates(
        trx,
        [...effects.states].filter(metric => exists.has(metric.id)),
        nowMs,
      )
      for (const host of moved.hosts) await saveHostState(trx, host)
      await insertEvents(trx, model, effects.received)
      if (applied !== null) await savePosition(trx, 'applied', applied)
    })
  }
  for (const metric of unacknowledged) metric.acknowledged = false
  // Only after the commit: a transaction tried again must find the incident that it is to close.
  for (const { metric } of effects.events) {
    if (metric.state.incident !== null) continue
    metric.incidentId = null
    metric.acknowledged = false
  }
  return { metrics: [...effects.fresh], ...moved, alerts, hard: effects.hosts.size > 0 }
}

/** What the timeline of an incident says of a change. */
const lineOf = (event: MetricEvent, key: string, incidentId: number, text: string): NewIncidentEvent => ({
  ...{ key, incidentId, atMs: event.atMs, severity: event.to, text },
  kind:
    event.type === 'flapping-started' || event.type === 'flapping-ended'
      ? event.type
      : event.type === 'incident-opened'
        ? 'opened'
        : event.type === 'incident-closed'
          ? 'closed'
          : compareSeverity(event.to, event.from) < 0
            ? 'worsened'
            : 'eased',
})

/** Judges again the hosts that may have changed, and the sites of those that did. */
const rollUp = (effects: Effects, nowMs: number): { hosts: HostEntry[]; sites: SiteEntry[] } => {
  const hosts: HostEntry[] = []
  const sites = new Set<SiteEntry>()
  for (const host of effects.hosts) {
    const { state, severity, counts } = judgeHost(host)
    host.counts = counts
    if (state !== host.state || severity !== host.severity) {
      if (state !== host.state) host.sinceMs = nowMs
      host.state = state
      host.severity = severity
      sites.add(host.site)
    }
    hosts.push(host)
  }
  for (const site of sites) site.counts = countSite(site)
  return { hosts, sites: [...sites] }
}
