import { EXPLAINED_CAUSES, type ExplainedCause, type HostCause } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { rootIncident } from '../../monitoring/dependency.ts'
import { type HostEntry, type Model, runnerOf } from '../../monitoring/fleet/model.ts'
import { PROBE_INCIDENTS, unknownSince } from '../../monitoring/incident/blinding.ts'
import type { Db } from '../../store/database.ts'
import { incidentsTitled } from './incident.store.ts'

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
      const incidentId = probeId === null ? null : await openOfProbe(db, probeId, PROBE_INCIDENTS[cause])
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
