import { randomInt } from 'node:crypto'
import type { CheckFailure } from '../failure.ts'
import { berReader } from './ber.ts'
import { type Decoded, type Dialect, ignored } from './dialect.ts'
import { PDU, type ResponsePdu } from './pdu.ts'
import { words } from './snmp-words.ts'
import {
  decrypt,
  digestBytes,
  type EngineClock,
  isAuthentic,
  isExtended,
  KEY_EXTENSIONS,
  type KeyExtension,
  localizedKey,
  privacyKey,
} from './usm-keys.ts'
import { discovery, FLAG, type Message, readMessage, request, scopedPdu, type UsmUser } from './usm-message.ts'

/** What is known of an agent's engine. Kept between sessions, so that a run needs no discovery of its own. */
interface Engine {
  readonly id: Buffer
  boots: number
  time: number
  /** When `time` was so, by the monotonic clock. */
  atMs: number
  /** The way of making keys longer that it is known to use. */
  extension: KeyExtension | null
}

const ENGINES_MAX = 10_000
const engines = new Map<string, Engine>()
const keep = (place: string, engine: Engine): void => {
  const oldest = engines.keys().next()
  if (!engines.has(place) && engines.size >= ENGINES_MAX && oldest.done !== true) engines.delete(oldest.value)
  engines.set(place, engine)
}

/**
 * SNMPv3 with the user-based security model (RFC 3412, RFC 3414). An answer must bear the digest and the encryption that the
 * question had, and one of our message numbers under that digest: a replay or a forgery without the password is left aside.
 */
