import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { unavailable } from '../../http/refusal.ts'

/** argon2id by the OWASP figures (S01): memory in KiB, passes, lanes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const TAG_LENGTH = 32
/** Hashes that run at once: the others wait, so that a storm of sign-ins leaves memory and threads to the rest (S07). */
const CONCURRENT = 2
/** More than this would wait for longer than anybody does: they are told to come back. */
const WAITING = 200

const derive = promisify(argon2)
let running = 0
const waiting: (() => void)[] = []

const limited = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running < CONCURRENT) running += 1
  else if (waiting.length < WAITING) await new Promise<void>(resolve => waiting.push(resolve))
  else throw unavailable('Trop de connexions en même temps : réessayez dans un moment.')
  try {
    return await work()
  } finally {
    // A place is handed over as it is, so that nobody slips in between.
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

const hashWith = (
  password: string,
  nonce: Uint8Array,
  cost: { memory: number; passes: number; parallelism: number },
): Promise<Buffer> =>
  limited(async () =>
    Buffer.from(
      await derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength: TAG_LENGTH, ...cost }),
    ),
  )

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** PHC string of a password: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const hash = await hashWith(password, salt, COST)
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whether the password is the one of the PHC string, and whether its cost is below today's. */
export const verifyPassword = async (password: string, phc: string): Promise<{ ok: boolean; outdated: boolean }> => {
  const match = PHC.exec(phc)
  if (match === null) return { ok: false, outdated: false }
  const [, memory, passes, parallelism, salt, hash] = match.map(String)
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const expected = Buffer.from(hash ?? '', 'base64')
  const actual = await hashWith(password, Buffer.from(salt ?? '', 'base64'), cost)
  const ok = expected.length === actual.length && timingSafeEqual(expected, actual)
  return { ok, outdated: cost.memory < COST.memory || cost.passes < COST.passes }
}

const ALPHABET = {
  upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  lower: 'abcdefghijkmnpqrstuvwxyz',
  digit: '23456789',
  special: '#?!@$%^&*-_',
} as const

/** A password that the policy accepts, without characters that look alike: 16 characters, some 95 bits. */
export const randomPassword = (): string => {
  const pools = [ALPHABET.upper, ALPHABET.lower, ALPHABET.digit, ALPHABET.special]
  const everything = pools.join('')
  const pick = (pool: string): string => pool.charAt(randomIndex(pool.length))
  const characters = [...pools.map(pick), ...Array.from({ length: 12 }, () => pick(everything))]
  for (let index = characters.length - 1; index > 0; index--) {
    const other = randomIndex(index + 1)
    ;[characters[index], characters[other]] = [characters[other] ?? '', characters[index] ?? '']
  }
  return characters.join('')
}

/** Uniform in [0, bound): values past the last whole multiple are drawn again. */
const randomIndex = (bound: number): number => {
  const limit = 256 - (256 % bound)
  for (;;) {
    const byte = randomBytes(1)[0] ?? 255
    if (byte < limit) return byte % bound
  }
}
