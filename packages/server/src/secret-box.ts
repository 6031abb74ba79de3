import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { unavailable } from './http/refusal.ts'

/** Bytes of a key, of its nonce (random for each text) and of its tag: AES-256-GCM. */
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export const UNREADABLE_KEYS =
  'La clé des secrets manque ou n’est pas lisible : aucun secret ne peut être enregistré pour le moment.'

/** Where keys are kept, outside the database; the first one seals, the others only open what they sealed. */
export interface KeyStore {
  /** Empty when they are missing or can't be read. */
  readonly keys: readonly Buffer[]
  /** Keeps this list durably before it returns; null when the keys are given from outside and nothing can be added. */
  readonly save: ((keys: readonly Buffer[]) => void) | null
}

/** Seals a text so that it opens only with the same `bound`: the place where it is kept. */
export type Seal = (plain: string, bound: string) => string

/**
 * Secrets in the form `v1.<key>.<nonce, ciphertext and tag in base64url>`. What is sealed is bound to its place: copied
 * to another row, it does not open.
 */
export interface SecretBox {
  /** Runs a write that keeps sealed texts: a rotation waits for those under way, so that no key goes with its last text. */
  writing<T>(work: (seal: Seal) => Promise<T>): Promise<T>
  /** Null when its key is missing or wrong, when the text was changed, or when it comes from another place. */
  open(sealed: string, bound: string): string | null
  /** Id of the key that seals now; null when there is none. */
  currentKey(): string | null
  /** A new key seals from now on, on disk before any text needs it; settles when no write with an older one is under way. */
  renewKey(): Promise<void>
  /** Forgets the keys that are not among these, but the current one; gives back how many. */
  dropKeysBut(used: ReadonlySet<string>): number
}

export const KEY_ID_LENGTH = 8
interface NamedKey {
  readonly bytes: Buffer
  /** Tells which key sealed, and nothing of the key. */
  readonly id: string
}
/** What a key is called in sealed texts: tells which one it is, and nothing of it. */
export const secretKeyId = (bytes: Uint8Array): string =>
  createHash('sha256').update('narval secret key').update(bytes).digest('hex').slice(0, KEY_ID_LENGTH)
const named = (bytes: Buffer): NamedKey => ({ bytes, id: secretKeyId(bytes) })

export const createSecretBox = (store: KeyStore): SecretBox => {
  let keys = store.keys.map(named)
  const writes = new Set<Promise<unknown>>()
  const seal: Seal = (plain, bound) => {
    const [key] = keys
    if (key === undefined) throw unavailable(UNREADABLE_KEYS, 60_000)
    return sealWith(key, plain, bound)
  }
  return {
    writing(work) {
      const write = work(seal)
      const settled: Promise<unknown> = write.then(
        () => writes.delete(settled),
        () => writes.delete(settled),
      )
      writes.add(settled)
      return write
    },
    open(sealed, bound) {
      const id = keyOf(sealed)
      const key = keys.find(one => one.id === id)
      return key === undefined ? null : openWith(key.bytes, sealed, bound)
    },
    currentKey: () => keys[0]?.id ?? null,
    async renewKey() {
      if (keys.length === 0) throw unavailable(UNREADABLE_KEYS, 60_000)
      if (store.save !== null) {
        const renewed = [named(randomBytes(KEY_BYTES)), ...keys]
        store.save(renewed.map(key => key.bytes))
        keys = renewed
      }
      await Promise.all(writes)
    },
    dropKeysBut(used) {
      const kept = keys.filter((key, index) => index === 0 || used.has(key.id))
      const dropped = keys.length - kept.length
      if (dropped === 0 || store.save === null) return 0
      store.save(kept.map(key => key.bytes))
      keys = kept
      return dropped
    },
  }
}

const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/
/** Id of the key that sealed a text; null when it is no sealed text. */
export const keyOf = (sealed: string): string | null => SEALED.exec(sealed)?.[1] ?? null

const sealWith = ({ bytes: key, id }: NamedKey, plain: string, bound: string): string => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(bound))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${id}.${sealed.toString('base64url')}`
}

const openWith = (key: Buffer, sealed: string, bound: string): string | null => {
  const bytes = Buffer.from(SEALED.exec(sealed)?.[2] ?? '', 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(bound))
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
  try {
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES))
    return Buffer.concat([plain, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
