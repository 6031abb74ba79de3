import { formatAddress, HOPS_MAX } from '@narval/contracts'
import type { OnStop } from '../checks/check.ts'
import { socketAddress } from '../icmp/echo-socket.ts'
import type { Libc } from '../icmp/libc.ts'

/**
 * The routers on the way to an address, by UDP packets that live for one hop more each time, as tracepath does: what
 * routers answer comes through the socket's error queue, which needs no privilege.
 */
export type Tracer = (address: string) => Promise<(string | null)[] | null>

/** Who answered at a distance, and how fast; nobody did when the address is null. */
export interface Hop {
  readonly address: string | null
  readonly rttMs: number | null
}
export interface Trace {
  /** The last is the end of the way, when it was reached. */
  readonly hops: readonly Hop[]
  readonly reached: boolean
}
/** The whole way with its times; null when the system gives no socket. */
export type TimedTracer = (address: string) => Promise<Trace | null>

export const createTracer = (libc: Libc, onStop: OnStop): Tracer => {
  const trace = createTimedTracer(libc, onStop)
  return async address => {
    const found = await trace(address)
    if (found === null) return null
    const routers = found.reached ? found.hops.slice(0, -1) : found.hops
    return routers.map(hop => hop.address)
  }
}

const [SOCK_DGRAM, NONBLOCK_CLOEXEC] = [2, 0o4000 | 0o2000000]
const MSG = { dontWait: 0x40, errorQueue: 0x2000 } as const
/** Levels and names of the options that queue errors, and that set how far packets go. */
const OPTIONS = {
  4: { domain: 2, errors: [0, 11], hops: [0, 2] },
  6: { domain: 10, errors: [41, 25], hops: [41, 16] },
} as const
const BASE_PORT = 33_434
/** A router that is silent is asked twice, this far apart; after so many silent ones in a row, the rest is given up. */
const WAIT_MS = 400
const SILENT_MAX = 3

interface Reply {
  readonly hop: number
  readonly from: string
  /** False for a packet that was too old: a router on the way. */
  readonly isEnd: boolean
  /** When it was read, by the monotonic clock. */
  readonly atMs: number
}

export const createTimedTracer =
  (libc: Libc, onStop: OnStop): TimedTracer =>
  async address => {
    const { family, bytes } = socketAddress(address)
    const options = OPTIONS[family]
    const fd = libc.socket(options.domain, SOCK_DGRAM | NONBLOCK_CLOEXEC, 0)
    if (fd < 0) return null
    const set = ([level, name]: readonly [number, number], value: number): void => {
      const raw = Buffer.alloc(4)
      raw.writeInt32LE(value)
      libc.setsockopt(fd, level, name, raw, 4)
    }
    set(options.errors, 1)
    const box = createErrorBox(libc, fd, family)
    const replies = new Map<number, Reply>()
    const sentMs = new Map<number, number>()
    let [stopped, wake]: [boolean, () => void] = [false, () => undefined]
    const watch = libc.watch(fd, status => {
      for (const reply of box.read()) if (!replies.has(reply.hop)) replies.set(reply.hop, reply)
      if (status < 0) watch.restart()
      wake()
    })
    const forget = onStop(() => {
      stopped = true
      wake()
    })
    const askOnce = async (hop: number): Promise<void> => {
      bytes.writeUInt16BE(BASE_PORT + hop, 2)
      set(options.hops, hop)
      sentMs.set(hop, performance.now())
      // An error about an earlier packet may come out here: the second send is for ourselves.
      for (const _ of [1, 2]) if (libc.sendto(fd, Buffer.alloc(8), 8, MSG.dontWait, bytes, bytes.length) >= 0) break
      const deadline = performance.now() + WAIT_MS
      while (!replies.has(hop) && !stopped && performance.now() < deadline)
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, Math.max(1, deadline - performance.now()))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
    }
    try {
      return await follow(address, () => stopped, { replies, sentMs }, askOnce)
    } finally {
      forget()
      watch.close()
      libc.close(fd)
    }
  }

