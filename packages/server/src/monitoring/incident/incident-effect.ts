import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { availabilitiesOf, rootIncident } from '../dependency.ts'
import type { HostEntry, MetricEntry } from '../fleet/model.ts'
import type { Effects } from '../judge-metric.ts'
import { incidentTitle } from '../texts.ts'
import { insertIncidentEvents, type NewIncidentEvent } from './incident-log.ts'
import { mergeIncidents, namesText } from './incident-merge.ts'

/** What becomes of incidents behind a cut, once that is written. */
export interface CutsSaved {
  /** By incident: the one that explains it from now on. */
  readonly merged: Map<number, number>
  /** By host: the incident because of which it can't be reached, null: it can. */
  readonly cuts: Map<HostEntry, number | null>
}

/**
 * Merges the incidents of what can't be reached into the one at which the cut begins, and writes which hosts that one
 * makes unreachable: rows, and one line of its timeline a commit, however many they are.
 */
export const saveCuts = async (
  trx: Db,
  effects: Effects,
  hosts: readonly HostEntry[],
  nowMs: number,
  detailOf: DetailOf,
): Promise<CutsSaved> => ({
  merged: await mergeCut(trx, effects, hosts, detailOf),
  cuts: await saveEffects(trx, hosts, nowMs),
})

type DetailOf = (metric: MetricEntry) => Readonly<Record<string, unknown>>
interface Cut {
  readonly metric: MetricEntry
  readonly id: number
  readonly root: { readonly metric: MetricEntry; readonly id: number }
}

const mergeCut = async (
  trx: Db,
  effects: Effects,
  hosts: readonly HostEntry[],
  detailOf: DetailOf,
): Promise<Map<number, number>> => {
  const candidates = new Set([...effects.states, ...hosts.filter(hasParents).flatMap(availabilitiesOf)])
  const cuts = [...candidates].flatMap(cutOf)
  const merged = new Map<number, number>()
  if (cuts.length === 0) return merged
  const kept = await mergedByHand(
    trx,
    cuts.map(({ id }) => id),
  )
  for (const [rootId, some] of Map.groupBy(
    cuts.filter(({ id }) => !kept.has(id)),
    ({ root }) => root.id,
  )) {
    const [first] = some
    if (first === undefined) continue
    const details = new Map(some.map(({ id, metric }) => [id, metric]))
    await mergeIncidents(trx, {
      ...{ rootId, rootTitle: incidentTitle(first.root.metric), actor: null },
      // Recorded with what was judged: the same when it is written again.
      atMs: Math.max(...some.map(({ metric }) => metric.state.sinceMs)),
      merged: some.map(({ id, metric }) => ({ id, title: incidentTitle(metric) })),
      detail: id => {
        const metric = details.get(id)
        return metric === undefined ? {} : detailOf(metric)
      },
    })
    for (const { id } of some) merged.set(id, rootId)
  }
  return merged
}

const hasParents = ({ parents }: HostEntry): boolean => parents.length > 0

/** An open incident of what can't be reached, with the one that explains it and is not known to yet. */
const cutOf = (metric: MetricEntry): Cut[] => {
  const { incidentId: id, state, explainedBy } = metric
  if (id === null || state.hardCause !== 'host-unreachable' || state.kind !== 'hard') return []
  const root = rootIncident(metric.scanner.host)
  return root === null || root.id === id || root.id === explainedBy ? [] : [{ metric, id, root }]
}

/** Who merged an incident by hand knows better. */
const mergedByHand = async (trx: Db, ids: readonly number[]): Promise<Set<number>> => {
  const found = new Set<number>()
  for (const some of batches(ids)) {
    const rows = await trx
      .selectFrom('incident')
      .select('id')
      .where('id', 'in', some)
      .where('merged_by', 'is not', null)
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}

/** Hosts that can't be reached, or can again, each with its row. */
const saveEffects = async (
  trx: Db,
  hosts: readonly HostEntry[],
  nowMs: number,
): Promise<Map<HostEntry, number | null>> => {
  const cuts = new Map<HostEntry, number | null>()
  for (const host of hosts) {
    const wanted = host.state === 'unreachable' ? (rootIncident(host)?.id ?? host.cutBy) : null
    if (wanted !== host.cutBy) cuts.set(host, wanted)
  }
  if (cuts.size === 0) return cuts
  const open = await openEffects(trx, [...cuts.keys()])
  const lines: NewIncidentEvent[] = []
  for (const [incidentId, some] of Map.groupBy(cuts.keys(), host => cuts.get(host) ?? null)) {
    if (incidentId === null) {
      await endEffects(trx, some, nowMs)
      for (const [cutBy, back] of Map.groupBy(some, host => host.cutBy))
        if (cutBy !== null) lines.push(effectLine(cutBy, 'reachable', back, nowMs))
      continue
    }
    const moved = some.filter(({ id }) => open.has(id))
    const fresh = some.filter(({ id }) => !open.has(id))
    for (const part of batches(moved))
      await trx
        .updateTable('incident_effect')
        .set({ incident_id: incidentId })
        .where('host_id', 'in', idsOf(part))
        .where('kind', '=', 'cut')
        .where('until', 'is', null)
        .execute()
    for (const part of batches(fresh))
      await trx
        .insertInto('incident_effect')
        .values(part.map(({ id, sinceMs }) => ({ incident_id: incidentId, host_id: id, since: sinceMs, until: null })))
        .execute()
    lines.push(effectLine(incidentId, 'unreachable', some, nowMs))
  }
  await insertIncidentEvents(trx, lines)
  return cuts
}

const idsOf = (hosts: readonly HostEntry[]): number[] => hosts.map(({ id }) => id)

const openEffects = async (trx: Db, hosts: readonly HostEntry[]): Promise<Set<number>> => {
  const found = new Set<number>()
  for (const part of batches(idsOf(hosts))) {
    const rows = await trx
      .selectFrom('incident_effect')
      .select('host_id')
      .where('host_id', 'in', part)
      .where('kind', '=', 'cut')
      .where('until', 'is', null)
      .execute()
    for (const { host_id } of rows) found.add(host_id)
  }
  return found
}

const endEffects = async (trx: Db, hosts: readonly HostEntry[], nowMs: number): Promise<void> => {
  for (const part of batches(idsOf(hosts)))
    await trx
      .updateTable('incident_effect')
      .set({ until: nowMs })
      .where('host_id', 'in', part)
      .where('kind', '=', 'cut')
      .where('until', 'is', null)
      .execute()
}

const effectLine = (
  incidentId: number,
  kind: 'unreachable' | 'reachable',
  hosts: readonly HostEntry[],
  nowMs: number,
): NewIncidentEvent => {
  const words = kind === 'unreachable' ? 'injoignable' : 'de nouveau joignable'
  const count = hosts.length === 1 ? `1 équipement ${words}` : `${hosts.length} équipements ${words}s`
  // Hosts keep since when they stand as they do: written again, the line is the same one.
  const sinceMs = Math.max(...hosts.map(host => host.sinceMs))
  return {
    ...{ key: `${kind}:${incidentId}:${hosts[0]?.id ?? 0}:${hosts.length}:${sinceMs}`, incidentId, atMs: nowMs, kind },
    text: `${count}\u202f: ${namesText(hosts.map(({ name }) => name))}.`,
  }
}
