import type { AccountChange, BulkReply, DatatableRequest } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { Refusal } from '../../http/refusal.ts'
import { bulkReplyOf } from '../../store/bulk.ts'
import type { Database, Db } from '../../store/database.ts'
import { targetIds } from '../../store/matching.ts'
import type { AccountService } from './account.service.ts'
import { findAccount } from './account.store.ts'
import { accountList } from './account-list.ts'
import { lockedLogins } from './account-lock.ts'
import { keepingAnAdministrator } from './account-rules.ts'
import type { SessionService } from './session.service.ts'

export interface AccountBulkDeps {
  readonly database: Database
  readonly now: () => number
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly changes: Changes
}
interface AccountBulkBody {
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
  readonly plan: boolean
  readonly change: AccountChange
}
/** Thrown out of a transaction that only wanted to know what it would do. */
class Undone extends Error {}

/** One change of many accounts, each checked as it would be alone (S35); what is refused stays as it was. */
export const createAccountBulk = ({ database, now, accounts, sessions, changes }: AccountBulkDeps) => {
  const { db } = database

  /** @returns whether it changed. */
  const step = async (trx: Db, viewer: Viewer, id: number, asked: AccountChange, address: string): Promise<boolean> => {
    const record = await findAccount(trx, { id })
    if (record === null) return false
    const held = record.groups.map(group => group.id)
    const { enabled, addGroups = [], removeGroups = [] } = asked
    const groups = [...new Set([...held, ...addGroups])].filter(one => !removeGroups.includes(one))
    const isSame = groups.length === held.length && groups.every(one => held.includes(one))
    if (isSame && (enabled === undefined || enabled === record.enabled)) return false
    await accounts.change(trx, viewer, id, { ...(enabled === undefined ? {} : { enabled }), groups }, address)
    return true
  }
  const apply = async (viewer: Viewer, id: number, body: AccountBulkBody, address: string): Promise<boolean> => {
    let isChanged = false
    try {
      await keepingAnAdministrator(database, async trx => {
        isChanged = await step(trx, viewer, id, body.change, address)
        if (body.plan) throw new Undone()
      })
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
    return isChanged
  }

  return async (viewer: Viewer, body: AccountBulkBody, address: string): Promise<BulkReply> => {
    const locked = await lockedLogins(db, now())
    const ids = await targetIds(database, accountList([...locked.keys()]), body)
    const changed: number[] = []
    const refusals: BulkReply['refusals'] = []
    for (const id of ids)
      try {
        const isUnlocked = body.change.unlock === true && (await unlocks(viewer, id, body.plan, locked, address))
        if ((await apply(viewer, id, body, address)) || isUnlocked) changed.push(id)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refusals.push({ id, name: (await findAccount(db, { id }))?.login ?? '', errors: [...error.errors] })
      }
    if (!body.plan && changed.length > 0) {
      if (body.change.enabled === false) for (const id of changed) await sessions.endAll(id, 'disabled')
      changes.emit({ entity: 'account', ids: changed, action: 'updated' })
    }
    return bulkReplyOf({ matched: ids.length, changed: changed.length, refusals })
  }

  async function unlocks(
    viewer: Viewer,
    id: number,
    plan: boolean,
    locked: ReadonlyMap<string, number>,
    address: string,
  ): Promise<boolean> {
    const { lockedUntil } = await accounts.get(id)
    if (lockedUntil === null || locked.size === 0) return false
    if (!plan) await accounts.unlock(viewer, id, address)
    return true
  }
}
export type AccountBulk = ReturnType<typeof createAccountBulk>
