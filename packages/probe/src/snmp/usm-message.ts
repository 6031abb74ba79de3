import { BerError, type BerReader, berElement, berInteger, berOctets, TAG } from './ber.ts'
import { decodePdu, encodePdu, openMessage, PDU, type RequestPdu, type ResponsePdu } from './pdu.ts'
import {
  type AuthProtocol,
  digestBytes,
  type EngineClock,
  encrypt,
  type KeyExtension,
  localizedKey,
  messageDigest,
  type PrivProtocol,
  privacyKey,
} from './usm-keys.ts'

export interface UsmUser {
  readonly name: string
  readonly contextName: string
  /** Null in noAuthNoPriv. */
  readonly auth: { readonly protocol: AuthProtocol; readonly password: Buffer } | null
  /** Null without privacy; never without `auth`. */
  readonly priv: { readonly protocol: PrivProtocol; readonly password: Buffer } | null
}

export const FLAG = { auth: 1, priv: 2, reportable: 4 } as const
const MESSAGE_MAX = 65_507
const USM = 3

/** A message of the user-based security model, as it is on the wire. */
export interface Message extends EngineClock {
  readonly bytes: Buffer
  readonly id: number
  readonly flags: number
  readonly engineId: Buffer
  readonly user: Buffer
  readonly digestAt: number
  readonly digestLength: number
  readonly salt: Buffer
  /** The scoped PDU, or the octets that it is encrypted in. */
  readonly data: BerReader
}

/** A message whose sender knows the engine that it is for or from; null for another version or security model. */
export const readMessage = (bytes: Buffer): Message | null => {
  const message = readAnyMessage(bytes)
  if (message?.engineId.length === 0) throw new BerError('engine')
  return message
}

/** The same, also without engine: what a sender that looks for one writes. */
export const readAnyMessage = (bytes: Buffer): Message | null => {
  const { version, body } = openMessage(bytes)
  if (version !== 3) return null
  const header = body.enter(TAG.sequence)
  const id = header.integer()
  header.integer()
  const flags = header.octets()[0]
  if (flags === undefined) throw new BerError('flags')
  if (header.integer() !== USM) return null
  const outer = body.enter(TAG.octets)
  const parameters = outer.enter(TAG.sequence)
  const engineId = parameters.octets()
  const boots = parameters.integer()
  const time = parameters.integer()
  const user = parameters.octets()
  const digest = parameters.octets()
  const salt = parameters.octets()
  const inRange = boots >= 0 && boots <= 0x7fff_ffff && time >= 0 && time <= 0x7fff_ffff
  if (!inRange || engineId.length > 64) throw new BerError('engine')
  const digestAt = digest.byteOffset - bytes.byteOffset
  return { bytes, id, flags, engineId, user, boots, time, digestAt, digestLength: digest.length, salt, data: body }
}

export const scopedPdu = (reader: BerReader): ResponsePdu => {
  const scoped = reader.enter(TAG.sequence)
  scoped.octets()
  scoped.octets()
  return decodePdu(scoped)
}

const EMPTY = Buffer.alloc(0)

const message = (id: number, flags: number, parameters: readonly Buffer[], data: Buffer): Buffer =>
  berElement(
    TAG.sequence,
    berInteger(3),
    berElement(TAG.sequence, berInteger(id), berInteger(MESSAGE_MAX), berOctets(Buffer.from([flags])), berInteger(USM)),
    berOctets(berElement(TAG.sequence, ...parameters)),
    data,
  )

/** Asks an unknown engine for its name and clock: without user, engine or varbind (RFC 3414, 4). */
export const discovery = (id: number, requestId: number): Buffer => {
  const scoped = berElement(
    TAG.sequence,
    berOctets(EMPTY),
    berOctets(EMPTY),
    encodePdu({ tag: PDU.get, requestId, oids: [] }),
  )
  const parameters = [
    berOctets(EMPTY),
    berInteger(0),
    berInteger(0),
    berOctets(EMPTY),
    berOctets(EMPTY),
    berOctets(EMPTY),
  ]
  return message(id, FLAG.reportable, parameters, scoped)
}

export const request = (
  id: number,
  pdu: RequestPdu,
  user: UsmUser,
  engineId: Buffer,
  clock: EngineClock,
  extension: KeyExtension,
): Buffer => {
  const scoped = berElement(TAG.sequence, berOctets(engineId), berOctets(user.contextName), encodePdu(pdu))
  return secured(id, FLAG.reportable, scoped, user, engineId, clock, extension)
}

/** A scoped PDU in a message, authenticated and encrypted as the user says. `reportable`: `FLAG.reportable`, or 0. */
export const secured = (
  id: number,
  reportable: number,
  scoped: Buffer,
  user: UsmUser,
  engineId: Buffer,
  clock: EngineClock,
  extension: KeyExtension,
): Buffer => {
  const { auth, priv } = user
  const secret =
    auth === null || priv === null
      ? null
      : encrypt(
          priv.protocol,
          privacyKey(auth.protocol, priv.protocol, priv.password, engineId, extension),
          clock,
          scoped,
        )
  const flags = reportable | (auth === null ? 0 : FLAG.auth) | (secret === null ? 0 : FLAG.priv)
  const wrap = (digest: Buffer): Buffer =>
    message(
      id,
      flags,
      [
        berOctets(engineId),
        berInteger(auth === null ? 0 : clock.boots),
        berInteger(auth === null ? 0 : clock.time),
        berOctets(user.name),
        berOctets(digest),
        berOctets(secret?.salt ?? EMPTY),
      ],
      secret === null ? scoped : berOctets(secret.bytes),
    )
  if (auth === null) return wrap(EMPTY)
  const blank = wrap(Buffer.alloc(digestBytes(auth.protocol)))
  return wrap(messageDigest(auth.protocol, localizedKey(auth.protocol, auth.password, engineId), blank))
}
