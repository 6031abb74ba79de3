import { sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { rotationText } from '@narval/contracts'
import { errorCode } from './failure.ts'
import { type Identity, type KeyPair, newKeyPair, saveIdentity } from './identity.ts'
import { type KeyRing, type Session, type SessionAnswer, sentenceOf } from './session.ts'

export interface ChangingKeyRing extends KeyRing {
  /** A new key, on disk beside the present one, or the one that a change which did not end left there. @throws when it can't be written. */
  readonly prepare: () => KeyPair
  /** The server said that it took the new key: it signs first from now on. */
  readonly prefer: () => void
}

/**
 * The keys of an enrolled probe. While its key changes both are on disk: whichever the server takes is the probe's, so that
 * a lost answer, or a probe killed at any moment, locks nobody out.
 */
export const createKeyRing = (folder: string, identity: Identity): ChangingKeyRing => {
  let held = identity
  let prefersNext = false
  const pairs = (): readonly [KeyPair, KeyPair | null] => {
    const own = { privateKey: held.privateKey, publicKey: held.publicKey }
    return prefersNext && held.next !== null ? [held.next, own] : [own, held.next]
  }
  return {
    current: () => pairs()[0],
    other: () => pairs()[1],
    prepare: () => {
      const next = held.next ?? newKeyPair()
      if (held.next === null) {
        saveIdentity(folder, { ...held, next })
        held = { ...held, next }
      }
      return next
    },
    prefer: () => {
      prefersNext = true
    },
    accepted: ({ publicKey }) => {
      if (publicKey !== held.next?.publicKey) return
      held = { ...held, ...held.next, next: null }
      prefersNext = false
      try {
        saveIdentity(folder, held)
      } catch {
        // The disk keeps both: the next start finds out again which one counts.
      }
    },
  }
}

const ROTATE_LIMIT_MS = 5_000
const ATTEMPTS = 3
const PAUSE_MS = 500

/** Has the server take a new key; null when it has, else why not, in French. Asked twice, the server says the same. */
export const rotateKey = async (
  session: Session,
  ring: ChangingKeyRing,
  probe: number,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<string | null> => {
  const old = ring.current()
  let next: KeyPair
  try {
    next = ring.prepare()
  } catch (error) {
    return words.notKept(errorCode(error))
  }
  const proof = sign(null, Buffer.from(rotationText(probe, old.publicKey, next.publicKey)), next.privateKey)
  const body = JSON.stringify({ publicKey: next.publicKey, proof: proof.toString('base64') })
  for (let attempt = 1; ; attempt += 1) {
    const answer = await session.call('POST', '/api/Probe/Rotate', body, ROTATE_LIMIT_MS, signal)
    if (answer.kind === 'signed' && answer.status < 300) {
      ring.prefer()
      return null
    }
    const isFinal = answer.kind === 'signed' && answer.status < 500
    if (isFinal || attempt === ATTEMPTS || signal.aborted) return reasonOf(answer)
    await pause(pauseMs)
  }
}

const reasonOf = (answer: SessionAnswer): string => {
  if (answer.kind === 'failed') return answer.reason
  return answer.kind === 'signed' ? sentenceOf(answer.status, answer.body) : words.unsigned
}

const words = {
  notKept: (code: string) => `la nouvelle clé n’a pu être écrite sur le disque de la sonde (${code})`,
  unsigned: 'la réponse ne venait pas du serveur attendu\u202f: la clé n’est pas changée',
} as const
