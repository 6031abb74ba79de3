import {
  AVAILABILITY_KEY,
  EXPLAINED_CAUSES,
  type ExplainedCause,
  type HostCause,
  type IncidentDetail,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { rootIncident } from '../../monitoring/dependency.ts'
import { type HostEntry, isActive, type Model, runnerOf, type ScannerEntry } from '../../monitoring/fleet/model.ts'
import type { Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { seesSite } from '../../store/visible.ts'
import { incidentsTitled } from './incident.store.ts'

/** Incidents of a probe, by the cause that they are of what it runs. */
const KIND_OF = { 'probe-offline': 'probe', 'probe-link': 'link' } as const

/** Since when something of a scanner is unknown for this cause; null: nothing is, or its probe has run it again since. */
const unknownSince = (scanner: ScannerEntry, cause: ExplainedCause): number | null => {
  const availability = scanner.metrics.get(AVAILABILITY_KEY)
  if (cause !== 'host-unreachable' && availability !== undefined && availability.state.cause !== cause) return null
  let sinceMs: number | null = null
  for (const metric of scanner.metrics.values())
    if (isActive(metric) && metric.state.severity === 'unknown' && metric.state.cause === cause)
      sinceMs = Math.min(sinceMs ?? metric.state.sinceMs, metric.state.sinceMs)
  return sinceMs
}

interface Blinded {
  readonly effects: IncidentDetail['effects']
  readonly effectHosts: number
}

/** Hosts of which something is unknown now because their probe is silent, or can't reach them: by name, so many at most. */
export const hostsBlindedBy = (
  model: Model,
  viewer: Viewer,
  { kind, probeId, limit }: { readonly kind: 'probe' | 'link'; readonly probeId: number; readonly limit: number },
): Blinded => {
  const cause = kind === 'probe' ? 'probe-offline' : 'probe-link'
  const sees = seesSite(viewer)
  const since = new Map<HostEntry, number>()
  for (const scanner of model.scanners.values()) {
    if (runnerOf(model, scanner) !== probeId || !sees(scanner.host.site.id)) continue
    const sinceMs = unknownSince(scanner, cause)
    if (sinceMs !== null) since.set(scanner.host, Math.min(since.get(scanner.host) ?? sinceMs, sinceMs))
  }
  const hosts = [...since].sort(([a], [b]) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.id - b.id))
  return {
    effectHosts: hosts.length,
    effects: hosts
      .slice(0, limit)
      .map(([{ id, name }, sinceMs]) => ({ hostId: id, hostName: name, since: toIso(sinceMs), until: null })),
  }
}

/** The open incidents that explain what is unknown of a host, each with the scanners of which it does. */
export const causesOf = async (db: Db, model: Model, viewer: Viewer, host: HostEntry): Promise<HostCause[]> => {
  const found: { readonly cause: ExplainedCause; readonly incidentId: number; readonly scannerIds: number[] }[] = []
  for (const cause of EXPLAINED_CAUSES) {
    const scanners = [...host.scanners.values()].filter(scanner => unknownSince(scanner, cause) !== null)
    if (scanners.length === 0) continue
    if (cause === 'host-unreachable') {
      const root = rootIncident(host)
      if (root !== null) found.push({ cause, incidentId: root.id, scannerIds: scanners.map(({ id }) => id) })
      continue
    }
    for (const [probeId, own] of Map.groupBy(scanners, scanner => runnerOf(model, scanner))) {
      const incidentId = probeId === null ? null : await openOfProbe(db, probeId, KIND_OF[cause])
      if (incidentId !== null) found.push({ cause, incidentId, scannerIds: own.map(({ id }) => id) })
    }
  }
  const titles = await incidentsTitled(
    db,
    viewer,
    found.map(({ incidentId }) => incidentId),
  )
  return found.flatMap(one => {
    const title = titles.get(one.incidentId)
    return title === undefined ? [] : [{ ...one, title }]
  })
}

const openOfProbe = async (db: Db, probeId: number, kind: 'probe' | 'link'): Promise<number | null> => {
  const row = await db
    .selectFrom('incident')
    .select(sql<number>`coalesce(parent_id, id)`.as('id'))
    .where('probe_id', '=', probeId)
    .where('kind', '=', kind)
    .where('closed_at', 'is', null)
    .orderBy('incident.id', 'desc')
    .executeTakeFirst()
  return row?.id ?? null
}
