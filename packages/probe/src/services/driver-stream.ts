import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { ServiceRun } from './service-run.ts'
import { serviceWords } from './service-words.ts'

/** All that a database may say in one run. */
const MAX_BYTES = 1_024 * 1_024

/**
 * What a database's driver takes for its connection. The bytes are counted, and what the driver throws while it reads them,
 * which would end the process, ends the run.
 */
export interface DriverStream {
  readonly stream: Duplex
  /** Goes on over another socket (TLS); what the server said meanwhile in clear is refused. */
  readonly move: (make: (socket: Socket) => Promise<Socket>) => Promise<void>
  /** Waits for a promise, or for trouble of the connection. */
  readonly during: <T>(work: Promise<T>) => Promise<T>
}

/** `inspect` sees bytes before the driver does, gives what may pass, and throws what ends the run. */
export const createDriverStream = (
  run: ServiceRun,
  socket: Socket,
  malformed: string,
  inspect: (chunk: Buffer) => Buffer = chunk => chunk,
): DriverStream => {
  const trouble = Promise.withResolvers<never>()
  trouble.promise.catch(() => undefined)
  let current = socket
  let total = 0
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => {
      if (!current.destroyed) current.write(chunk)
      done()
    },
    final: done => {
      current.end()
      done()
    },
  })
  stream.on('error', () => undefined)
  const onData = (chunk: Buffer): void => {
    total += chunk.length
    try {
      if (total > MAX_BYTES) throw run.fail('protocol', serviceWords.tooLong(MAX_BYTES / 1_024))
      const passed = inspect(chunk)
      if (passed.length > 0) stream.emit('data', passed)
    } catch (error) {
      current.pause()
      current.off('data', onData)
      const isOurs = error instanceof Error && 'failure' in error
      trouble.reject(isOurs ? error : run.fail('protocol', malformed))
    }
  }
  const onError = (error: Error): void => {
    const { code, message } = run.trouble(error)
    trouble.reject(run.fail(code, message))
  }
  const onEnd = (): void => trouble.reject(run.closed())
  const attach = (): void => void current.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd)
  attach()
  return {
    // What drivers call on sockets.
    stream: Object.assign(stream, {
      setNoDelay: () => stream,
      setKeepAlive: () => stream,
      ref: () => stream,
      unref: () => stream,
      connect: () => {
        setImmediate(() => stream.emit('connect'))
        return stream
      },
    }),
    move: async make => {
      current.off('data', onData).off('error', onError).off('end', onEnd).off('close', onEnd)
      current = await make(current)
      attach()
    },
    during: work => Promise.race([work, trouble.promise]),
  }
}
