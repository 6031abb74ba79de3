import { BerError, type BerReader, TAG, unsigned } from '../snmp/ber.ts'
import { decodeVarbind, type Varbind } from '../snmp/pdu.ts'
import { shownValue } from '../snmp/values.ts'
import { harmless } from './harmless.ts'

/** What a trap says, whatever its version. */
export interface TrapMessage {
  /** `snmpTrapOID`; of a v1 trap what RFC 3584 makes of it. */
  readonly oid: string
  /** Its name and what comes with it, on one line. */
  readonly text: string
}

export const TRAP_PDU = { v1: 0xa4, inform: 0xa6, v2: 0xa7 } as const

const GENERIC = '1.3.6.1.6.3.1.1.5'
const TRAP_OID = '1.3.6.1.6.3.1.1.4.1.0'
const UPTIME_OID = '1.3.6.1.2.1.1.3.0'
const ENTERPRISE_SPECIFIC = 6
const NAMES: Readonly<Record<string, string>> = {
  [`${GENERIC}.1`]: 'coldStart',
  [`${GENERIC}.2`]: 'warmStart',
  [`${GENERIC}.3`]: 'linkDown',
  [`${GENERIC}.4`]: 'linkUp',
  [`${GENERIC}.5`]: 'authenticationFailure',
  [`${GENERIC}.6`]: 'egpNeighborLoss',
}
/** Varbinds that are read: a datagram has room for thousands, of which nobody reads more than a few. */
const VARBINDS_MAX = 64
const VALUE_MAX = 300
const TEXT_MAX = 2_000

/** Reads a trap or an inform; anything else, or anything malformed, throws a BerError. */
export const decodeTrap = (reader: BerReader): TrapMessage => {
  const tag = reader.peek()
  if (tag === TRAP_PDU.v1) return decodeV1(reader.enter(tag))
  if (tag !== TRAP_PDU.v2 && tag !== TRAP_PDU.inform) throw new BerError('PDU')
  const pdu = reader.enter(tag)
  for (let field = 0; field < 3; field += 1) pdu.integer()
  const varbinds = decodeVarbinds(pdu)
  const named = varbinds.find(({ oid }) => oid === TRAP_OID)
  if (named?.type !== 'oid' || typeof named.value !== 'string') throw new BerError('trap without name')
  const own = varbinds.filter(varbind => varbind !== named && varbind.oid !== UPTIME_OID)
  return { oid: named.value, text: textOf(named.value, own, null) }
}

const decodeV1 = (pdu: BerReader): TrapMessage => {
  const enterprise = pdu.oid()
  const agent = [...pdu.octets(TAG.ipAddress)].join('.')
  const generic = pdu.integer()
  const specific = pdu.integer()
  unsigned(pdu.octets(TAG.timeTicks))
  const isSpecific = generic === ENTERPRISE_SPECIFIC
  if (!isSpecific && (generic < 0 || generic > 5)) throw new BerError('generic trap')
  const oid = isSpecific ? `${enterprise}.0.${specific}` : `${GENERIC}.${generic + 1}`
  return { oid, text: textOf(oid, decodeVarbinds(pdu), agent) }
}

const decodeVarbinds = (pdu: BerReader): Varbind[] => {
  const list = pdu.enter(TAG.sequence)
  const varbinds: Varbind[] = []
  while (!list.atEnd() && varbinds.length < VARBINDS_MAX) varbinds.push(decodeVarbind(list.enter(TAG.sequence)))
  return varbinds
}

const textOf = (oid: string, varbinds: readonly Varbind[], agent: string | null): string => {
  const name = NAMES[oid]
  const title = name === undefined ? oid : `${name} (${oid})`
  const said = varbinds.map(varbind => `${varbind.oid} = ${harmless(shownValue(varbind), VALUE_MAX)}`)
  const parts = [title, ...(agent === null || agent === '0.0.0.0' ? [] : [`agent ${agent}`]), ...said]
  return harmless(parts.join(' · '), TEXT_MAX)
}
