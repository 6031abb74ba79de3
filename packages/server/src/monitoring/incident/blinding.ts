import { AVAILABILITY_KEY, type ExplainedCause } from '@narval/contracts'
import { turns } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { type HostEntry, isActive, type Model, runnerOf, type ScannerEntry } from '../fleet/model.ts'
import type { Effects } from '../judge-metric.ts'
import type { Presence } from '../probe/presence.ts'

/** Incidents of a probe, by the cause that they are of what it runs. */
export const PROBE_INCIDENTS = { 'probe-offline': 'probe', 'probe-link': 'link' } as const
type ProbeCause = keyof typeof PROBE_INCIDENTS
type ProbeIncident = (typeof PROBE_INCIDENTS)[ProbeCause]
const CAUSES = ['probe-offline', 'probe-link'] as const satisfies readonly ProbeCause[]

/** Since when something of a scanner is unknown for this cause; null: nothing is, or its probe has run it again since. */
export const unknownSince = (scanner: ScannerEntry, cause: ExplainedCause): number | null => {
  const availability = scanner.metrics.get(AVAILABILITY_KEY)
  if (cause !== 'host-unreachable' && availability !== undefined && availability.state.cause !== cause) return null
  let sinceMs: number | null = null
  for (const metric of scanner.metrics.values())
    if (isActive(metric) && metric.state.severity === 'unknown' && metric.state.cause === cause)
      sinceMs = Math.min(sinceMs ?? metric.state.sinceMs, metric.state.sinceMs)
  // What never had a value has been unknown for longer than that.
  return sinceMs === null || cause === 'host-unreachable' ? sinceMs : (availability?.state.sinceMs ?? sinceMs)
}

export interface BlindingDeps {
  readonly database: Database
  readonly model: Model
  readonly presence: Presence
  readonly now: () => number
}

/** Which hosts begin and end to be unknown because of a probe. */
export interface BlindingChange {
  readonly begun: readonly Begun[]
  readonly ended: readonly Ended[]
}
interface Ended {
  readonly hostId: number
  readonly key: string
  readonly incidentId: number
}
interface Begun extends Ended {
  readonly sinceMs: number
}

/**
 * Keeps which hosts the incident of a silent probe, or of its link, leaves unknown, from when to when: rows of
 * `incident_effect`, in the transaction of the states that say so.
 */
export interface Blinding {
  /** What was open when the server stopped. */
  load(): Promise<void>
  opened(kind: ProbeIncident, probeId: number, incidentId: number, atMs: number): void
  closed(kind: ProbeIncident, probeId: number): void
  /** Writes what these effects change; to be remembered once it is there for good. */
  save(trx: Db, effects: Pick<Effects, 'hosts' | 'states'>, nowMs: number): Promise<BlindingChange>
  remember(change: BlindingChange): void
  /**
   * Writes what no result tells: hosts that were unknown before the incident was opened, or that are disabled or moved
   * meanwhile. To be called between two evaluations. @returns the incidents concerned.
   */
  sweep(): Promise<number[]>
}

const keyOf = (kind: string, probeId: number): string => `${kind}:${probeId}`

