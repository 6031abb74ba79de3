import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from './database.ts'

/** What of an entry its seal covers. */
export interface SealedContent {
  readonly at: number
  readonly kind: string
  readonly actor: string | null
  readonly address: string
  readonly action: string
  readonly object: string
  readonly outcome: string
  readonly detail: string
  readonly site_id: number | null
}

/** Seals entries and links them with a key that the database never holds. */
export interface AuditSeals {
  /** Proves that this program wrote an entry: a random part and a digest of it with the content. */
  mark(content: SealedContent): string
  isMarked(content: SealedContent, mark: string): boolean
  /** Seal of an entry at a place of the chain: it covers the seal before, so all that was written before. */
  link(before: string, position: number, mark: string): string
  /** Digest of a checkpoint. */
  checkpoint(position: number, seal: string): string
}

export const createAuditSeals = (key: Uint8Array): AuditSeals => {
  const digest = (...parts: readonly (string | number | null)[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
  const digestOf = (nonce: string, one: SealedContent): string =>
    digest(
      ...['narval-entry-1', nonce, one.at, one.kind, one.actor, one.address, one.action, one.object, one.outcome],
      ...[one.detail, one.site_id],
    )
  return {
    mark(content) {
      const nonce = randomBytes(12).toString('base64url')
      return `${nonce}.${digestOf(nonce, content)}`
    },
    isMarked(content, mark) {
      const cut = mark.indexOf('.')
      return cut > 0 && isSame(mark.slice(cut + 1), digestOf(mark.slice(0, cut), content))
    },
    link: (before, position, mark) => digest('narval-chain-1', before, position, mark),
    checkpoint: (position, seal) => digest('narval-checkpoint-1', position, seal),
  }
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

interface Sealing {
  readonly seals: AuditSeals
  readonly onWritten: () => void
}
/** By what a database and its transactions share, so that whoever writes needs nothing but the transaction. */
const sealings = new WeakMap<object, Sealing>()

/** Gives a database the key of its log; `onWritten` hears of each write, before its transaction ends. */
export const attachAuditKey = (db: Db, key: Uint8Array, onWritten: () => void = () => undefined): void => {
  sealings.set(db.getExecutor().adapter, { seals: createAuditSeals(key), onWritten })
}

/** @throws when the database was given no key: nothing is written without a seal. */
export const sealingOf = (db: Db): Sealing => {
  const sealing = sealings.get(db.getExecutor().adapter)
  if (sealing === undefined) throw new Error('the key of the log is missing')
  return sealing
}
