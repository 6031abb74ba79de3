import { randomFillSync, randomInt } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { type EchoSocket, openEchoSocket, type SocketMeans, socketAddress } from './echo-socket.ts'
import { type Libc, loadLibc } from './libc.ts'
import { COOKIE_BYTES, type Family, ICMP_HEADER, type IcmpError, type Received, writeEcho } from './packet.ts'

export interface EchoPlan {
  /** A canonical address that was vetted. */
  readonly address: string
  readonly count: number
  /** Bytes of payload, 16 to 1472. */
  readonly size: number
  readonly spacingMs: number
  /** Of the whole run, waiting for the last reply included. */
  readonly timeoutMs: number
}

export interface EchoReport {
  readonly sent: number
  /** Round-trip times in ms, in order of arrival: one an answered echo. */
  readonly rttsMs: readonly number[]
  /** What a router or the host said about echoes that were not answered. */
  readonly error: IcmpError | null
  /** Error number of the system when it refused to send. */
  readonly sendError: number | null
}

/** Sends ICMP echoes from this process, over one socket per family. */
export interface Pinger {
  readonly means: Readonly<Record<Family, SocketMeans | null>>
  /** Null when the system denies ICMP sockets of the address's family. */
  readonly ping: (plan: EchoPlan) => Promise<EchoReport> | null
  /** Ends the runs under way with what they have, and closes the sockets. */
  readonly close: () => void
}

/** Opens what the system allows; null when it allows nothing at all or the library cannot be bound. */
export const openPinger = async (): Promise<Pinger | null> => {
  const libc = await loadLibc()
  return libc === null ? null : createPinger(libc)
}

const createPinger = (libc: Libc): Pinger | null => {
  const flights = createFlights()
  const runs = new Set<() => void>()
  const sockets: Record<Family, EchoSocket | null> = {
    4: openEchoSocket(libc, 4, flights.received),
    6: openEchoSocket(libc, 6, flights.received),
  }
  if (sockets[4] === null && sockets[6] === null) return null
  return {
    means: { 4: sockets[4]?.means ?? null, 6: sockets[6]?.means ?? null },
    ping: plan => {
      const { family, bytes } = socketAddress(plan.address)
      const socket = sockets[family]
      return socket === null ? null : run({ flights, socket, family, to: bytes, plan, runs })
    },
    close: () => {
      for (const stop of [...runs]) stop()
      sockets[4]?.close()
      sockets[6]?.close()
    },
  }
}

/** An echo on its way. */
interface Flight {
  readonly answered: (atMs: number) => void
  readonly refused: (error: IcmpError) => void
}

interface Flights {
  /** A free slot for an echo, −1 when all are taken. */
  readonly board: (flight: Flight) => number
  readonly leave: (slot: number) => void
  /** Writes the request of a slot into the shared packet; gives its length. */
  readonly write: (slot: number, family: Family, size: number) => number
  readonly packet: Buffer
  readonly received: (received: Received, bytes: Buffer, atMs: number) => void
}

/** Echoes under way at once; the sequence number of an echo is its slot. */
const MAX_FLIGHTS = 65_536
const RANDOM_BYTES = COOKIE_BYTES - 4
const PACKET_MAX = ICMP_HEADER + 1_472

