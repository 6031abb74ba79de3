import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { berElement, berInteger, berOctets, berOid, berReader, TAG } from '../snmp/ber.ts'
import { compareOids } from '../snmp/oid.ts'
import { PDU } from '../snmp/pdu.ts'

/** A value of a simulated agent, encoded. */
export const encoded = {
  integer: (value: number) => berInteger(value),
  text: (value: string | Buffer) => berOctets(value),
  oid: (value: string) => berOid(value),
  gauge: (value: number) => berElement(TAG.gauge32, unsignedBytes(value, 4)),
  counter32: (value: number) => berElement(TAG.counter32, unsignedBytes(value, 4)),
  counter64: (value: number) => berElement(TAG.counter64, unsignedBytes(value, 8)),
  ticks: (value: number) => berElement(TAG.timeTicks, unsignedBytes(value, 4)),
}

/** With the leading zero that keeps a high first bit from meaning a negative number. */
const unsignedBytes = (value: number, size: 4 | 8): Buffer => {
  const bytes = Buffer.alloc(9)
  bytes.writeBigUInt64BE(BigInt(value), 1)
  return bytes.subarray(8 - size)
}

export interface Mib {
  readonly set: (oid: string, value: Buffer) => void
  readonly delete: (oid: string) => void
  /** The answer to a request of v1 or v2c; null when it is none, or not under this community. */
  readonly answer: (request: Buffer) => Buffer | null
}

/** Answers that do not fit in a packet of Ethernet are cut, as agents do. */
const ANSWER_MAX = 1_400

/** The objects of a simulated agent. */
export const createMib = (community = 'public'): Mib => {
  const objects = new Map<string, Buffer>()
  let sorted: string[] | null = null
  const order = (): string[] => {
    sorted ??= [...objects.keys()].toSorted(compareOids)
    return sorted
  }
  const nextOf = (oid: string): string | undefined => {
    const list = order()
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareOids(list[middle] ?? '', oid) <= 0) low = middle + 1
      else high = middle
    }
    return list[low]
  }
  const varbind = (oid: string, value: Buffer): Buffer => berElement(TAG.sequence, berOid(oid), value)
  const bulk = (oids: readonly string[], repetitions: number): Buffer[] => {
    const found: Buffer[] = []
    const at = [...oids]
    let room = ANSWER_MAX
    for (let turn = 0; turn < repetitions; turn += 1)
      for (const [n, oid] of at.entries()) {
        const next = nextOf(oid)
        const one = varbind(next ?? oid, next === undefined ? END : (objects.get(next) ?? END))
        room -= one.length
        if (room < 0 && found.length > 0) return found
        at[n] = next ?? oid
        found.push(one)
      }
    return found
  }
  const response = (head: readonly Buffer[], id: number, varbinds: readonly Buffer[], status = 0, index = 0): Buffer =>
    berElement(
      TAG.sequence,
      ...head,
      berElement(
        PDU.response,
        berInteger(id),
        berInteger(status),
        berInteger(index),
        berElement(TAG.sequence, ...varbinds),
      ),
    )
  return {
    set: (oid, value) => {
      if (!objects.has(oid)) sorted = null
      objects.set(oid, value)
    },
    delete: oid => {
      objects.delete(oid)
      sorted = null
    },
    answer: bytes => {
      const asked = readRequest(bytes)
      if (asked === null || asked.community !== community) return null
      const { version, tag, id, repetitions, oids } = asked
      const head = [berInteger(version), berOctets(community)]
      if (tag === PDU.getBulk) return response(head, id, bulk(oids, repetitions))
      const names = tag === PDU.getNext ? oids.map(oid => nextOf(oid) ?? null) : oids
      const missing = names.findIndex(oid => oid === null || !objects.has(oid))
      if (version === 0 && missing >= 0)
        return response(
          head,
          id,
          oids.map(oid => varbind(oid, NULL)),
          NO_SUCH_NAME,
          missing + 1,
        )
      const none = tag === PDU.getNext ? END : ABSENT
      return response(
        head,
        id,
        names.map((oid, n) => varbind(oid ?? oids[n] ?? '', objects.get(oid ?? '') ?? none)),
      )
    },
  }
}
const NULL = Buffer.from([TAG.null, 0])
const ABSENT = Buffer.from([TAG.noSuchInstance, 0])
const END = Buffer.from([TAG.endOfMibView, 0])
const NO_SUCH_NAME = 2

