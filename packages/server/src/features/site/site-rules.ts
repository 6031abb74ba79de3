import { fold, type SiteInput } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalidField } from '../../http/refusal.ts'
import type { Db } from '../../store/database.ts'
import { siteColumns } from '../../store/object-columns.ts'
import { requireSeen, seesAll } from '../../store/visible.ts'
import { isWithin } from './site.store.ts'

/** The columns that a change writes: a parent that one does not see stays, as it does not change. */
export const changedColumns = (before: Pick<SiteInput, 'parentId'>, input: SiteInput) => {
  const { parent_id, ...columns } = siteColumns(input)
  return input.parentId === before.parentId ? columns : { ...columns, parent_id }
}

/** Refuses what a schema can not see: a code that is taken, what does not exist, a site under itself. */
export const checkSite = async (
  db: Db,
  viewer: Viewer,
  input: SiteInput,
  id: number,
  parentBefore: number | null = null,
): Promise<void> => {
  const taken = await db
    .selectFrom('site')
    .select('id')
    .where('code_folded', '=', fold(input.code))
    .where('id', '!=', id)
    .executeTakeFirst()
  if (taken !== undefined)
    throw conflict(`Le code « ${input.code} » est déjà celui d'un autre site.`, {
      fields: { code: 'Ce code est déjà pris.' },
    })
  if (!(await exists(db, 'site_type', input.typeId))) throw invalidField('typeId', "Ce type de site n'existe pas.")
  if (!(await exists(db, 'probe', input.probeId))) throw invalidField('probeId', "Cette sonde n'existe pas.")
  // Who is limited to sites puts others under those alone: elsewhere he would not see them.
  if (!seesAll(viewer) && (id === 0 || input.parentId !== parentBefore)) {
    if (input.parentId === null) throw invalidField('parentId', 'Choisissez un site parent parmi les vôtres.')
    requireSeen(viewer, input.parentId, 'parentId')
  }
  if (input.parentId === null) return
  if (!(await exists(db, 'site', input.parentId))) throw invalidField('parentId', "Le site parent n'existe pas.")
  if (await isWithin(db, input.parentId, id))
    throw invalidField('parentId', 'Un site ne peut être son propre parent, même de loin.')
}

const exists = async (db: Db, table: 'site' | 'site_type' | 'probe', id: number | null): Promise<boolean> =>
  id === null || (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
