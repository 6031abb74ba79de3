import { batches, turns } from './batches.ts'
import type { Db } from './database.ts'

/** Custom field values, their history and credentials belong to a site or a host without a foreign key to it: they go with it. */
export const deleteOwned = async (trx: Db, kind: 'site' | 'host', ids: readonly number[]): Promise<void> => {
  for (const slice of batches(ids)) {
    for (const table of ['field_value', 'field_history'] as const)
      await trx
        .deleteFrom(table)
        .where('owner_id', 'in', slice)
        .where('definition_id', 'in', trx.selectFrom('field_definition').select('id').where('scope', '=', kind))
        .execute()
    await trx.deleteFrom('credential').where('owner_kind', '=', kind).where('owner_id', 'in', slice).execute()
  }
}

/** Deletes hosts with their scanners, metrics, incidents and all that is said of them. */
export const deleteHosts = async (trx: Db, ids: readonly number[]): Promise<void> => {
  await deleteOwned(trx, 'host', ids)
  for await (const slice of turns(ids, 100)) await trx.deleteFrom('host').where('id', 'in', slice).execute()
}
