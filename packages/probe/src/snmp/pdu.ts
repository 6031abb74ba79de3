import { BerError, type BerReader, berElement, berInteger, berOid, berReader, TAG, unsigned } from './ber.ts'

export const PDU = { get: 0xa0, getNext: 0xa1, response: 0xa2, getBulk: 0xa5, report: 0xa8 } as const

/** What a varbind holds. `absent`: no such object or instance; `end`: the MIB ends here. */
export type SnmpType =
  | 'integer'
  | 'octets'
  | 'oid'
  | 'ip'
  | 'counter32'
  | 'counter64'
  | 'gauge'
  | 'ticks'
  | 'opaque'
  | 'null'
  | 'absent'
  | 'end'

/** Counters of 64 bits are numbers too: above 2⁵³ they are exact to 2,048. */
export interface Varbind {
  readonly oid: string
  readonly type: SnmpType
  readonly value: number | string | Buffer | null
}

export interface RequestPdu {
  readonly tag: (typeof PDU)['get' | 'getNext' | 'getBulk']
  readonly requestId: number
  readonly oids: readonly string[]
  /** Of getBulk. */
  readonly maxRepetitions?: number
}

export interface ResponsePdu {
  readonly tag: number
  readonly requestId: number
  readonly errorStatus: number
  /** From 1; 0 when the error is of no varbind in particular. */
  readonly errorIndex: number
  readonly varbinds: readonly Varbind[]
}

export const encodePdu = (pdu: RequestPdu): Buffer =>
  berElement(
    pdu.tag,
    berInteger(pdu.requestId),
    berInteger(0),
    berInteger(pdu.tag === PDU.getBulk ? (pdu.maxRepetitions ?? 10) : 0),
    berElement(TAG.sequence, ...pdu.oids.map(oid => berElement(TAG.sequence, berOid(oid), NULL))),
  )
const NULL = Buffer.from([TAG.null, 0])

/** Reads a response or a report; any other PDU, or more varbinds than a datagram can hold, throws a BerError. */
export const decodePdu = (reader: BerReader): ResponsePdu => {
  const tag = reader.peek()
  if (tag !== PDU.response && tag !== PDU.report) throw new BerError('PDU')
  const pdu = reader.enter(tag)
  const requestId = pdu.integer()
  const errorStatus = pdu.integer()
  const errorIndex = pdu.integer()
  const list = pdu.enter(TAG.sequence)
  const varbinds: Varbind[] = []
  while (!list.atEnd()) varbinds.push(decodeVarbind(list.enter(TAG.sequence)))
  return { tag, requestId, errorStatus, errorIndex, varbinds }
}

export const decodeVarbind = (reader: BerReader): Varbind => {
  const oid = reader.oid()
  const tag = reader.peek()
  switch (tag) {
    case TAG.integer:
      return { oid, type: 'integer', value: reader.integer() }
    case TAG.counter32:
      return { oid, type: 'counter32', value: unsigned(reader.octets(tag)) }
    case TAG.gauge32:
    case TAG.unsigned32:
      return { oid, type: 'gauge', value: unsigned(reader.octets(tag)) }
    case TAG.timeTicks:
      return { oid, type: 'ticks', value: unsigned(reader.octets(tag)) }
    case TAG.counter64:
      return { oid, type: 'counter64', value: unsigned(reader.octets(tag)) }
    case TAG.octets:
    case TAG.bits:
      return { oid, type: 'octets', value: reader.octets(tag) }
    case TAG.oid:
      return { oid, type: 'oid', value: reader.oid() }
    case TAG.ipAddress:
      return { oid, type: 'ip', value: [...reader.octets(tag)].join('.') }
    case TAG.opaque:
      return { oid, type: 'opaque', value: opaque(reader.octets(tag)) }
    default:
      return { oid, type: emptyType(tag), value: null }
  }
}

const emptyType = (tag: number): SnmpType => {
  if (tag === TAG.null) return 'null'
  if (tag === TAG.noSuchObject || tag === TAG.noSuchInstance) return 'absent'
  if (tag === TAG.endOfMibView) return 'end'
  throw new BerError('value')
}

/** Floating point numbers travel in an Opaque (net-snmp's extension): 0x9f 0x78 for 4 bytes, 0x9f 0x79 for 8. */
const opaque = (bytes: Buffer): number | Buffer => {
  if (bytes.length === 7 && bytes.readUInt16BE(0) === 0x9f78 && bytes[2] === 4) return bytes.readFloatBE(3)
  if (bytes.length === 11 && bytes.readUInt16BE(0) === 0x9f79 && bytes[2] === 8) return bytes.readDoubleBE(3)
  return bytes
}

/** What the first bytes of a datagram say: its version and a reader of what follows. */
export const openMessage = (bytes: Buffer): { version: number; body: BerReader } => {
  const body = berReader(bytes).enter(TAG.sequence)
  return { version: body.integer(), body }
}
