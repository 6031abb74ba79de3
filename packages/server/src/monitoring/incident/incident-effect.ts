import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { createRowWriter } from '../../store/row-writer.ts'
import type { Turn } from '../../turns.ts'
import { availabilitiesOf, rootIncident } from '../dependency.ts'
import type { HostEntry, MetricEntry } from '../fleet/model.ts'
import type { Effects } from '../judge-metric.ts'
import { incidentTitle } from '../texts.ts'
import { insertIncidentEvents, type NewIncidentEvent } from './incident-log.ts'
import { type Merge, mergeIncidents, namesText } from './incident-merge.ts'

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
  turn: Turn,
): Promise<CutsSaved> => ({
  merged: await mergeCut(trx, effects, hosts, detailOf, turn),
  cuts: await saveEffects(trx, hosts, nowMs, turn),
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
  turn: Turn,
): Promise<Map<number, number>> => {
  const candidates = new Set([...effects.states].filter(hasIncident))
  for (const some of batches(hosts, LOOKED_AT)) {
    for (const host of some)
      if (host.parents.length > 0) for (const one of availabilitiesOf(host)) if (hasIncident(one)) candidates.add(one)
    await turn()
  }
  const cuts: Cut[] = []
  for (const some of batches([...candidates], LOOKED_AT)) {
    cuts.push(...some.flatMap(cutOf))
    await turn()
  }
  const merged = new Map<number, number>()
  if (cuts.length === 0) return merged
  const kept = await mergedByHand(
    trx,
    cuts.map(({ id }) => id),
    turn,
  )
  for (const [rootId, some] of Map.groupBy(
    cuts.filter(({ id }) => !kept.has(id)),
    ({ root }) => root.id,
  )) {
    const [first] = some
    if (first === undefined) continue
    const details = new Map(some.map(({ id, metric }) => [id, metric]))
    const merge: Merge = {
      ...{ rootId, rootTitle: incidentTitle(first.root.metric), actor: null },
      // Recorded with what was judged: the same when it is written again.
      atMs: Math.max(...some.map(({ metric }) => metric.state.sinceMs)),
      merged: some.map(({ id, metric }) => ({ id, title: incidentTitle(metric) })),
      detail: id => {
        const metric = details.get(id)
        return metric === undefined ? {} : detailOf(metric)
      },
    }
    await mergeIncidents(trx, merge, turn)
    for (const { id } of some) merged.set(id, rootId)
  }
  return merged
}

/** Metrics or hosts that are looked at between two turns. */
const LOOKED_AT = 250

const hasIncident = ({ incidentId }: MetricEntry): boolean => incidentId !== null

/** An open incident of what can't be reached, with the one that explains it and is not known to yet. */
const cutOf = (metric: MetricEntry): Cut[] => {
  const { incidentId: id, state, explainedBy } = metric
  if (id === null || state.hardCause !== 'host-unreachable' || state.kind !== 'hard') return []
  const root = rootIncident(metric.scanner.host)
  return root === null || root.id === id || root.id === explainedBy ? [] : [{ metric, id, root }]
}

/** Who merged an incident by hand knows better. */
const mergedByHand = async (trx: Db, ids: readonly number[], turn: Turn): Promise<Set<number>> => {
  const found = new Set<number>()
  for (const some of batches(ids)) {
    const rows = await trx
      .selectFrom('incident')
      .select('id')
      .where('id', 'in', some)
      .where('merged_by', 'is not', null)
      .execute()
    for (const { id } of rows) found.add(id)
    await turn()
  }
  return found
}

/** Hosts that can't be reached, or can again, each with its row. */
const saveEffects = async (
  trx: Db,
  hosts: readonly HostEntry[],
  nowMs: number,
  turn: Turn,
): Promise<Map<HostEntry, number | null>> => {
  const cuts = new Map<HostEntry, number | null>()
  for (const some of batches(hosts, LOOKED_AT)) {
    for (const host of some) {
      const wanted = host.state === 'unreachable' ? (rootIncident(host)?.id ?? host.cutBy) : null
      if (wanted !== host.cutBy) cuts.set(host, wanted)
    }
    await turn()
  }
  if (cuts.size === 0) return cuts
  const open = await openEffects(trx, [...cuts.keys()], turn)
  const lines: NewIncidentEvent[] = []
  for (const [incidentId, some] of Map.groupBy(cuts.keys(), host => cuts.get(host) ?? null)) {
    if (incidentId === null) {
      await endEffects(trx, some, nowMs, turn)
      for (const [cutBy, back] of Map.groupBy(some, host => host.cutBy))
        if (cutBy !== null) lines.push(effectLine(cutBy, 'reachable', back, nowMs))
      continue
    }
    const moved = some.filter(({ id }) => open.has(id))
    const fresh = some.filter(({ id }) => !open.has(id))
    for (const part of batches(moved, WRITTEN)) {
      await trx
        .updateTable('incident_effect')
        .set({ incident_id: incidentId })
        .where('host_id', 'in', idsOf(part))
        .where('kind', '=', 'cut')
        .where('until', 'is', null)
        .execute()
      await turn()
    }
    const rows = fresh.map(({ id, sinceMs }) => ({ incident_id: incidentId, host_id: id, since: sinceMs, until: null }))
    await putEffects(trx, rows, turn)
    lines.push(effectLine(incidentId, 'unreachable', some, nowMs))
  }
  await insertIncidentEvents(trx, lines, turn)
  return cuts
}

/** Rows of one statement that changes some. */
const WRITTEN = 250

const putEffects = createRowWriter<IncidentEffectRow>((trx, rows) => trx.insertInto('incident_effect').values(rows))
interface IncidentEffectRow {
  readonly incident_id: number
  readonly host_id: number
  readonly since: number
  readonly until: null
}

const idsOf = (hosts: readonly HostEntry[]): number[] => hosts.map(({ id }) => id)

const openEffects = async (trx: Db, hosts: readonly HostEntry[], turn: Turn): Promise<Set<number>> => {
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
    await turn()
  }
  return found
}

const endEffects = async (trx: Db, hosts: readonly HostEntry[], nowMs: number, turn: Turn): Promise<void> => {
  for (const part of batches(idsOf(hosts), WRITTEN)) {
    await trx
      .updateTable('incident_effect')
      .set({ until: nowMs })
      .where('host_id', 'in', part)
      .where('kind', '=', 'cut')
      .where('until', 'is', null)
      .execute()
    await turn()
  }
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
