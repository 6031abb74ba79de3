import { setTimeout } from 'node:timers/promises'
import type { Db } from './database.ts'
import { isTransient, refusalOfDatabase } from './database-fault.ts'

const RETRIES = 3
/** Before the first repetition, doubled each time: the other transaction ends meanwhile. */
const PAUSE_MS = 20

/**
 * One change, all or nothing. It is done again up to 3 times when another stood in its way (deadlock, serialisation), so
 * `work` starts from nothing each time and leaves nothing behind but rows. What the database refuses (a name that is
 * taken, something deleted meanwhile) is thrown as the refusal that the caller reads; still in the way: 503.
 */
export const transaction = async <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isTransient(error) || attempt === RETRIES) throw refusalOfDatabase(error) ?? error
      await setTimeout(PAUSE_MS * 2 ** attempt)
    }
  }
}