/** The table of echoes under way: a reply is known by its slot and by the random text that only the target has seen. */
const createFlights = (): Flights => {
  const flights: (Flight | null)[] = []
  const free: number[] = []
  const cookies = Buffer.alloc(MAX_FLIGHTS * RANDOM_BYTES)
  const packet = Buffer.alloc(PACKET_MAX)
  const identifier = randomInt(65_536)
  const random = Buffer.alloc(RANDOM_BYTES * 1_024)
  let randomAt = random.length
  const drawCookie = (slot: number): void => {
    if (randomAt === random.length) {
      randomFillSync(random)
      randomAt = 0
    }
    random.copy(cookies, slot * RANDOM_BYTES, randomAt, randomAt + RANDOM_BYTES)
    randomAt += RANDOM_BYTES
  }
  /** The slot that a packet belongs to, −1 for packets of others. */
  const slotOf = (received: Received, bytes: Buffer): number => {
    if (received.cookieAt < 0) {
      return received.kind === 'error' && received.identifier === identifier ? received.sequence : -1
    }
    const slot = bytes.readUInt32LE(received.cookieAt)
    if (slot >= flights.length) return -1
    const from = slot * RANDOM_BYTES
    const at = received.cookieAt + 4
    return bytes.compare(cookies, from, from + RANDOM_BYTES, at, at + RANDOM_BYTES) === 0 ? slot : -1
  }
  return {
    packet,
    board: (flight: Flight): number => {
      const slot = free.pop() ?? (flights.length < MAX_FLIGHTS ? flights.length : -1)
      if (slot < 0) return -1
      flights[slot] = flight
      drawCookie(slot)
      return slot
    },
    leave: (slot: number): void => {
      if (flights[slot] === null) return
      flights[slot] = null
      free.push(slot)
    },
    write: (slot: number, family: Family, size: number): number => {
      packet.writeUInt32LE(slot, ICMP_HEADER)
      cookies.copy(packet, ICMP_HEADER + 4, slot * RANDOM_BYTES, (slot + 1) * RANDOM_BYTES)
      return writeEcho(packet, family, identifier, slot, size)
    },
    received: (received: Received, bytes: Buffer, atMs: number): void => {
      const flight = flights[slotOf(received, bytes)] ?? null
      if (flight === null) return
      if (received.kind === 'reply') flight.answered(atMs)
      else flight.refused(received.error)
    },
  }
}

/** The system's send queue is full: the echo is tried again after this. */
const RETRY_SEND_MS = 5
const EAGAIN = 11
const ENOBUFS = 105

interface Run {
  readonly flights: Flights
  readonly socket: EchoSocket
  readonly family: Family
  readonly to: Buffer
  readonly plan: EchoPlan
  /** What ends each run that is under way. */
  readonly runs: Set<() => void>
}

/** One run: `count` echoes, spaced, until all are answered or the time is over. */
const run = ({ flights, socket, family, to, plan, runs }: Run): Promise<EchoReport> =>
  new Promise(resolve => {
    const slots: number[] = []
    const rttsMs: number[] = []
    let [sent, closed] = [0, 0]
    let error: IcmpError | null = null
    let sendTimer: NodeJS.Timeout | undefined
    let ended = false
    const end = (sendError: number | null): void => {
      ended = true
      clearTimeout(sendTimer)
      clearTimeout(deadline)
      runs.delete(stop)
      for (const slot of slots) flights.leave(slot)
      resolve({ sent, rttsMs, error, sendError })
    }
    const stop = (): void => end(null)
    const deadline = setTimeout(stop, plan.timeoutMs)
    runs.add(stop)
    const closeOne = (): void => {
      closed += 1
      if (closed === plan.count) end(null)
    }
    const sendOne = (): void => {
      let open = true
      let sentAtMs = 0
      const once = (then: () => void) => {
        if (!open) return
        open = false
        then()
        closeOne()
      }
      const slot = flights.board({
        answered: atMs => once(() => rttsMs.push(Math.max(0, atMs - sentAtMs))),
        refused: reason =>
          once(() => {
            error = reason
          }),
      })
      if (slot < 0) {
        sendTimer = setTimeout(sendOne, RETRY_SEND_MS)
        return
      }
      const length = flights.write(slot, family, plan.size)
      sentAtMs = performance.now()
      const failed = socket.send(flights.packet, length, to)
      if (ended || failed !== 0) {
        flights.leave(slot)
        // Sending may have read an error about the other echoes, which ended the run.
        if (ended) return
        if (failed !== EAGAIN && failed !== ENOBUFS) end(failed)
        else sendTimer = setTimeout(sendOne, RETRY_SEND_MS)
        return
      }
      slots.push(slot)
      sent += 1
      if (sent < plan.count) sendTimer = setTimeout(sendOne, plan.spacingMs)
    }
    sendOne()
  })
