import { type ChainLink, chainLink, type Incident } from '@narval/contracts'
import * as z from 'zod/mini'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Db } from '../../store/database.ts'

/** Kinds of lines with which a chain is kept: when it opened, came back, or another incident turned out to explain it. */
const KEEPING = ['opened', 'reopened', 'merged', 'closed'] as const
const MAX_LINES = 20

/** « Pourquoi est-ce rouge ? »: as it is, or for what is over as it was when it was best known. */
export const incidentChain = async (
  db: Db,
  { model, chains }: Pick<Monitoring, 'model' | 'chains'>,
  incident: Incident,
): Promise<ChainLink[]> => {
  if (incident.kind !== 'metric') {
    if (incident.closedAt !== null) return pastProbe(incident)
    return incident.probeId === null ? [] : chains.ofProbe(incident.probeId, incident.kind === 'link', incident.id)
  }
  if (incident.closedAt !== null) return keptChain(db, incident.id)
  const metric = incident.metricId === null ? undefined : model.metrics.get(incident.metricId)
  return metric === undefined ? keptChain(db, incident.id) : chains.ofMetric(metric)
}

/** What was told of a probe says all of its trouble. */
const pastProbe = ({ kind, probeId, probeName, title, openedAt, information }: Incident): ChainLink[] =>
  probeId === null
    ? []
    : [
        {
          ...{
            kind: kind === 'link' ? 'link' : 'probe',
            id: probeId,
            name: kind === 'link' ? title : (probeName ?? title),
          },
          ...{ severity: 'error', state: kind === 'link' ? 'En cause' : 'Hors ligne', since: openedAt },
          ...{ evidence: information, at: openedAt, cause: true, incidentId: null },
        },
      ]

const kept = z.object({ chain: z.array(chainLink) })

/** The newest chain that a line of its timeline keeps: what explains it is known later than its beginning. */
const keptChain = async (db: Db, incidentId: number): Promise<ChainLink[]> => {
  const rows = await db
    .selectFrom('incident_event')
    .select('detail')
    .where('incident_id', '=', incidentId)
    .where('kind', 'in', KEEPING)
    .orderBy('id', 'desc')
    .limit(MAX_LINES)
    .execute()
  for (const { detail } of rows) {
    const found = kept.safeParse(JSON.parse(detail))
    if (found.success) return found.data.chain
  }
  return []
}