const follow = async (
  address: string,
  isStopped: () => boolean,
  { replies, sentMs }: { readonly replies: ReadonlyMap<number, Reply>; readonly sentMs: ReadonlyMap<number, number> },
  askOnce: (hop: number) => Promise<void>,
): Promise<Trace> => {
  let [asked, reached] = [0, false]
  for (let silent = 0; asked < HOPS_MAX && !reached && silent < SILENT_MAX && !isStopped(); ) {
    asked += 1
    await askOnce(asked)
    if (!replies.has(asked) && !isStopped()) await askOnce(asked)
    const reply = replies.get(asked)
    silent = reply === undefined ? silent + 1 : 0
    reached = reply?.isEnd === true || reply?.from === address
  }
  // Read at the end: what came late counts as well.
  const hops = Array.from({ length: asked }, (_, n) => hopOf(replies.get(n + 1), sentMs.get(n + 1)))
  // Silence at the end says nothing of the way.
  while (!reached && hops.at(-1)?.address === null) hops.pop()
  return { hops, reached }
}

const hopOf = (reply: Reply | undefined, sentMs: number | undefined): Hop => {
  if (reply === undefined) return { address: null, rttMs: null }
  // A late answer to the first of two packets would seem faster than it was: it has no time.
  const rttMs = sentMs === undefined || reply.atMs < sentMs ? null : reply.atMs - sentMs
  return { address: reply.from, rttMs }
}

const [NAME, CONTROL] = [32, 256]

/** Reads errors off a socket: struct mmsghdr with one message, laid out by hand as in `echo-socket.ts`. */
const createErrorBox = (libc: Libc, fd: number, family: 4 | 6) => {
  const [data, name, control] = [Buffer.alloc(64), Buffer.alloc(NAME), Buffer.alloc(CONTROL)]
  const [vector, header] = [Buffer.alloc(16), Buffer.alloc(64)]
  vector.writeBigUInt64LE(libc.addressOf(data), 0)
  vector.writeBigUInt64LE(BigInt(data.length), 8)
  header.writeBigUInt64LE(libc.addressOf(name), 0)
  header.writeBigUInt64LE(libc.addressOf(vector), 16)
  header.writeBigUInt64LE(1n, 24)
  header.writeBigUInt64LE(libc.addressOf(control), 32)
  // The kernel writes through these addresses: they live as long as the closure that names them.
  const pinned = [data, name, control, vector]
  return {
    pinned,
    read: (): Reply[] => {
      const replies: Reply[] = []
      for (let turn = 0; turn < 64; turn += 1) {
        header.writeUInt32LE(NAME, 8)
        header.writeBigUInt64LE(BigInt(CONTROL), 40)
        if (libc.recvmmsg(fd, header, 1, MSG.dontWait | MSG.errorQueue, null) < 1) break
        const reply = replyIn(control.subarray(0, Number(header.readBigUInt64LE(40))), name, family)
        if (reply !== null) replies.push(reply)
      }
      return replies
    },
  }
}

/** `struct sock_extended_err` and who sent it, in a control message; the name is where our packet went. */
const replyIn = (control: Buffer, name: Buffer, family: 4 | 6): Reply | null => {
  const [level, type] = OPTIONS[family].errors
  for (let at = 0; at + 16 <= control.length; ) {
    const size = control.readUInt32LE(at)
    if (size < 16) return null
    const from = at + 32
    const isOurs = control.readInt32LE(at + 8) === level && control.readInt32LE(at + 12) === type
    const end = from + (family === 4 ? 8 : 24)
    if (isOurs && end <= control.length) {
      const start = family === 4 ? from + 4 : from + 8
      const value = BigInt(`0x${control.subarray(start, end).toString('hex')}`)
      const icmp = control[at + 21] ?? 0
      return {
        hop: name.readUInt16BE(2) - BASE_PORT,
        from: formatAddress(family, value),
        isEnd: icmp !== (family === 4 ? 11 : 3),
        atMs: performance.now(),
      }
    }
    at += (size + 7) & ~7
  }
  return null
}
