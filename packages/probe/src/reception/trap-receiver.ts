import type { CheckCredential } from '@narval/contracts'
import { berElement, berInteger, berOctets, berOid, berReader, TAG } from '../snmp/ber.ts'
import { openMessage, PDU } from '../snmp/pdu.ts'
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
} from '../snmp/usm-keys.ts'
import { FLAG, type Message, readAnyMessage, secured, type UsmUser } from '../snmp/usm-message.ts'
import { decodeTrap, TRAP_PDU, type TrapMessage } from './trap-message.ts'

export type TrapCredential = Extract<CheckCredential, { kind: 'snmp' }>

/** Why a trap is not believed, for people who set the credentials. */
export type TrapRefusal = 'community' | 'version' | 'user' | 'level' | 'digest' | 'time' | 'decryption'

export type OpenedTrap =
  /** `reply` acknowledges an inform. */
  | { readonly kind: 'trap'; readonly trap: TrapMessage; readonly reply: Buffer | null }
  /** A sender that asks who we are, or what our clock is, before its inform. */
  | { readonly kind: 'question'; readonly reply: Buffer }
  | { readonly kind: 'refused'; readonly why: TrapRefusal }

/** Our own SNMPv3 engine, which is the authoritative one of informs. */
export interface OwnEngine {
  readonly id: Buffer
  readonly clock: () => EngineClock
  /** Whether a message of another engine is no repetition of an old one; to be asked of authentic ones alone. */
  readonly isFresh: (engineId: Buffer, clock: EngineClock) => boolean
}

const refused = (why: TrapRefusal): OpenedTrap => ({ kind: 'refused', why })

/**
 * Opens a trap or an inform with the host's credential; null takes v1 and v2c of any community. Throws a BerError for what
 * is malformed.
 */
export const openTrap = (bytes: Buffer, credential: TrapCredential | null, engine: OwnEngine): OpenedTrap => {
  const { version, body } = openMessage(bytes)
  if (version === 3) return openV3(bytes, credential, engine)
  const community = body.octets()
  if (credential !== null) {
    if (credential.version === 'v3') return refused('version')
    if (!community.equals(Buffer.from(credential.community))) return refused('community')
  }
  const at = body.position()
  const isInform = body.peek() === TRAP_PDU.inform
  const trap = decodeTrap(body)
  return { kind: 'trap', trap, reply: isInform ? withTag(bytes, at, PDU.response) : null }
}

/** An acknowledgement is the inform itself under another tag: same number, same values (RFC 3416, 4.2.7). */
const withTag = (bytes: Buffer, at: number, tag: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = tag
  return copy
}

const userOf = (credential: TrapCredential): UsmUser => {
  const { user: name, contextName, authProtocol, privProtocol } = credential
  return {
    name,
    contextName,
    auth: authProtocol === 'none' ? null : { protocol: authProtocol, password: Buffer.from(credential.authPassword) },
    priv: privProtocol === 'none' ? null : { protocol: privProtocol, password: Buffer.from(credential.privPassword) },
  }
}

const TIME_WINDOW_S = 150

const openV3 = (bytes: Buffer, credential: TrapCredential | null, engine: OwnEngine): OpenedTrap => {
  const message = readAnyMessage(bytes)
  if (message === null || credential?.version !== 'v3') return refused('version')
  const isOwn = message.engineId.equals(engine.id)
  const isReportable = (message.flags & FLAG.reportable) !== 0
  if (!isOwn && (isReportable || message.engineId.length === 0))
    return { kind: 'question', reply: report(message, engine, REPORT.unknownEngine, NOBODY) }
  const user = userOf(credential)
  if (!message.user.equals(Buffer.from(user.name))) return refused('user')
  const [isSigned, isSecret] = [(message.flags & FLAG.auth) !== 0, (message.flags & FLAG.priv) !== 0]
  if (isSigned !== (user.auth !== null) || isSecret !== (user.auth !== null && user.priv !== null))
    return refused('level')
  if (user.auth !== null) {
    const key = localizedKey(user.auth.protocol, user.auth.password, message.engineId)
    const isRight =
      message.digestLength === digestBytes(user.auth.protocol) &&
      isAuthentic(user.auth.protocol, key, bytes, message.digestAt)
    if (!isRight) return refused('digest')
    const isTimely = isOwn ? isInWindow(message, engine.clock()) : engine.isFresh(message.engineId, message)
    if (!isTimely && isOwn && isReportable)
      return { kind: 'question', reply: report(message, engine, REPORT.notInWindow, user) }
    if (!isTimely) return refused('time')
  }
  return openScoped(message, user, engine)
}

const isInWindow = ({ boots, time }: EngineClock, own: EngineClock): boolean =>
  boots === own.boots && Math.abs(time - own.time) <= TIME_WINDOW_S

const openScoped = (message: Message, user: UsmUser, engine: OwnEngine): OpenedTrap => {
  const { auth, priv } = user
  if (auth === null || priv === null) {
    const start = message.data.position()
    message.data.enter(TAG.sequence)
    return trapIn(message, message.bytes.subarray(start, message.data.position()), user, engine, 'blumenthal')
  }
  const secret = message.data.octets()
  const ways = isExtended(auth.protocol, priv.protocol) ? KEY_EXTENSIONS : (['blumenthal'] as const)
  for (const extension of ways) {
    const key = privacyKey(auth.protocol, priv.protocol, priv.password, message.engineId, extension)
    const plain = decrypt(priv.protocol, key, message, message.salt, secret)
    if (plain === null || plain[0] !== TAG.sequence) continue
    try {
      return trapIn(message, plain, user, engine, extension)
    } catch {
      // Noise that began like a sequence: the other way of making keys longer may read it.
    }
  }
  return refused('decryption')
}

const trapIn = (
  message: Message,
  scoped: Buffer,
  user: UsmUser,
  engine: OwnEngine,
  extension: KeyExtension,
): OpenedTrap => {
  const outer = berReader(scoped)
  const inner = outer.enter(TAG.sequence)
  inner.octets()
  inner.octets()
  const at = inner.position()
  const isInform = inner.peek() === TRAP_PDU.inform
  const trap = decodeTrap(inner)
  if (!isInform) return { kind: 'trap', trap, reply: null }
  // What a cipher added behind the PDU stays out of the answer.
  const answer = withTag(scoped.subarray(0, outer.position()), at, PDU.response)
  return { kind: 'trap', trap, reply: secured(message.id, 0, answer, user, engine.id, engine.clock(), extension) }
}

const REPORT = { notInWindow: '1.3.6.1.6.3.15.1.1.2.0', unknownEngine: '1.3.6.1.6.3.15.1.1.4.0' } as const
const NOBODY: UsmUser = { name: '', contextName: '', auth: null, priv: null }

/** Says by a report who we are and what our clock is; authenticated when the user is known (RFC 3414, 3.2). */
const report = (message: Message, engine: OwnEngine, oid: string, user: UsmUser): Buffer => {
  const counter = berElement(TAG.counter32, Buffer.from([1]))
  const varbind = berElement(TAG.sequence, berOid(oid), counter)
  const pdu = berElement(PDU.report, berInteger(0), berInteger(0), berInteger(0), berElement(TAG.sequence, varbind))
  const scoped = berElement(TAG.sequence, berOctets(engine.id), berOctets(Buffer.alloc(0)), pdu)
  const told = { ...user, priv: null }
  return secured(message.id, 0, scoped, told, engine.id, engine.clock(), 'blumenthal')
}
