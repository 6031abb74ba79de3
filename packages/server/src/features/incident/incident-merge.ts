import type { Incident } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict } from '../../http/refusal.ts'
import { mergeIncidents, separateIncident } from '../../monitoring/incident/incident-merge.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'

export interface IncidentMergeDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
  readonly get: (viewer: Viewer, id: number) => Promise<Incident>
}

/** Saying by hand that one incident explains another one, and that it does not. */
export const createIncidentMerge = ({ database, monitoring, now, get }: IncidentMergeDeps) => {
  /** Memory and consoles follow what was written. */
  const settle = async (child: Incident, rootId: number | null, others: readonly number[]): Promise<void> => {
    await monitoring.evaluation.alone(async () => {
      for (const metric of monitoring.model.metrics.values()) {
        if (metric.incidentId === child.id) metric.explainedBy = rootId
        else if (rootId !== null && metric.explainedBy === child.id) metric.explainedBy = rootId
      }
    })
    monitoring.publisher.changed({ entity: 'incident', ids: [child.id, ...others], action: 'updated' })
    if (child.metricId !== null)
      monitoring.publisher.changed({ entity: 'metric', ids: [child.metricId], action: 'updated' })
  }
  return {
    async merge(viewer: Viewer, id: number, into: number): Promise<Incident> {
      const [child, target] = [await get(viewer, id), await get(viewer, into)]
      const rootId = await transaction(database.db, async trx => {
        const atMs = now()
        const root = await refuseMerge(trx, id, into)
        const rootTitle = root === into ? target.title : (await get(viewer, root)).title
        await mergeIncidents(trx, {
          ...{ rootId: root, rootTitle, atMs, actor: viewer.login, merged: [{ id, title: child.title }] },
        })
        await auditChange(trx, auditOf(viewer, child, root), atMs)
        return root
      })
      await settle(child, rootId, [rootId])
      return get(viewer, id)
    },
    async separate(viewer: Viewer, id: number): Promise<Incident> {
      const child = await get(viewer, id)
      const rootId = await transaction(database.db, async trx => {
        const atMs = now()
        const row = await readRow(trx, id)
        if (row?.parent_id == null) throw conflict('Cet incident n’est fusionné avec aucun autre.')
        if (row.closed_at !== null) throw conflict('Cet incident est terminé.')
        const { title } = child
        const text = 'Séparé à la main.'
        await separateIncident(trx, { id, rootId: row.parent_id, title, atMs, actor: viewer.login, text })
        await auditChange(trx, auditOf(viewer, child, null), atMs)
        return row.parent_id
      })
      await settle(child, null, [rootId])
      return get(viewer, id)
    },
  }
}

const auditOf = (viewer: Viewer, child: Incident, parentId: number | null) => ({
  ...{ action: 'incident-update' as const, actor: viewer.login, object: `incident ${child.id}`, name: child.title },
  ...{ before: { parentId: child.parentId }, after: { parentId } },
})

const readRow = (trx: Db, id: number) =>
  trx.selectFrom('incident').select(['id', 'parent_id', 'closed_at']).where('id', '=', id).executeTakeFirst()

/**
 * The incident that stands for the one asked for.
 * @throws Refusal where one is over, or where they already are one.
 */
const refuseMerge = async (trx: Db, id: number, into: number): Promise<number> => {
  if (id === into) throw conflict('Un incident ne se fusionne pas avec lui-même.')
  const child = await readRow(trx, id)
  const target = await readRow(trx, into)
  if (child === undefined || child.closed_at !== null) throw conflict('Cet incident est terminé.')
  if (target === undefined || target.closed_at !== null) throw conflict('L’incident qui l’expliquerait est terminé.')
  const rootId = target.parent_id ?? target.id
  if (rootId === id) throw conflict('Cet incident explique déjà l’autre\u202f: séparez-les d’abord.')
  if (child.parent_id === rootId) throw conflict('Cet incident est déjà fusionné avec celui-là.')
  const root = rootId === into ? target : await readRow(trx, rootId)
  if (root === undefined || root.closed_at !== null) throw conflict('L’incident qui l’expliquerait est terminé.')
  return rootId
}
