import { arch, endianness, platform } from 'node:os'

/**
 * The few calls of the C library that Node does not offer: ICMP sockets. Bound through koffi, and only on 64-bit
 * little-endian Linux, whose structures `echo-socket.ts` lays out by hand.
 */
export interface Libc {
  readonly socket: (domain: number, type: number, protocol: number) => number
  readonly setsockopt: (fd: number, level: number, name: number, value: Buffer, length: number) => number
  readonly sendto: (fd: number, data: Buffer, length: number, flags: number, to: Buffer, toLength: number) => number
  readonly recvmmsg: (fd: number, headers: Buffer, count: number, flags: number, timeout: null) => number
  readonly clockGettime: (clock: number, time: Buffer) => number
  readonly close: (fd: number) => number
  readonly errno: () => number
  readonly addressOf: (bytes: Buffer) => bigint
  /** Calls back whenever the descriptor is readable, or in error (status < 0, after which it must be started again). */
  readonly watch: (fd: number, onEvent: (status: number) => void) => Watch
}

export interface Watch {
  readonly restart: () => void
  readonly close: () => void
}

/** Null where the library cannot be bound. */
export const loadLibc = async (): Promise<Libc | null> => {
  if (platform() !== 'linux' || endianness() !== 'LE' || (arch() !== 'x64' && arch() !== 'arm64')) return null
  try {
    const { default: koffi } = await import('koffi')
    const lib = koffi.load(null)
    return {
      socket: lib.func('int socket(int, int, int)'),
      setsockopt: lib.func('int setsockopt(int, int, int, void *, uint32_t)'),
      sendto: lib.func('long sendto(int, void *, size_t, int, void *, uint32_t)'),
      recvmmsg: lib.func('int recvmmsg(int, void *, uint32_t, int, void *)'),
      clockGettime: lib.func('int clock_gettime(int, void *)'),
      close: lib.func('int close(int)'),
      errno: () => koffi.errno(),
      addressOf: bytes => koffi.address(bytes),
      watch: (fd, onEvent) => watch(koffi.node, fd, onEvent),
    }
  } catch {
    return null
  }
}

type KoffiNode = typeof import('koffi')['node']

/** The loop of Node watches the descriptor; it does not keep the process alive. */
const watch = (node: KoffiNode, fd: number, onEvent: (status: number) => void): Watch => {
  const listener = (status: unknown): void => onEvent(typeof status === 'number' ? status : 0)
  const handle = node.poll(fd, { readable: true }, listener)
  handle.unref()
  return {
    restart: () => handle.start({ readable: true }, listener),
    close: () => {
      handle.stop()
      handle.close()
    },
  }
}