export const createBlinding = ({ database, model, presence, now }: BlindingDeps): Blinding => {
  /** Open incidents of probes, by kind and probe. */
  const open = new Map<string, { readonly id: number; readonly atMs: number }>()
  /** By host: its rows that have no end, by kind and probe. */
  const blind = new Map<number, Map<string, number>>()

  const incidentOf = (hostId: number, key: string, probeId: number): number | undefined =>
    // What an incident left unknown stays so until its probe, which is back, has looked again.
    open.get(key)?.id ?? (presence.state(probeId) === 'online' ? blind.get(hostId)?.get(key) : undefined)

  const wantedOf = (host: HostEntry): Map<string, Begun> => {
    const wanted = new Map<string, Begun>()
    for (const scanner of host.scanners.values()) {
      const probeId = runnerOf(model, scanner)
      if (probeId === null) continue
      for (const cause of CAUSES) {
        const key = keyOf(PROBE_INCIDENTS[cause], probeId)
        const incidentId = incidentOf(host.id, key, probeId)
        const sinceMs = incidentId === undefined ? null : unknownSince(scanner, cause)
        if (incidentId === undefined || sinceMs === null) continue
        // A link is told to be in question by what is unknown already; a silent probe leaves nothing unknown before.
        const fromMs = cause === 'probe-offline' ? Math.max(sinceMs, open.get(key)?.atMs ?? 0) : sinceMs
        const earlier = wanted.get(key)?.sinceMs ?? fromMs
        wanted.set(key, { hostId: host.id, key, incidentId, sinceMs: Math.min(fromMs, earlier) })
      }
    }
    return wanted
  }
  const changeOf = (hosts: Iterable<HostEntry>): BlindingChange => {
    const [begun, ended]: [Begun[], Ended[]] = [[], []]
    for (const host of hosts) {
      const held = blind.get(host.id)
      if (open.size === 0 && held === undefined) continue
      const wanted = wantedOf(host)
      for (const [key, incidentId] of held ?? [])
        if (wanted.get(key)?.incidentId !== incidentId) ended.push({ hostId: host.id, key, incidentId })
      for (const [key, one] of wanted) if (held?.get(key) !== one.incidentId) begun.push(one)
    }
    return { begun, ended }
  }
  const remember = ({ begun, ended }: BlindingChange): void => {
    for (const { hostId, key } of ended) {
      blind.get(hostId)?.delete(key)
      if (blind.get(hostId)?.size === 0) blind.delete(hostId)
    }
    for (const { hostId, key, incidentId } of begun)
      blind.set(hostId, (blind.get(hostId) ?? new Map<string, number>()).set(key, incidentId))
  }
  /** All that is unknown because of a probe, or was last time. */
  const suspects = (): Set<HostEntry> => {
    const found = new Set<HostEntry>()
    for (const hostId of [...blind.keys()]) {
      const host = model.hosts.get(hostId)
      // Its rows went with it.
      if (host === undefined) blind.delete(hostId)
      else found.add(host)
    }
    if (open.size === 0) return found
    for (const scanner of model.scanners.values()) {
      const probeId = runnerOf(model, scanner)
      if (probeId !== null && (open.has(keyOf('probe', probeId)) || open.has(keyOf('link', probeId))))
        found.add(scanner.host)
    }
    return found
  }

  return {
    async load() {
      const incidents = await database.db
        .selectFrom('incident')
        .select(['id', 'kind', 'probe_id', 'opened_at'])
        .where('kind', 'in', [...Object.values(PROBE_INCIDENTS)])
        .where('closed_at', 'is', null)
        .orderBy('id')
        .execute()
      for (const { id, kind, probe_id, opened_at } of incidents)
        if (probe_id !== null) open.set(keyOf(kind, probe_id), { id, atMs: opened_at })
      const rows = await database.db
        .selectFrom('incident_effect as effect')
        .innerJoin('incident', 'incident.id', 'effect.incident_id')
        .select(['effect.host_id', 'effect.incident_id', 'incident.kind', 'incident.probe_id'])
        .where('effect.kind', '=', 'blind')
        .where('effect.until', 'is', null)
        .execute()
      const begun = rows.map(({ host_id, incident_id, kind, probe_id }) => ({
        ...{ hostId: host_id, incidentId: incident_id, key: keyOf(kind, probe_id ?? 0), sinceMs: 0 },
      }))
      remember({ begun, ended: [] })
    },
    opened: (kind, probeId, id, atMs) => void open.set(keyOf(kind, probeId), { id, atMs }),
    closed: (kind, probeId) => void open.delete(keyOf(kind, probeId)),
    async save(trx, { hosts, states }, nowMs) {
      if (open.size + blind.size === 0) return NOTHING
      const change = changeOf(new Set([...hosts, ...[...states].map(({ scanner }) => scanner.host)]))
      await writeBlinding(trx, change, nowMs)
      return change
    },
    remember,
    async sweep() {
      const change = changeOf(suspects())
      if (change.begun.length + change.ended.length === 0) return []
      await transaction(database.db, trx => writeBlinding(trx, change, now()))
      remember(change)
      return [...touchedBy(change)]
    },
  }
}

const NOTHING: BlindingChange = { begun: [], ended: [] }

export const touchedBy = ({ begun, ended }: BlindingChange): Set<number> =>
  new Set([...begun, ...ended].map(({ incidentId }) => incidentId))

/** By slices, between which others get their turn: a probe may look after thousands of hosts. */
export const writeBlinding = async (trx: Db, { begun, ended }: BlindingChange, nowMs: number): Promise<void> => {
  for (const [incidentId, some] of Map.groupBy(ended, one => one.incidentId))
    for await (const part of turns(some))
      await trx
        .updateTable('incident_effect')
        .set({ until: nowMs })
        .where('incident_id', '=', incidentId)
        .where(
          'host_id',
          'in',
          part.map(({ hostId }) => hostId),
        )
        .where('kind', '=', 'blind')
        .where('until', 'is', null)
        .execute()
  for await (const part of turns(begun))
    await trx
      .insertInto('incident_effect')
      .values(
        part.map(({ hostId, incidentId, sinceMs }) => ({
          ...{ incident_id: incidentId, host_id: hostId, kind: 'blind' as const, since: sinceMs, until: null },
        })),
      )
      .execute()
}
