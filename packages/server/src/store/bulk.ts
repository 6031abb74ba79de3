import { BULK_MAX_TOLD, type BulkReply } from '@narval/contracts'
import { typeset } from '../http/typeset.ts'
import { turns } from './batches.ts'
import type { Db } from './database.ts'

/** What became of the records of a bulk change. */
export interface BulkTally {
  readonly matched: number
  readonly changed: number
  readonly refusals: BulkReply['refusals']
  readonly deletion?: BulkReply['deletion']
}

export const bulkReplyOf = ({ matched, changed, refusals, deletion = null }: BulkTally): BulkReply => ({
  matched,
  changed,
  unchanged: matched - changed - refusals.length,
  refused: refusals.length,
  refusals: refusals.slice(0, BULK_MAX_TOLD).map(one => ({ ...one, errors: one.errors.map(typeset) })),
  deletion,
})

interface Update<C> {
  readonly id: number
  readonly columns: C
}

/** Writes new columns of many rows, those that become alike by one statement; each gets a version newer than the one it had. */
export const updateAlike = async <C extends object>(
  trx: Db,
  table: 'host' | 'metric' | 'scanner',
  updates: readonly Update<C>[],
  by: string,
  nowMs: number,
): Promise<void> => {
  for (const group of Map.groupBy(updates, update => JSON.stringify(update.columns)).values()) {
    const columns = group[0]?.columns
    if (columns === undefined) continue
    for await (const slice of turns(group.map(update => update.id)))
      await trx
        .updateTable(table)
        .set(eb => ({
          ...columns,
          updated_by: by,
          updated_at: eb
            .case()
            .when('updated_at', '<', nowMs)
            .then(nowMs)
            .else(eb('updated_at', '+', 1))
            .end(),
        }))
        .where('id', 'in', slice)
        .execute()
  }
}
