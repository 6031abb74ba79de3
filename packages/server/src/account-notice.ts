import { type AlertMessage, type AlertType, accountStream, fold, GLOBAL_STREAM, HUBS } from '@narval/contracts'
import { type Severity, severityRank } from '@narval/engine'
import type { SafetyNotice } from './features/account/safety-notice.ts'
import type { Hubs, Wanted } from './hub/hubs.ts'
import type { Database } from './store/database.ts'

interface NoticeDeps {
  readonly database: Database
  readonly hubs: Hubs
  readonly now: () => number
}

/** What one account alone is told. */
export interface PersonalNotice {
  /** Unique: what has the same is told once. */
  readonly key: string
  readonly type: AlertType
  readonly severity: Severity
  readonly title: string
  readonly message: string
  /** Where it leads in the console. */
  readonly link: string
}

/** Warns one account of what befell it. */
export const warnAccount = (deps: NoticeDeps, accountId: number, notice: SafetyNotice): Promise<void> =>
  tellAccount(deps, accountId, { ...notice, type: 'Warning', severity: 'warning', link: '/user/myaccount' })

/** Tells one account, and nobody else: kept among its notifications, and pushed to where it is signed in, if it is wanted there now. */
export const tellAccount = async (
  deps: NoticeDeps,
  accountId: number,
  notice: PersonalNotice,
  wants?: Wanted,
): Promise<void> => {
  const { key, severity, type, title, message: text, link } = notice
  const alert = { type, title, message: text, link }
  const row = await deps.database.db
    .insertInto('outbox')
    .values({
      event_key: key,
      at: deps.now(),
      severity_rank: severityRank(severity),
      ...alert,
      incident_id: null,
      account_id: accountId,
      text_folded: fold(`${title} ${text}`),
    })
    .onConflict(conflict => conflict.column('event_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) return
  const message: AlertMessage = { ...alert, id: row.id }
  deps.hubs.publish(HUBS.communication.path, accountStream(accountId), HUBS.communication.event, [message], wants)
}

/** What people are told of an act of somebody else. */
export interface ToldToOthers {
  readonly title: string
  readonly message: string
  readonly link: string
}

/** Tells everybody who is signed in but this account what it has done; those who are away find it on the timeline. */
export const tellOthers = (hubs: Hubs, accountId: number, told: ToldToOthers, wants: Wanted): void => {
  const message: AlertMessage = { type: 'Info', ...told }
  const { path, event } = HUBS.communication
  hubs.publish(path, GLOBAL_STREAM, event, [message], userId => userId !== accountId && wants(userId))
}
