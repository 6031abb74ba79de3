import { fold } from '@narval/contracts'
import { tooMany } from '../../http/refusal.ts'
import type { Db } from '../../store/database.ts'
import { clearLoginFailures, findLoginFailures, saveLoginFailure } from './session.store.ts'

/**
 * Free tries, then a delay that doubles from 1 s up to 15 min; forgotten after a day without failure (S05). A device
 * from which the account has signed in before is counted by itself alone: whatever others do, from the same address or
 * to the same account, its owner gets in.
 */
const FREE = { device: 5, pair: 5, address: 30, account: 100 } as const
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 15 * 60_000
const FORGET_MS = 24 * 3_600_000

/** Who tries to sign in, to what. */
export interface Attempt {
  readonly login: string
  readonly address: string
  readonly uuid: string
  /** The account exists and has signed in from this device before. */
  readonly knownDevice: boolean
}

export interface LoginThrottle {
  /** Refuses with 429 while a delay runs. */
  admit(attempt: Attempt): Promise<void>
  failed(attempt: Attempt): Promise<void>
  succeeded(attempt: Attempt): Promise<void>
}

interface Counter {
  readonly key: string
  readonly free: number
}

const countersOf = ({ login, address, uuid, knownDevice }: Attempt): readonly [Counter, ...Counter[]] => {
  const account = fold(login)
  if (knownDevice) return [{ key: `device:${account}@${uuid.toLowerCase()}`, free: FREE.device }]
  return [
    { key: `pair:${account}@${address}`, free: FREE.pair },
    { key: `address:${address}`, free: FREE.address },
    { key: `account:${account}`, free: FREE.account },
  ]
}

export const createLoginThrottle = (db: Db, now: () => number, enabled: boolean): LoginThrottle => ({
  async admit(attempt) {
    if (!enabled) return
    const rows = await findLoginFailures(
      db,
      countersOf(attempt).map(({ key }) => key),
    )
    const waitMs = Math.max(0, ...rows.map(row => row.blocked_until - now()))
    if (waitMs > 0) throw tooMany(waitMs)
  },
  async failed(attempt) {
    if (!enabled) return
    const counters = countersOf(attempt)
    const rows = await findLoginFailures(
      db,
      counters.map(({ key }) => key),
    )
    for (const { key, free } of counters) {
      const known = rows.find(row => row.key === key)
      const failures = known === undefined || now() - known.last_at > FORGET_MS ? 1 : known.failures + 1
      const delayMs =
        failures < free ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(30, failures - free))
      await saveLoginFailure(db, { key, failures, last_at: now(), blocked_until: now() + delayMs })
    }
  },
  // Only the first counter: a right password of one's own does not wipe out what an address tried on others.
  async succeeded(attempt) {
    if (enabled) await clearLoginFailures(db, [countersOf(attempt)[0].key])
  },
})
