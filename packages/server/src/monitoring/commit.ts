import { batches } from '../store/batches.ts'
import type { Database } from '../store/database.ts'
import type { Turn } from '../turns.ts'
import { insertEvents } from './event-log.ts'
import type { HostEntry, MetricEntry, Model, SiteEntry } from './fleet/model.ts'
import type { Noted, StateHistory } from './history/state-history.ts'
import { countSite, judgeHost } from './host-roll-up.ts'
import { type Blinding, type BlindingChange, touchedBy } from './incident/blinding.ts'
import { type IncidentSurroundings, type IncidentsSaved, saveIncidents } from './incident/incident-commit.ts'
import { type CutsSaved, saveCuts } from './incident/incident-effect.ts'
import type { Effects } from './judge-metric.ts'
import { saveLate } from './late-runs.ts'
import { type Alert, savePosition } from './monitoring.store.ts'
import { existingMetrics, saveHostStates, saveStates } from './state-rows.ts'

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
 * Writes states, incidents, outbox and the position reached, in one transaction (rule 5), others having the event loop in
 * between. Called again with the same effects after a failure, it ends in the same rows.
 */
export const commitEffects = async (
  deps: CommitDeps,
  effects: Effects,
  applied: number | null,
  nowMs: number,
  turn: Turn,
): Promise<Committed> => {
  const moved = await rollUp(effects, nowMs, turn)
  const isEmpty =
    effects.received.length + effects.late.length + effects.states.size + effects.events.length === 0 &&
    moved.hosts.length === 0 &&
    applied === null
  const saved = isEmpty ? null : await write(deps, effects, moved.hosts, applied, nowMs, turn)
  if (saved !== null) {
    remember(deps.model, effects, saved)
    deps.blinding.remember(saved.blinded)
    const { moves, hosts } = saved.noted
    for (const some of batches(moves, AT_ONCE)) {
      deps.history.committed({ moves: some, hosts: NO_HOSTS })
      await turn()
    }
    deps.history.committed({ moves: [], hosts })
  }
  return {
    ...{ metrics: [...effects.fresh], ...moved, released: [...effects.released], alerts: saved?.alerts ?? [] },
    incidents: saved === null ? [] : [...saved.touched],
    hard: effects.hosts.size > 0,
  }
}

/** Hosts or changes that are looked at between two turns of the event loop. */
const AT_ONCE = 256
const NO_HOSTS: ReadonlyMap<number, number> = new Map()

type Saved = IncidentsSaved & CutsSaved & { readonly noted: Noted; readonly blinded: BlindingChange }

const write = (
  deps: CommitDeps,
  effects: Effects,
  hosts: readonly HostEntry[],
  applied: number | null,
  nowMs: number,
  turn: Turn,
): Promise<Saved> =>
  deps.database.db.transaction().execute(async trx => {
    const exists = await existingMetrics(
      trx,
      [...effects.states].map(metric => metric.id),
      turn,
    )
    const events = effects.events.filter(({ metric }) => exists.has(metric.id))
    const incidents = await saveIncidents(trx, events, deps, turn)
    const states = [...effects.states].filter(metric => exists.has(metric.id))
    await saveStates(trx, states, nowMs, turn)
    const cuts = await saveCuts(trx, effects, hosts, nowMs, metric => ({ chain: deps.chainOf(metric) }), turn)
    const blinded = await deps.blinding.save(trx, effects, nowMs)
    await saveHostStates(trx, hosts, turn)
    const noted = await deps.history.write(trx, effects, hosts, exists, nowMs, turn)
    await insertEvents(trx, deps.model, effects.received, turn)
    await saveLate(trx, effects.late, turn)
    if (applied !== null) await savePosition(trx, 'applied', applied)
    for (const [id, rootId] of cuts.merged) incidents.touched.add(id).add(rootId)
    for (const [host, incidentId] of cuts.cuts)
      for (const id of [host.cutBy, incidentId]) if (id !== null) incidents.touched.add(id)
    for (const id of touchedBy(blinded)) incidents.touched.add(id)
    await turn()
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
const rollUp = async (
  effects: Effects,
  nowMs: number,
  turn: Turn,
): Promise<{ hosts: HostEntry[]; sites: SiteEntry[] }> => {
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
    if (hosts.length % AT_ONCE === 0) await turn()
  }
  for (const site of sites) {
    site.counts = countSite(site)
    await turn()
  }
  return { hosts, sites: [...sites] }
}