export interface SnmpRequest {
  readonly version: number
  readonly community: string
  readonly tag: number
  readonly id: number
  readonly repetitions: number
  readonly oids: readonly string[]
}

/** A request of v1 or v2c; null for anything else. */
export const readRequest = (bytes: Buffer): SnmpRequest | null => {
  const message = berReader(bytes).enter(TAG.sequence)
  const version = message.integer()
  if (version > 1) return null
  const community = message.octets().toString()
  const tag = message.peek()
  const pdu = message.enter()
  const id = pdu.integer()
  pdu.integer()
  const repetitions = pdu.integer()
  const list = pdu.enter(TAG.sequence)
  const oids: string[] = []
  while (!list.atEnd()) oids.push(list.enter(TAG.sequence).oid())
  return { version, community, tag, id, repetitions, oids }
}

export interface Agent {
  readonly port: number
  readonly close: () => void
}

/** Listens on a loopback address; `onRequest` answers as it likes by `reply`. */
export const startAgent = async (
  onRequest: (request: Buffer, reply: (bytes: Buffer) => void, from: RemoteInfo) => void,
  address = '127.0.0.1',
  port = 0,
): Promise<Agent> => {
  const socket: Socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  let closed = false
  socket.on('message', (bytes, from) => {
    // A late answer of an agent that was closed meanwhile goes nowhere.
    onRequest(bytes, answer => void (closed || socket.send(answer, from.port, from.address)), from)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, address, resolve)
  })
  return {
    port: socket.address().port,
    close: () => {
      if (!closed) socket.close()
      closed = true
    },
  }
}

/** An agent that answers honestly from these objects. */
export const startMibAgent = (mib: Mib, address?: string, port?: number): Promise<Agent> =>
  startAgent(
    (request, reply) => {
      const answer = mib.answer(request)
      if (answer !== null) reply(answer)
    },
    address,
    port,
  )

/** Sets a switch of so many ports, all up at a gigabit, as IF-MIB says it. */
export const setPorts = (mib: Mib, count: number, octets: number): void => {
  const [table, extension] = ['1.3.6.1.2.1.2.2.1', '1.3.6.1.2.1.31.1.1.1']
  for (let port = 1; port <= count; port += 1) {
    const cells: readonly (readonly [string, Buffer])[] = [
      [`${table}.1`, encoded.integer(port)],
      [`${table}.2`, encoded.text(`GigabitEthernet1/0/${port}`)],
      [`${table}.3`, encoded.integer(6)],
      [`${table}.4`, encoded.integer(1_500)],
      [`${table}.5`, encoded.gauge(1_000_000_000)],
      [`${table}.6`, encoded.text(Buffer.from([0, 27, 84, 0, 0, port]))],
      [`${table}.7`, encoded.integer(1)],
      [`${table}.8`, encoded.integer(1)],
      [`${table}.9`, encoded.ticks(12_345)],
      ...[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map(
        column =>
          [`${table}.${column}`, encoded.counter32([10, 16].includes(column) ? octets % 2 ** 32 : port)] as const,
      ),
      [`${extension}.1`, encoded.text(`Gi1/0/${port}`)],
      ...[2, 3, 4, 5].map(column => [`${extension}.${column}`, encoded.counter32(port)] as const),
      ...[6, 7, 8, 9, 10, 11, 12, 13].map(column => [`${extension}.${column}`, encoded.counter64(octets)] as const),
      [`${extension}.14`, encoded.integer(1)],
      [`${extension}.15`, encoded.gauge(1_000)],
      [`${extension}.16`, encoded.integer(2)],
      [`${extension}.17`, encoded.integer(1)],
      [`${extension}.18`, encoded.text(`Bureau ${port}`)],
      [`${extension}.19`, encoded.ticks(0)],
    ]
    for (const [column, value] of cells) mib.set(`${column}.${port}`, value)
  }
}
