import type { Db } from '../../store/database.ts'
import type { ScopedGroup } from './account-scope.ts'
import { placeOfGroup, placesOfGroups } from './group-places.ts'

/** A group of an account: what it gives, and where. */
export interface GroupOf extends ScopedGroup {
  readonly id: number
  readonly name: string
}

/** The groups of accounts, by name: two questions more where some of them are limited, whatever their number. */
export const groupsOfAccounts = async (db: Db, ids: readonly number[]): Promise<(accountId: number) => GroupOf[]> => {
  if (ids.length === 0) return () => []
  const rows = await db
    .selectFrom('user_group_member as member')
    .innerJoin('user_group as g', 'g.id', 'member.group_id')
    .leftJoin('user_group_claim as held', 'held.group_id', 'g.id')
    .select(['member.account_id', 'g.id', 'g.name', 'g.limited', 'held.claim'])
    .where('member.account_id', 'in', ids)
    .orderBy('g.name_folded')
    .execute()
  const limited = rows.flatMap(row => (row.limited === 1 ? row.id : []))
  const places = await placesOfGroups(db, [...new Set(limited)])
  const byAccount = Map.groupBy(rows, row => row.account_id)
  return accountId =>
    [...Map.groupBy(byAccount.get(accountId) ?? [], row => row.id).values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : {
            ...{ id: first.id, name: first.name, place: placeOfGroup(places, first) },
            claims: [first, ...others].flatMap(row => row.claim ?? []),
          },
    )
}
