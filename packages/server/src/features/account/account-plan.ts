import type { AccountPlan } from '@narval/contracts'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { readRules } from '../../store/notification-rules.ts'

type Counted = Omit<AccountPlan, 'notificationRules'>

/** What becomes of what an account owns: see `accountPlan`. */
export const accountPlanOf = async (db: Db, id: number, login: string): Promise<AccountPlan> => {
  const answer = await sql<Counted>`select
    (select count(*) from session where account_id = ${id} and ended_at is null) as sessions,
    (select count(*) from api_token where account_id = ${id}) as "apiTokens",
    (select count(*) from saved_view where account_id = ${id}) as views,
    (select count(*) from saved_view where account_id = ${id} and shared = 1) as "sharedViews",
    (select count(*) from outbox where account_id = ${id}) as notifications,
    (select count(*) from comment where author_id = ${id}) as comments,
    (select count(*) from incident where acknowledged_by = ${login}) as acknowledgements,
    (select count(*) from incident where owner = ${login} and closed_at is null) as "ownedIncidents",
    (select count(*) from maintenance where author = ${login}) as maintenances,
    (select count(*) from field_value v join field_definition d on d.id = v.definition_id
      where d.type = 'user' and v.value_number = ${id}) as "fieldValues"`.execute(db)
  const [row] = answer.rows
  const count = (name: keyof Counted): number => Number(row?.[name] ?? 0)
  return {
    sessions: count('sessions'),
    apiTokens: count('apiTokens'),
    views: count('views'),
    sharedViews: count('sharedViews'),
    notifications: count('notifications'),
    comments: count('comments'),
    acknowledgements: count('acknowledgements'),
    ownedIncidents: count('ownedIncidents'),
    maintenances: count('maintenances'),
    notificationRules: await rulesNaming(db, 'accountIds', id),
    fieldValues: count('fieldValues'),
  }
}

/** Rules of which some step tells this account or group by name. */
export const rulesNaming = async (db: Db, kind: 'accountIds' | 'groupIds', id: number): Promise<number> =>
  (await readRules(db)).filter(rule => rule.steps.some(step => step[kind].includes(id))).length
