import type { Changes } from '../../changes.ts'
import type { Place } from '../../http/caller.ts'
import type { Database } from '../../store/database.ts'
import { findAccount } from './account.store.ts'

/** Which accounts are limited to which places: what is pushed to them is looked at without asking the database. */
export interface Reach {
  /** Reads them; to be called at the start. */
  load(): Promise<void>
  /** Only those who do not see everything. */
  limited(): ReadonlyMap<number, Place>
}

export const createReach = ({ db }: Database, changes: Changes, onFault: (error: unknown) => void): Reach => {
  let held: ReadonlyMap<number, Place> = new Map()
  let asked = 0

  const load = async (): Promise<void> => {
    const turn = ++asked
    const members = await db
      .selectFrom('user_group_member as member')
      .innerJoin('user_group as g', 'g.id', 'member.group_id')
      .select('member.account_id as id')
      .where('g.limited', '=', 1)
      .distinct()
      .execute()
    const found = new Map<number, Place>()
    for (const { id } of members) {
      const place = (await findAccount(db, { id }))?.place
      if (place != null) found.set(id, place)
    }
    // The answer of a later question is not replaced by that of an earlier one.
    if (turn === asked) held = found
  }
  changes.on(({ entity }) => {
    if (entity === 'account' || entity === 'site') void load().catch(onFault)
  })
  return { load, limited: () => held }
}
