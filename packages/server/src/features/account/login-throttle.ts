import { fold } from '@narval/contracts'
import { tooMany } from '../../http/refusal.ts'
import type { Db } from '../../store/database.ts'
import { clearLoginFailures, findLoginFailures, saveLoginFailure } from './session.store.ts'

/** Free tries, then a delay that doubles from 1 s up to 15 min; forgotten after a day without failure (S05). */
const FREE = { account: 5, address: 30 } as const
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 15 * 60_000
const FORGET_MS = 24 * 3_600_000

export interface LoginThrottle {
  /** Refuses with 429 while a delay runs. An account is delayed per address, so that nobody locks out another (S05). */
  admit(login: string, address: string): Promise<void>
  failed(login: string, address: string): Promise<void>
  succeeded(login: string, address: string): Promise<void>
}

const keysOf = (login: string, address: string) =>
  [
    { key: `account:${fold(login)}@${address}`, free: FREE.account },
    { key: `address:${address}`, free: FREE.address },
  ] as const

export const createLoginThrottle = (db: Db, now: () => number, enabled: boolean): LoginThrottle => ({
  async admit(login, address) {
    if (!enabled) return
    const rows = await findLoginFailures(
      db,
      keysOf(login, address).map(({ key }) => key),
    )
    const waitMs = Math.max(0, ...rows.map(row => row.blocked_until - now()))
    if (waitMs > 0) throw tooMany(waitMs)
  },
  async failed(login, address) {
    if (!enabled) return
    const keys = keysOf(login, address)
    const rows = await findLoginFailures(
      db,
      keys.map(({ key }) => key),
    )
    for (const { key, free } of keys) {
      const known = rows.find(row => row.key === key)
      const failures = known === undefined || now() - known.last_at > FORGET_MS ? 1 : known.failures + 1
      const delayMs =
        failures < free ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(30, failures - free))
      await saveLoginFailure(db, { key, failures, last_at: now(), blocked_until: now() + delayMs })
    }
  },
  async succeeded(login, address) {
    if (enabled) await clearLoginFailures(db, [keysOf(login, address)[0].key])
  },
})
