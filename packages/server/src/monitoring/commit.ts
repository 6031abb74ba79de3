import type { Database } from '../store/database.ts'
import { insertEvents } from './event-log.ts'
import type { HostEntry, MetricEntry, Model, SiteEntry } from './fleet/model.ts'
import type { Noted, StateHistory } from './history/state-history.ts'
import { countSite, judgeHost } from './host-roll-up.ts'
import { type Blinding, type BlindingChange, touchedBy } from './incident/blinding.ts'
import { type IncidentSurroundings, type IncidentsSaved, saveIncidents } from './incident/incident-commit.ts'
import { type CutsSaved, saveCuts } from './incident/incident-effect.ts'
import type { Effects } from './judge-metric.ts'
import { saveLate } from './late-runs.ts'
import { type Alert, existingMetrics, saveHostState, savePosition, saveStates } from './monitoring.store.ts'

/** What the hubs are to be told after the commit. */
export interface Committed {
  readonly metrics: readonly MetricEntry[]
  readonly hosts: readonly HostEntry[]
  readonly sites: readonly SiteEntry[]
  /** Hosts that can be reached again. */
  readonly released: readonly HostEntry[]
  readonly alerts: readonly Alert[]
  /** Those that opened, changed or ended, or whose effects did. */
  readonly incidents: readonly number[]
  /** True when a confirmed state changed: said at once; the rest waits its turn. */
  readonly hard: boolean
}

export interface CommitDeps extends IncidentSurroundings {
  readonly database: Database
  readonly model: Model
  readonly history: Pick<StateHistory, 'write' | 'committed'>
  readonly blinding: Pick<Blinding, 'save' | 'remember'>
}

/**
 * Writes states, incidents, outbox and the position reached, in one transaction (rule 5). Called again with the same
 * effects after a failure, it ends in the same rows.
 */
export const commitEffects = async (
  deps: CommitDeps,
  effects: Effects,
  applied: number | null,
  nowMs: number,
): Promise<Committed> => {
  const moved = rollUp(effects, nowMs)
  const isEmpty =
    effects.received.length + effects.late.length + effects.states.size + effects.events.length === 0 &&
    moved.hosts.length === 0 &&
    applied === null
  const saved = isEmpty ? null : await write(deps, effects, moved.hosts, applied, nowMs)
  if (saved !== null) {
    remember(deps.model, effects, saved)
    deps.blinding.remember(saved.blinded)
    deps.history.committed(saved.noted)
  }
  return {
    ...{ metrics: [...effects.fresh], ...moved, released: [...effects.released], alerts: saved?.alerts ?? [] },
    incidents: saved === null ? [] : [...saved.touched],
    hard: effects.hosts.size > 0,
  }
}

type Saved = IncidentsSaved & CutsSaved & { readonly noted: Noted; readonly blinded: BlindingChange }

const write = (
  deps: CommitDeps,
  effects: Effects,
  hosts: readonly HostEntry[],
  applied: number | null,
  nowMs: number,
): Promise<Saved> =>
  deps.database.db.transaction().execute(async trx => {
    const exists = await existingMetrics(
      trx,
      [...effects.states].map(metric => metric.id),
    )
    const events = effects.events.filter(({ metric }) => exists.has(metric.id))
    const incidents = await saveIncidents(trx, events, deps)
    await saveStates(
      trx,
      [...effects.states].filter(metric => exists.has(metric.id)),
      nowMs,
    )
    const cuts = await saveCuts(trx, effects, hosts, nowMs, metric => ({ chain: deps.chainOf(metric) }))
    const blinded = await deps.blinding.save(trx, effects, nowMs)
    for (const host of hosts) await saveHostState(trx, host)
    const noted = await deps.history.write(trx, effects, hosts, exists, nowMs)
    await insertEvents(trx, deps.model, effects.received)
    await saveLate(trx, effects.late)
    if (applied !== null) await savePosition(trx, 'applied', applied)
    for (const [id, rootId] of cuts.merged) incidents.touched.add(id).add(rootId)
    for (const [host, incidentId] of cuts.cuts)
      for (const id of [host.cutBy, incidentId]) if (id !== null) incidents.touched.add(id)
    for (const id of touchedBy(blinded)) incidents.touched.add(id)
    return { ...incidents, ...cuts, noted, blinded }
  })

/** Memory follows only after the commit: a transaction tried again must find the incidents that it is to close. */
const remember = (model: Model, effects: Effects, { unacknowledged, separated, merged, cuts }: Saved): void => {
  for (const metric of unacknowledged) metric.acknowledged = false
  for (const [host, incidentId] of cuts) host.cutBy = incidentId
  for (const { metric } of effects.events) {
    if (metric.state.incident !== null) continue
    metric.incidentId = null
    metric.explainedBy = null
    metric.acknowledged = false
  }
  if (separated.size + merged.size === 0) return
  for (const metric of model.metrics.values()) {
    if (metric.incidentId === null) continue
    const rootId = merged.get(metric.incidentId) ?? merged.get(metric.explainedBy ?? 0)
    if (rootId !== undefined) metric.explainedBy = rootId
    else if (separated.has(metric.incidentId)) metric.explainedBy = null
  }
}

/** Judges again the hosts that may have changed, and the sites of those that did. */
const rollUp = (effects: Effects, nowMs: number): { hosts: HostEntry[]; sites: SiteEntry[] } => {
  const hosts: HostEntry[] = []
  const sites = new Set<SiteEntry>()
  for (const host of effects.hosts) {
    const { state, severity, counts } = judgeHost(host)
    host.counts = counts
    if (state !== host.state || severity !== host.severity) {
      // A replay finds the moment again at which it was judged first.
      if (state !== host.state) host.sinceMs = effects.changedMs.get(host) ?? nowMs
      host.state = state
      host.severity = severity
      sites.add(host.site)
    }
    hosts.push(host)
  }
  for (const site of sites) site.counts = countSite(site)
  return { hosts, sites: [...sites] }
}
