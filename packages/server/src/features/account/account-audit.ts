import { OWN_PICTURE } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { type AuditAction, audit } from '../../store/audit.ts'
import { changesOf } from '../../store/audit-change.ts'
import type { Db } from '../../store/database.ts'
import type { AccountRecord } from './account.store.ts'

interface AuditedAccount {
  readonly id: number
  readonly login: string
  readonly before: object | null
  readonly after: object | null
}

/** One line of the audit with what differs of an account, in the transaction of the change; none when nothing does. */
export const auditAccount = async (
  trx: Db,
  { viewer, address, nowMs }: { readonly viewer: Viewer; readonly address: string; readonly nowMs: number },
  action: AuditAction,
  { id, login, before, after }: AuditedAccount,
): Promise<void> => {
  const changes = changesOf(before, after)
  if (before !== null && after !== null && Object.keys(changes).length === 0) return
  const entry = { action, outcome: 'success', actor: viewer.login, address, object: `account ${id}` } as const
  await audit(trx, { ...entry, detail: { name: login, changes } }, nowMs)
}

/** What of an account is told to have changed: nothing of its password, nothing of how the console looks to it. */
export const auditedOf = ({ login, firstName, lastName, email, phone, avatar, enabled, groups }: AccountRecord) => ({
  ...{ login, firstName, lastName, email, phone, enabled },
  avatar: pictureOf(avatar),
  groups: groups.map(group => group.name),
})

const pictureOf = (avatar: string): string => (OWN_PICTURE.test(avatar) ? 'image personnelle' : avatar)
