import { fold, type HostTypeInput } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { namesakeOf } from '../../store/names.ts'
import { transaction } from '../../store/transaction.ts'

interface ModelInput {
  readonly name: string
  readonly manufacturer: string
}

const used = async (db: Db, column: 'type_id' | 'model_id', id: number): Promise<number> => {
  const row = await db
    .selectFrom('host')
    .where(column, '=', id)
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}
const usedBy = (hosts: number): string =>
  hosts === 1 ? 'Un équipement s’en sert encore.' : `${hosts} équipements s’en servent encore.`

/** Types of equipment and hardware models: short lists that hosts choose from, and are found by: a new name is read again. */
export const createHostCatalogue = (database: Database, now: () => number, reload: () => Promise<void>) => {
  const { db } = database
  const typeOf = async (id: number) => {
    const row = await db.selectFrom('host_type').select(['id', 'name', 'icon']).where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw notFound("Ce type d'équipement n'existe pas.")
    return row
  }
  const modelOf = async (id: number) => {
    const row = await db
      .selectFrom('host_model')
      .select(['id', 'name', 'manufacturer'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (row === undefined) throw notFound("Ce modèle matériel n'existe pas.")
    return row
  }
  const requireFreeType = async (name: string, id: number): Promise<void> => {
    const taken = await namesakeOf(db, 'host_type', name, id)
    if (taken !== null) throw conflict(`Le type « ${name} » existe déjà.`, { fields: { name: 'Nom déjà pris.' } })
  }
  const requireFreeModel = async (input: ModelInput, id: number): Promise<void> => {
    const namesakes = await db
      .selectFrom('host_model')
      .select('manufacturer')
      .where('name_folded', '=', fold(input.name))
      .where('id', '!=', id)
      .execute()
    if (namesakes.some(({ manufacturer }) => fold(manufacturer) === fold(input.manufacturer)))
      throw conflict(`Le modèle matériel « ${input.name} » existe déjà chez ce constructeur.`, {
        fields: { name: 'Nom déjà pris.' },
      })
  }
  const record = (
    trx: Db,
    viewer: Viewer,
    what: 'host-type' | 'host-model',
    id: number,
    before: { name: string } | null,
    after: { name: string } | null,
  ) =>
    auditChange(
      trx,
      {
        action: `${what}-${before === null ? 'create' : after === null ? 'delete' : 'update'}`,
        actor: viewer.login,
        object: `${what} ${id}`,
        name: (after ?? before)?.name ?? '',
        before,
        after,
      },
      now(),
    )

  return {
    types: () => db.selectFrom('host_type').select(['id', 'name', 'icon']).orderBy('name_folded').execute(),
    models: () => db.selectFrom('host_model').select(['id', 'name', 'manufacturer']).orderBy('name_folded').execute(),
    async createType(viewer: Viewer, input: HostTypeInput) {
      await requireFreeType(input.name, 0)
      return transaction(db, async trx => {
        const row = await trx
          .insertInto('host_type')
          .values({ ...input, name_folded: fold(input.name) })
          .returning('id')
          .executeTakeFirstOrThrow()
        await record(trx, viewer, 'host-type', row.id, null, input)
        return { id: row.id, ...input }
      })
    },
    async updateType(viewer: Viewer, id: number, input: HostTypeInput) {
      const before = await typeOf(id)
      await requireFreeType(input.name, id)
      await transaction(db, async trx => {
        await trx
          .updateTable('host_type')
          .set({ ...input, name_folded: fold(input.name) })
          .where('id', '=', id)
          .execute()
        await record(trx, viewer, 'host-type', id, before, input)
      })
      if (before.name !== input.name) await reload()
      return { id, ...input }
    },
    async deleteType(viewer: Viewer, id: number) {
      const before = await typeOf(id)
      const hosts = await used(db, 'type_id', id)
      if (hosts > 0) throw conflict(usedBy(hosts))
      await transaction(db, async trx => {
        await trx.deleteFrom('host_type').where('id', '=', id).execute()
        await record(trx, viewer, 'host-type', id, before, null)
      })
      return { deleted: true }
    },
    async createModel(viewer: Viewer, input: ModelInput) {
      await requireFreeModel(input, 0)
      return transaction(db, async trx => {
        const row = await trx
          .insertInto('host_model')
          .values({ ...input, name_folded: fold(input.name) })
          .returning('id')
          .executeTakeFirstOrThrow()
        await record(trx, viewer, 'host-model', row.id, null, input)
        return { id: row.id, ...input }
      })
    },
    async updateModel(viewer: Viewer, id: number, input: ModelInput) {
      const before = await modelOf(id)
      await requireFreeModel(input, id)
      await transaction(db, async trx => {
        await trx
          .updateTable('host_model')
          .set({ ...input, name_folded: fold(input.name) })
          .where('id', '=', id)
          .execute()
        await record(trx, viewer, 'host-model', id, before, input)
      })
      if (before.name !== input.name) await reload()
      return { id, ...input }
    },
    async deleteModel(viewer: Viewer, id: number) {
      const before = await modelOf(id)
      const hosts = await used(db, 'model_id', id)
      if (hosts > 0) throw conflict(usedBy(hosts))
      await transaction(db, async trx => {
        await trx.deleteFrom('host_model').where('id', '=', id).execute()
        await record(trx, viewer, 'host-model', id, before, null)
      })
      return { deleted: true }
    },
  }
}
export type HostCatalogue = ReturnType<typeof createHostCatalogue>
