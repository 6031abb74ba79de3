import { fold } from '@narval/contracts'
import type { Db } from '../../store/database.ts'

/** The login that a counter of wrong passwords is of; null for one of an address. Neither an address nor a uuid has an `@`. */
const loginOf = (key: string): string | null => {
  const mark = key.indexOf(':')
  const [kind, rest] = [key.slice(0, mark), key.slice(mark + 1)]
  if (kind === 'account') return rest
  return kind === 'pair' || kind === 'device' ? rest.slice(0, rest.lastIndexOf('@')) : null
}

/** Until when attempts on accounts have to wait, from somewhere at least, by folded login (epoch ms). */
export const lockedLogins = async (db: Db, nowMs: number): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('login_failure')
    .select(['key', 'blocked_until'])
    .where('blocked_until', '>', nowMs)
    .execute()
  const until = new Map<string, number>()
  for (const { key, blocked_until } of rows) {
    const login = loginOf(key)
    if (login !== null) until.set(login, Math.max(until.get(login) ?? 0, blocked_until))
  }
  return until
}

/** Forgets the wrong passwords that were tried on an account; those that an address tried on many stay. */
export const unlockLogin = async (db: Db, login: string): Promise<void> => {
  const folded = fold(login)
  const rows = await db
    .selectFrom('login_failure')
    .select('key')
    .where(eb =>
      eb.or([
        eb('key', '=', `account:${folded}`),
        eb('key', '>=', `pair:${folded}@`).and('key', '<', `pair:${folded}A`),
        eb('key', '>=', `device:${folded}@`).and('key', '<', `device:${folded}A`),
      ]),
    )
    .execute()
  const own = rows.map(row => row.key).filter(key => loginOf(key) === folded)
  if (own.length > 0) await db.deleteFrom('login_failure').where('key', 'in', own).execute()
}