export const usmDialect = (user: UsmUser, place: string, nowMs: () => number): Dialect => {
  const key = `${place} ${user.name} ${user.auth?.protocol} ${user.priv?.protocol}`
  let engine: Engine | null = engines.get(key) ?? null
  let fromBefore = engine !== null
  let heard: 'nothing' | 'discovery' | 'answer' = 'nothing'
  let asked: number | null = null
  let outOfWindow = 0
  /** Numbers of the messages of the present question, and how each was encrypted. */
  const sent = new Map<number, KeyExtension>()
  const refusedExtensions = new Set<KeyExtension>()

  const learn = ({ engineId, boots, time }: Message): void => {
    engine = { id: Buffer.from(engineId), boots, time, atMs: nowMs(), extension: engine?.extension ?? null }
    fromBefore = false
    keep(key, engine)
  }
  const clockOf = ({ boots, time, atMs }: Engine): EngineClock => ({
    boots,
    time: Math.min(0x7fff_ffff, time + Math.floor((nowMs() - atMs) / 1_000)),
  })
  const extensionFor = (attempt: number): KeyExtension => {
    if (engine?.extension != null) return engine.extension
    const left = KEY_EXTENSIONS.filter(extension => !refusedExtensions.has(extension))
    return left[attempt % Math.max(1, left.length)] ?? 'blumenthal'
  }

  const report = (message: Message, pdu: ResponsePdu): Decoded => {
    const oid = pdu.varbinds[0]?.oid ?? ''
    const refused = (failure: CheckFailure): Decoded => ({ kind: 'refused', failure })
    if (heard === 'nothing') heard = 'discovery'
    switch (oid) {
      case REPORT.unknownEngine:
        if (engine?.id.equals(message.engineId) === true) return refused(words.unknownReport(oid))
        learn(message)
        return { kind: 'again' }
      case REPORT.notInWindow:
        // Only the agent itself may set our clock of it.
        if (engine === null || !authentic(message, engine)) return ignored('unauthenticated')
        outOfWindow += 1
        if (outOfWindow > 2) return refused(words.clock)
        learn(message)
        return { kind: 'again' }
      case REPORT.unknownUser:
        return refused(words.unknownUser)
      case REPORT.wrongDigest:
        return refused(words.wrongDigest)
      case REPORT.securityLevel:
        return refused(words.securityLevel)
      case REPORT.unknownContext:
      case REPORT.unavailableContext:
        return refused(words.unknownContext(user.contextName))
      case REPORT.decryption:
        return wrongKey(message.id)
      default:
        return refused(words.unknownReport(oid))
    }
  }
  /** Before the password is called wrong, the other way of making keys longer is tried. */
  const wrongKey = (messageId: number): Decoded => {
    refusedExtensions.add(sent.get(messageId) ?? 'blumenthal')
    if (user.auth !== null && user.priv !== null && isExtended(user.auth.protocol, user.priv.protocol)) {
      if (engine !== null) engine.extension = null
      if (refusedExtensions.size < KEY_EXTENSIONS.length) return { kind: 'again' }
    }
    return { kind: 'refused', failure: words.wrongKey }
  }
  const authentic = (message: Message, from: Engine): boolean =>
    user.auth !== null &&
    (message.flags & FLAG.auth) !== 0 &&
    message.engineId.equals(from.id) &&
    message.digestLength === digestBytes(user.auth.protocol) &&
    isAuthentic(
      user.auth.protocol,
      localizedKey(user.auth.protocol, user.auth.password, from.id),
      message.bytes,
      message.digestAt,
    )

  const open = (message: Message): Decoded => {
    const encrypted = (message.flags & FLAG.priv) !== 0
    if (!encrypted) {
      const pdu = scopedPdu(message.data)
      if (pdu.tag === PDU.report) return report(message, pdu)
      if (user.priv !== null) return ignored('unauthenticated')
      if (engine === null) {
        learn(message)
        return { kind: 'again' }
      }
      if (!message.engineId.equals(engine.id)) return ignored('foreign')
      if (user.auth !== null && !authentic(message, engine)) return ignored('unauthenticated')
      return accept(message, pdu, engine)
    }
    if (user.auth === null || user.priv === null || engine === null) return ignored('unauthenticated')
    if (!authentic(message, engine)) return ignored('unauthenticated')
    const extension = sent.get(message.id) ?? 'blumenthal'
    const { auth, priv } = user
    const privKey = privacyKey(auth.protocol, priv.protocol, priv.password, engine.id, extension)
    const plain = decrypt(priv.protocol, privKey, message, message.salt, message.data.octets())
    if (plain === null) return ignored('malformed')
    const pdu = scopedPdu(berReader(plain))
    if (pdu.tag === PDU.report) return report(message, pdu)
    engine.extension = extension
    return accept(message, pdu, engine)
  }
  const accept = (message: Message, pdu: ResponsePdu, from: Engine): Decoded => {
    heard = 'answer'
    if (user.auth !== null) Object.assign(from, { boots: message.boots, time: message.time, atMs: nowMs() })
    return { kind: 'answer', pdu }
  }

  return {
    version: 3,
    encode: (pdu, attempt) => {
      if (pdu.requestId !== asked) sent.clear()
      asked = pdu.requestId
      // What was known before may be of another device that had this address.
      if (attempt > 0 && fromBefore && heard === 'nothing') engine = null
      const id = randomInt(1, 0x7fff_ffff)
      const extension = extensionFor(attempt)
      sent.set(id, extension)
      return engine === null
        ? discovery(id, pdu.requestId)
        : request(id, pdu, user, engine.id, clockOf(engine), extension)
    },
    decode: bytes => {
      const message = readMessage(bytes)
      return message === null || !sent.has(message.id) ? ignored('foreign') : open(message)
    },
    silence: (target, timeoutMs) =>
      heard === 'discovery' ? words.discoveredOnly(target, timeoutMs) : words.silentV3(target, timeoutMs),
  }
}

const REPORT = {
  securityLevel: '1.3.6.1.6.3.15.1.1.1.0',
  notInWindow: '1.3.6.1.6.3.15.1.1.2.0',
  unknownUser: '1.3.6.1.6.3.15.1.1.3.0',
  unknownEngine: '1.3.6.1.6.3.15.1.1.4.0',
  wrongDigest: '1.3.6.1.6.3.15.1.1.5.0',
  decryption: '1.3.6.1.6.3.15.1.1.6.0',
  unavailableContext: '1.3.6.1.6.3.12.1.4.0',
  unknownContext: '1.3.6.1.6.3.12.1.5.0',
} as const
