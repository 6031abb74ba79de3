import { type OwnAccount, ownAccount, type Tokens } from '@narval/contracts'
import { decrypt, encrypt, uuidFrom } from './cipher.ts'

/** Version of what local storage holds: another one empties it (spec §9). */
export const STORAGE_VERSION = 'v2.0.1'
/** Keys of local storage; there are no others. */
export const STORAGE_KEYS = {
  token: 'jwt',
  refreshToken: 'refreshToken',
  user: 'user',
  uuid: 'uuid',
  version: 'version',
} as const

export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** The session's part of local storage (spec §8, §9). */
export interface LocalSession {
  /** Token, refresh token and device id, or null when one of the three is missing or unreadable. */
  read(): { readonly token: string; readonly refreshToken: string; readonly uuid: string } | null
  token(): string | null
  /** True when nothing of a session is stored. */
  empty(): boolean
  write(tokens: Tokens): void
  user(): OwnAccount | null
  writeUser(user: OwnAccount): void
  /** The device's id, made once. */
  uuid(): string
  /** Forgets token, refresh token and user; keeps the device's id and the version. */
  clear(): void
}

export const createLocalSession = (store: KeyValueStore, randomBytes: (length: number) => Uint8Array): LocalSession => {
  if (store.getItem(STORAGE_KEYS.version) !== STORAGE_VERSION) {
    store.clear()
    store.setItem(STORAGE_KEYS.version, STORAGE_VERSION)
  }
  const secret = (key: string): string | null => {
    const sealed = store.getItem(key)
    return sealed === null ? null : decrypt(sealed)
  }
  const token = () => store.getItem(STORAGE_KEYS.token) || null
  return {
    token,
    empty: () => token() === null && store.getItem(STORAGE_KEYS.refreshToken) === null,
    read() {
      const access = token()
      const refreshToken = secret(STORAGE_KEYS.refreshToken)
      const uuid = store.getItem(STORAGE_KEYS.uuid)
      return access && refreshToken && uuid ? { token: access, refreshToken, uuid } : null
    },
    write(tokens) {
      // The refresh token first: another tab is told by the change of the session token, and reads both.
      store.setItem(STORAGE_KEYS.refreshToken, encrypt(tokens.refreshToken, randomBytes))
      store.setItem(STORAGE_KEYS.token, tokens.token)
    },
    user() {
      const text = secret(STORAGE_KEYS.user)
      if (text === null) return null
      const parsed = ownAccount.safeParse(parseJson(text))
      return parsed.success ? parsed.data : null
    },
    writeUser: user => store.setItem(STORAGE_KEYS.user, encrypt(JSON.stringify(user), randomBytes)),
    uuid() {
      const known = store.getItem(STORAGE_KEYS.uuid)
      if (known !== null) return known
      const made = uuidFrom(randomBytes)
      store.setItem(STORAGE_KEYS.uuid, made)
      return made
    },
    clear() {
      for (const key of [STORAGE_KEYS.refreshToken, STORAGE_KEYS.user, STORAGE_KEYS.token]) store.removeItem(key)
    },
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
