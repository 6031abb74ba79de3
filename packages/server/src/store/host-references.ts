import type { HostInput } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'
import { invalidField } from '../http/refusal.ts'
import type { Db } from './database.ts'
import { tagText } from './tags.ts'
import { seesHost, standing, visibleHost, visibleSite } from './visible.ts'

type Referred = 'site' | 'host_type' | 'host_model' | 'probe' | 'host' | 'monitoring_model'
const exist = async (
  db: Db,
  table: Referred,
  ids: readonly number[],
  seen: RawBuilder<boolean> = sql<boolean>`1 = 1`,
): Promise<boolean> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return true
  const row = await db
    .selectFrom(table)
    .where('id', 'in', wanted)
    .where(seen)
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n) === wanted.length
}
const given = (id: number | null | undefined): number[] => (id == null ? [] : [id])

/** The things that a host, or a change of many, names must exist, and be seen by who names them. */
export const checkReferences = async (
  db: Db,
  named: Partial<Pick<HostInput, 'siteId' | 'typeId' | 'modelId' | 'probeId' | 'parentIds' | 'monitoringModelIds'>>,
  viewer: Viewer | 'system' = 'system',
): Promise<void> => {
  if (!(await exist(db, 'site', given(named.siteId), visibleSite(viewer, sql`id`))))
    throw invalidField('siteId', "Ce site n'existe pas.")
  if (!(await exist(db, 'host_type', given(named.typeId))))
    throw invalidField('typeId', "Ce type d'équipement n'existe pas.")
  if (!(await exist(db, 'host_model', given(named.modelId))))
    throw invalidField('modelId', "Ce modèle matériel n'existe pas.")
  if (!(await exist(db, 'probe', given(named.probeId)))) throw invalidField('probeId', "Cette sonde n'existe pas.")
  if (!(await exist(db, 'host', named.parentIds ?? [], visibleHost(viewer))))
    throw invalidField('parentIds', "Un des équipements parents n'existe pas.")
  if (!(await exist(db, 'monitoring_model', named.monitoringModelIds ?? [])))
    throw invalidField('monitoringModelIds', "Un des modèles de supervision n'existe pas.")
}

/** Why who saves equipment so would not see it afterwards, in French; null: he would. */
export const unseenFault = (viewer: Viewer, { siteId, tags }: Pick<HostInput, 'siteId' | 'tags'>): string | null => {
  if (seesHost(viewer)(standing(siteId, tags))) return null
  const kept = [...(viewer.place?.tags ?? [])].map(tagText).join(', ')
  return `Sur ce site, vous ne verriez plus l’équipement\u202f: donnez-lui une de ces étiquettes\u202f: ${kept}.`
}
