import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Libc } from './libc.ts'
import { errorOfV4, errorOfV6, type Family, ICMP_HEADER, type Received, readIcmp } from './packet.ts'

/** How the system let the socket be opened: unprivileged datagrams, or raw packets. */
export type SocketMeans = 'datagram' | 'raw'

/** One non-blocking ICMP socket of one family. */
export interface EchoSocket {
  readonly means: SocketMeans
  /** 0 when sent, otherwise the system's error number. */
  readonly send: (packet: Buffer, length: number, to: Buffer) => number
  readonly close: () => void
}

/** Called for each packet; `bytes` is only valid during the call, `atMs` is on the monotonic clock of `performance.now()`. */
export type OnReceived = (received: Received, bytes: Buffer, atMs: number) => void

const AF: Readonly<Record<Family, number>> = { 4: 2, 6: 10 }
const PROTOCOL: Readonly<Record<Family, number>> = { 4: 1, 6: 58 }
const SOCK_DGRAM = 2
const SOCK_RAW = 3
const NONBLOCK_CLOEXEC = 0o4000 | 0o2000000
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_RCVBUFFORCE = 33
const SO_TIMESTAMPNS = 35
const RECEIVE_BUFFER = 4 * 1024 * 1024
/** Level and name of the option that queues ICMP errors for a datagram socket. */
const RECVERR: Readonly<Record<Family, readonly [number, number]>> = { 4: [0, 11], 6: [41, 25] }

/** Datagram first: it needs no privilege. Null when the system denies both. */
export const openEchoSocket = (libc: Libc, family: Family, onReceived: OnReceived): EchoSocket | null => {
  for (const means of ['datagram', 'raw'] as const) {
    const fd = libc.socket(AF[family], (means === 'raw' ? SOCK_RAW : SOCK_DGRAM) | NONBLOCK_CLOEXEC, PROTOCOL[family])
    if (fd < 0) continue
    prepare(libc, fd, family, means)
    return start(libc, fd, family, means, onReceived)
  }
  return null
}

