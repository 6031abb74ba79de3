import { fold, type NotificationRuleInput } from '@narval/contracts'
import type { Db } from '../../store/database.ts'

export interface Named {
  readonly id: number
  readonly name: string
}

export const namesOf = async (
  db: Db,
  table: 'site' | 'host_type',
  ids: readonly number[],
): Promise<Map<number, Named>> =>
  ids.length === 0
    ? new Map()
    : new Map(
        (
          await db
            .selectFrom(table)
            .select(['id', 'name'])
            .where('id', 'in', [...ids])
            .execute()
        ).map(row => [row.id, row]),
      )

/** Conversations that go on, by rule. */
export const countThreads = async (db: Db): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom('notification_thread')
    .select(eb => ['rule_id', eb.fn.countAll().as('many')])
    .where('rule_id', 'is not', null)
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(row => [row.rule_id ?? 0, Number(row.many)]))
}

const columnsOf = ({ name, enabled, ...settings }: NotificationRuleInput) => ({
  ...{ name, name_folded: fold(name), enabled: enabled ? (1 as const) : (0 as const) },
  settings: JSON.stringify(settings),
})

/** Puts a rule after all others. */
export const insertRule = async (trx: Db, input: NotificationRuleInput, by: string, nowMs: number): Promise<number> => {
  const last = await trx
    .selectFrom('notification_rule')
    .select(eb => eb.fn.max('position').as('position'))
    .executeTakeFirst()
  const { id } = await trx
    .insertInto('notification_rule')
    .values({
      ...columnsOf(input),
      ...{ position: Number(last?.position ?? 0) + 1, created_at: nowMs, updated_at: nowMs, updated_by: by },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateRule = async (trx: Db, id: number, input: NotificationRuleInput, by: string, nowMs: number) => {
  await trx
    .updateTable('notification_rule')
    .set({ ...columnsOf(input), updated_at: nowMs, updated_by: by })
    .where('id', '=', id)
    .execute()
  // What was promised to those who were told holds with the rule as it is now.
  await trx
    .updateTable('notification_thread')
    .set({ rule_name: input.name, tell_recovery: input.tellRecovery ? 1 : 0 })
    .where('rule_id', '=', id)
    .execute()
}

/** Accounts that administer, by themselves or by a group. */
export const readAdmins = async (db: Db): Promise<Set<number>> => {
  const own = await db.selectFrom('account_claim').select('account_id').where('claim', '=', 'admin').execute()
  const grouped = await db
    .selectFrom('user_group_claim')
    .innerJoin('user_group_member', 'user_group_member.group_id', 'user_group_claim.group_id')
    .select('user_group_member.account_id')
    .where('user_group_claim.claim', '=', 'admin')
    .execute()
  return new Set([...own, ...grouped].map(({ account_id }) => account_id))
}
