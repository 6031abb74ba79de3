import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { errorCode } from '../failure.ts'
import { canonicalAddress } from '../vetting.ts'
import { createSyslogFraming } from './framing.ts'

export type OnBytes = (source: string, bytes: Buffer, reply?: (bytes: Buffer) => void) => void

/** A place where messages arrive; opened again from time to time while it can't be. */
export interface Port {
  /** Where it listens; null while it does not. */
  readonly port: () => number | null
  /** Code of the error for which it does not listen. */
  readonly fault: () => string | null
  readonly close: () => Promise<void>
}

export interface PortOptions {
  /** 0: any free one. */
  readonly port: number
  readonly onBytes: OnBytes
  /** Each time that it can't be opened. */
  readonly onFault?: (code: string) => void
  readonly retryMs?: number
}

const RETRY_MS = 30_000
const RECEIVE_BUFFER = 4 * 1024 * 1024

interface Opened {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Keeps something open: tries again after each fault. Settles its first `ready` whatever the outcome. */
const keepOpen = (open: (failed: (code: string) => void) => Promise<Opened>, options: PortOptions) => {
  let opened: Opened | null = null
  let fault: string | null = null
  let closed = false
  let timer: NodeJS.Timeout | null = null
  const failed = (code: string): void => {
    if (closed) return
    fault = code
    const before = opened
    opened = null
    void before?.close()
    options.onFault?.(code)
    timer = setTimeout(() => void attempt(), options.retryMs ?? RETRY_MS)
    timer.unref()
  }
  const attempt = async (): Promise<void> => {
    try {
      const made = await open(failed)
      if (closed) return void (await made.close())
      opened = made
      fault = null
    } catch (error) {
      failed(errorCode(error) || 'EIO')
    }
  }
  const port: Port = {
    port: () => opened?.port ?? null,
    fault: () => fault,
    close: async () => {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await opened?.close()
    },
  }
  return attempt().then(() => port)
}

export const openUdpPort = (options: PortOptions): Promise<Port> =>
  keepOpen(async failed => {
    try {
      return await bindUdp('udp6', options, failed)
    } catch (error) {
      // A machine without IPv6.
      if (errorCode(error) !== 'EAFNOSUPPORT' && errorCode(error) !== 'EADDRNOTAVAIL') throw error
      return await bindUdp('udp4', options, failed)
    }
  }, options)

const bindUdp = (
  type: 'udp4' | 'udp6',
  { port, onBytes }: PortOptions,
  failed: (code: string) => void,
): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const socket = createSocket({ type })
    socket.once('error', reject)
    socket.on('message', (bytes, from) =>
      onBytes(canonicalAddress(from.address) ?? from.address, bytes, reply => answer(socket, reply, from)),
    )
    socket.bind(port, () => {
      socket.off('error', reject)
      socket.on('error', error => failed(errorCode(error) || 'EIO'))
      try {
        socket.setRecvBufferSize(RECEIVE_BUFFER)
      } catch {
        // The system's own size will do.
      }
      resolve({ port: socket.address().port, close: () => new Promise(done => socket.close(done)) })
    })
  })

const answer = (socket: UdpSocket, bytes: Buffer, to: { readonly address: string; readonly port: number }): void => {
  try {
    socket.send(bytes, to.port, to.address, () => undefined)
  } catch {
    // Closed meanwhile: an inform that is not acknowledged comes again.
  }
}

/** Connections at once, in all and of one sender; one more is closed. */
export const CONNECTIONS = { inAll: 512, perSource: 16 } as const
/** A connection that says nothing for so long is closed: senders connect again. */
const IDLE_MS = 15 * 60_000

/** Syslog over TCP. `isKnown` says who may connect. */
export const openTcpPort = (options: PortOptions & { readonly isKnown: (source: string) => boolean }): Promise<Port> =>
  keepOpen(async failed => {
    try {
      return await listenTcp('::', options, failed)
    } catch (error) {
      if (errorCode(error) !== 'EAFNOSUPPORT' && errorCode(error) !== 'EADDRNOTAVAIL') throw error
      return await listenTcp('0.0.0.0', options, failed)
    }
  }, options)

const listenTcp = (
  host: string,
  options: PortOptions & { readonly isKnown: (source: string) => boolean },
  failed: (code: string) => void,
): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const sockets = new Set<Socket>()
    const counts = new Map<string, number>()
    const server = createServer(socket => {
      const source = canonicalAddress(socket.remoteAddress ?? '')
      socket.on('error', () => socket.destroy())
      const own = counts.get(source ?? '') ?? 0
      const isFull = sockets.size >= CONNECTIONS.inAll || own >= CONNECTIONS.perSource
      // What a stranger says is not even read, but it is told of.
      if (source !== null && !options.isKnown(source)) options.onBytes(source, Buffer.alloc(0))
      if (source === null || isFull || !options.isKnown(source)) return void socket.destroy()
      sockets.add(socket)
      counts.set(source, own + 1)
      socket.once('close', () => {
        sockets.delete(socket)
        const left = (counts.get(source) ?? 1) - 1
        if (left === 0) counts.delete(source)
        else counts.set(source, left)
      })
      readStream(socket, source, options.onBytes)
    })
    server.once('error', reject)
    server.listen({ port: options.port, host, ipv6Only: false }, () => {
      server.off('error', reject)
      server.on('error', error => failed(errorCode(error) || 'EIO'))
      resolve({ port: portOf(server), close: () => closeServer(server, sockets) })
    })
  })

const readStream = (socket: Socket, source: string, onBytes: OnBytes): void => {
  const framing = createSyslogFraming()
  socket.setKeepAlive(true, 60_000)
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    for (const frame of framing.push(chunk)) onBytes(source, frame)
  })
  socket.once('end', () => {
    const rest = framing.rest()
    if (rest !== null) onBytes(source, rest)
    socket.end()
  })
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const closeServer = (server: Server, sockets: ReadonlySet<Socket>): Promise<void> =>
  new Promise(done => {
    server.close(() => done())
    for (const socket of [...sockets]) socket.destroy()
  })