const prepare = (libc: Libc, fd: number, family: Family, means: SocketMeans): void => {
  const set = (level: number, name: number, value: Buffer): boolean =>
    libc.setsockopt(fd, level, name, value, value.length) === 0
  if (!set(SOL_SOCKET, SO_RCVBUFFORCE, int32(RECEIVE_BUFFER))) set(SOL_SOCKET, SO_RCVBUF, int32(RECEIVE_BUFFER))
  set(SOL_SOCKET, SO_TIMESTAMPNS, int32(1))
  if (means === 'datagram') set(RECVERR[family][0], RECVERR[family][1], int32(1))
  else if (family === 4) set(255, 1, blockAllBut([0, 3, 11], 4))
  else set(58, 1, blockAllBut([1, 2, 3, 129], 32))
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

/** ICMP_FILTER and ICMP6_FILTER: a bit set keeps that type from us. */
const blockAllBut = (types: readonly number[], length: number): Buffer => {
  const bits = Buffer.alloc(length, 0xff)
  for (const type of types) bits[type >> 3] = (bits[type >> 3] ?? 0) & ~(1 << (type & 7))
  return bits
}

/** Messages taken from the socket by one call, the bytes kept of each, and room for its control data. */
const BATCH = 64
const KEPT = 256
const CONTROL = 128
const HEADER = 64
const NAME = 32
/** Calls in a row before the loop gets its turn again. */
const MAX_DRAINS = 64
const MSG_DONTWAIT = 0x40
const MSG_ERRQUEUE = 0x2000
const EAGAIN = 11

const start = (libc: Libc, fd: number, family: Family, means: SocketMeans, onReceived: OnReceived): EchoSocket => {
  const room = createRoom(libc)
  const clock = createReceiveClock(libc)
  const drainReplies = (): void => {
    for (let turn = 0; turn < MAX_DRAINS; turn += 1) {
      const count = room.receive(fd, MSG_DONTWAIT)
      if (count > 0) clock.sample()
      for (let n = 0; n < count; n += 1) {
        const received = readIcmp(room.data, n * KEPT, room.lengthOf(n), family, means === 'raw' && family === 4)
        if (received !== null) onReceived(received, room.data, clock.atMs(room.control, n * CONTROL, room.controlOf(n)))
      }
      if (count < BATCH) return
    }
  }
  const drainErrors = (): void => {
    for (let turn = 0; turn < MAX_DRAINS; turn += 1) {
      const count = room.receive(fd, MSG_DONTWAIT | MSG_ERRQUEUE)
      for (let n = 0; n < count; n += 1) {
        const received = readQueuedError(room, n, family)
        if (received !== null) onReceived(received, room.data, performance.now())
      }
      if (count < BATCH) return
    }
  }
  const watch = libc.watch(fd, status => {
    if (means === 'datagram' && status < 0) drainErrors()
    drainReplies()
    if (status < 0) watch.restart()
  })
  const sendOnce = (packet: Buffer, length: number, to: Buffer): number =>
    libc.sendto(fd, packet, length, MSG_DONTWAIT, to, to.length) >= 0 ? 0 : libc.errno()
  return {
    means,
    send: (packet, length, to) => {
      const error = sendOnce(packet, length, to)
      if (error === 0 || error === EAGAIN || means === 'raw') return error
      // A datagram socket reports an earlier packet's error on the next send: read it, then try for ourselves.
      drainErrors()
      return sendOnce(packet, length, to)
    },
    close: () => {
      watch.close()
      libc.close(fd)
    },
  }
}

interface Room {
  readonly data: Buffer
  readonly control: Buffer
  /** The kernel is given the addresses of these: they must live as long as the room. */
  readonly pinned: readonly Buffer[]
  readonly receive: (fd: number, flags: number) => number
  readonly lengthOf: (n: number) => number
  readonly controlOf: (n: number) => number
}

/** The arrays that `recvmmsg` fills: BATCH × struct mmsghdr, each with one iovec, a name and control data. */
const createRoom = (libc: Libc): Room => {
  const data = Buffer.alloc(BATCH * KEPT)
  const control = Buffer.alloc(BATCH * CONTROL)
  const names = Buffer.alloc(BATCH * NAME)
  const vectors = Buffer.alloc(BATCH * 16)
  const headers = Buffer.alloc(BATCH * HEADER)
  const reset = (n: number): void => {
    headers.writeUInt32LE(NAME, n * HEADER + 8)
    headers.writeUInt32LE(CONTROL, n * HEADER + 40)
  }
  for (let n = 0; n < BATCH; n += 1) {
    vectors.writeBigUInt64LE(libc.addressOf(data) + BigInt(n * KEPT), n * 16)
    vectors.writeBigUInt64LE(BigInt(KEPT), n * 16 + 8)
    headers.writeBigUInt64LE(libc.addressOf(names) + BigInt(n * NAME), n * HEADER)
    headers.writeBigUInt64LE(libc.addressOf(vectors) + BigInt(n * 16), n * HEADER + 16)
    headers.writeBigUInt64LE(1n, n * HEADER + 24)
    headers.writeBigUInt64LE(libc.addressOf(control) + BigInt(n * CONTROL), n * HEADER + 32)
    reset(n)
  }
  const controlLengths = new Uint32Array(BATCH)
  return {
    data,
    control,
    pinned: [names, vectors, headers],
    receive: (fd, flags) => {
      const count = libc.recvmmsg(fd, headers, BATCH, flags, null)
      for (let n = 0; n < count; n += 1) {
        controlLengths[n] = headers.readUInt32LE(n * HEADER + 40)
        reset(n)
      }
      return count
    },
    lengthOf: n => Math.min(KEPT, headers.readUInt32LE(n * HEADER + 56)),
    controlOf: n => controlLengths[n] ?? 0,
  }
}
/** Looks for a control message; gives where its data starts, −1 when it is not there. */
const findControl = (control: Buffer, start: number, length: number, level: number, type: number): number => {
  let at = start
  while (at + 16 <= start + length) {
    const size = control.readUInt32LE(at)
    if (size < 16) return -1
    if (control.readInt32LE(at + 8) === level && control.readInt32LE(at + 12) === type) return at + 16
    at += (size + 7) & ~7
  }
  return -1
}

/** An error of the queue: our own packet comes back, the reason is in `struct sock_extended_err`. */
const readQueuedError = (room: Room, n: number, family: Family): Received | null => {
  const at = findControl(room.control, n * CONTROL, room.controlOf(n), RECVERR[family][0], RECVERR[family][1])
  if (at < 0 || room.lengthOf(n) < ICMP_HEADER) return null
  const [type, code] = [room.control[at + 5] ?? 0, room.control[at + 6] ?? 0]
  const error = (family === 4 ? errorOfV4(type, code) : errorOfV6(type, code)) ?? 'other'
  return { kind: 'error', error, cookieAt: n * KEPT + ICMP_HEADER, identifier: -1, sequence: -1 }
}

interface ReceiveClock {
  readonly sample: () => void
  readonly atMs: (control: Buffer, start: number, length: number) => number
}

/** Ages beyond this come from a wall clock that was set in between: the time of reading is used instead. */
const MAX_AGE_MS = 5_000

/** Turns the kernel's receive times (wall clock) into monotonic ones, by their age when they are read. */
const createReceiveClock = (libc: Libc): ReceiveClock => {
  const time = Buffer.alloc(128)
  let [wallSeconds, wallNanos, monotonicMs] = [0, 0, 0]
  return {
    sample: () => {
      libc.clockGettime(0, time)
      monotonicMs = performance.now()
      wallSeconds = time.readUInt32LE(0)
      wallNanos = time.readUInt32LE(8)
    },
    atMs: (control, start, length) => {
      const at = findControl(control, start, length, SOL_SOCKET, SO_TIMESTAMPNS)
      if (at < 0) return monotonicMs
      const ageMs = (wallSeconds - control.readUInt32LE(at)) * 1_000 + (wallNanos - control.readUInt32LE(at + 8)) / 1e6
      return ageMs >= 0 && ageMs < MAX_AGE_MS ? monotonicMs - ageMs : monotonicMs
    },
  }
}

/** `struct sockaddr_in` or `sockaddr_in6` of a canonical address. */
export const socketAddress = (address: string): { readonly family: Family; readonly bytes: Buffer } => {
  if (isIP(address) === 4) {
    const bytes = Buffer.alloc(16)
    bytes.writeUInt16LE(AF[4], 0)
    bytes.set(address.split('.').map(Number), 4)
    return { family: 4, bytes }
  }
  const bytes = Buffer.alloc(28)
  bytes.writeUInt16LE(AF[6], 0)
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))
  groups(head).forEach((group, n) => {
    bytes.writeUInt16BE(group, 8 + n * 2)
  })
  const right = groups(tail)
  right.forEach((group, n) => {
    bytes.writeUInt16BE(group, 24 - (right.length - n) * 2)
  })
  return { family: 6, bytes }
}
