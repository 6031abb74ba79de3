import { COLUMN_LISTS, LIST_NAMES, type ListPreference, SAVED_VIEWS_MAX, type SavedView } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, notFound, stale } from '../../http/refusal.ts'
import type { Database, Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'

interface ViewInput {
  readonly list: SavedView['list']
  readonly name: string
  readonly query: string
  readonly shared: boolean
}
const listOf = (text: string): SavedView['list'] => LIST_NAMES.find(list => list === text) ?? 'hosts'
const columnsOf = (text: string): string[] => {
  const columns: unknown = JSON.parse(text)
  return Array.isArray(columns) ? columns.map(String) : []
}

/** Views of lists that people keep, for themselves or for all, and the columns that each has chosen. */
export const createViewService = (database: Database, now: () => number) => {
  const { db } = database
  const rows = (from: Db, viewer: Viewer) =>
    from
      .selectFrom('saved_view')
      .innerJoin('account', 'account.id', 'saved_view.account_id')
      .where(eb => eb.or([eb('saved_view.account_id', '=', viewer.userId), eb('saved_view.shared', '=', 1)]))
      .selectAll('saved_view')
      .select('account.login as author')
      .orderBy('saved_view.name')
      .orderBy('saved_view.id')
  const read = async (viewer: Viewer, from: Db = db): Promise<SavedView[]> =>
    (await rows(from, viewer).execute()).map(row => ({
      id: row.id,
      list: listOf(row.list),
      name: row.name,
      query: row.query,
      shared: row.shared === 1,
      mine: row.account_id === viewer.userId,
      author: row.author,
      createdAt: toIso(row.created_at),
      updatedAt: toIso(row.updated_at),
      updatedBy: row.updated_by,
    }))
  const find = async (viewer: Viewer, id: number): Promise<SavedView> => {
    const view = (await read(viewer)).find(one => one.id === id)
    if (view === undefined) throw notFound("Cette vue n'existe pas.")
    return view
  }
  const own = async (viewer: Viewer, id: number): Promise<SavedView> => {
    const view = await find(viewer, id)
    if (!view.mine) throw forbidden("Seul l'auteur d'une vue la modifie.")
    return view
  }
  /** Views are few and short: they are saved one after the other, so that no name is taken twice. */
  const requireFree = async (trx: Db, viewer: Viewer, input: ViewInput, id: number): Promise<void> => {
    await lock(database, trx, 'saved-views')
    const mine = (await read(viewer, trx)).filter(view => view.mine && view.id !== id)
    if (mine.some(view => view.list === input.list && view.name.toLowerCase() === input.name.toLowerCase()))
      throw conflict(`Vous avez déjà une vue « ${input.name} ».`, { fields: { name: 'Nom déjà pris.' } })
    if (id === 0 && mine.length >= SAVED_VIEWS_MAX)
      throw conflict(`Au plus ${SAVED_VIEWS_MAX} vues : supprimez-en une d'abord.`)
  }

  return {
    list: read,
    async create(viewer: Viewer, input: ViewInput): Promise<SavedView> {
      const stamps = { created_at: now(), updated_at: now(), updated_by: viewer.login }
      const row = await transaction(db, async trx => {
        await requireFree(trx, viewer, input, 0)
        return trx
          .insertInto('saved_view')
          .values({ ...input, shared: input.shared ? 1 : 0, account_id: viewer.userId, ...stamps })
          .returning('id')
          .executeTakeFirstOrThrow()
      })
      return find(viewer, row.id)
    },
    async update(viewer: Viewer, id: number, input: ViewInput & { updatedAt: string }): Promise<SavedView> {
      const before = await own(viewer, id)
      const { list, name, query } = input
      const changed = await transaction(db, async trx => {
        await requireFree(trx, viewer, input, id)
        return trx
          .updateTable('saved_view')
          .set({
            ...{ list, name, query, shared: input.shared ? 1 : 0 },
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .where('updated_at', '=', fromIso(input.updatedAt))
          .executeTakeFirst()
      })
      if (Number(changed.numUpdatedRows) === 0) throw stale(await find(viewer, id), before.updatedBy)
      return find(viewer, id)
    },
    async delete(viewer: Viewer, id: number) {
      await own(viewer, id)
      await db.deleteFrom('saved_view').where('id', '=', id).execute()
      return { deleted: true }
    },
    async preferences(viewer: Viewer): Promise<ListPreference[]> {
      const held = await db
        .selectFrom('list_preference')
        .select(['list', 'columns'])
        .where('account_id', '=', viewer.userId)
        .execute()
      return held.flatMap(row => {
        const list = COLUMN_LISTS.find(one => one === row.list)
        return list === undefined ? [] : [{ list, columns: columnsOf(row.columns) }]
      })
    },
    async setPreference(viewer: Viewer, { list, columns }: ListPreference): Promise<ListPreference> {
      if (columns === null) {
        await db
          .deleteFrom('list_preference')
          .where('account_id', '=', viewer.userId)
          .where('list', '=', list)
          .execute()
        return { list, columns }
      }
      const text = JSON.stringify(columns)
      await db
        .insertInto('list_preference')
        .values({ account_id: viewer.userId, list, columns: text })
        .onConflict(clash => clash.columns(['account_id', 'list']).doUpdateSet({ columns: text }))
        .execute()
      return { list, columns }
    },
  }
}
export type ViewService = ReturnType<typeof createViewService>
