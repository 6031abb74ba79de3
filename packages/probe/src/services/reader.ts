import type { Socket } from 'node:net'
import type { ServiceFault, ServiceRun } from './service-run.ts'
import { serviceWords } from './service-words.ts'

/** Reads what a service sends, by lines or by bytes, within bounds. One reader a socket, one read at a time. */
export interface Reader {
  /** The next line without its end. Bytes that are no UTF-8 become U+FFFD. */
  readonly line: () => Promise<string>
  readonly bytes: (count: number) => Promise<Buffer>
  /** Gives the socket back before TLS: a service that has spoken meanwhile is not trusted (injection before STARTTLS). */
  readonly release: () => void
}

/** Longest line of text protocols; RFC 5321 asks for 512, RFC 9051 leaves servers to it. */
const LINE_MAX = 8_192
const LINE_FEED = 0x0a

/** `maxBytes`: all that the service may send in this run. */
export const createReader = (run: ServiceRun, socket: Socket, maxBytes: number): Reader => {
  let chunks: Buffer[] = []
  let [size, total] = [0, 0]
  let hasLine = false
  let trouble: ServiceFault | null = null
  let ended = false
  let wake: (() => void) | null = null
  const tell = (): void => wake?.()
  const onData = (chunk: Buffer): void => {
    total += chunk.length
    if (total > maxBytes) {
      trouble = run.fail('protocol', serviceWords.tooLong(Math.round(maxBytes / 1_024)))
      socket.destroy()
    } else {
      chunks.push(chunk)
      size += chunk.length
      hasLine ||= chunk.includes(LINE_FEED)
    }
    tell()
  }
  const onError = (error: Error): void => {
    const { code, message } = run.trouble(error)
    trouble ??= run.fail(code, message)
    tell()
  }
  const onEnd = (): void => {
    ended = true
    tell()
  }
  socket.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd)

  const until = (ready: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      wake = () => {
        if (ready()) resolve()
        else if (trouble !== null) reject(trouble)
        else if (ended) reject(run.closed())
        else return
        wake = null
      }
      wake()
    })
  /** The first bytes, taken out. */
  const take = (count: number): Buffer => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    const rest = all.subarray(count)
    chunks = rest.length === 0 ? [] : [rest]
    size = rest.length
    hasLine = rest.includes(LINE_FEED)
    return all.subarray(0, count)
  }
  return {
    line: async () => {
      await until(() => hasLine || size > LINE_MAX)
      const all = Buffer.concat(chunks)
      chunks = [all]
      const end = all.indexOf(LINE_FEED)
      if (end < 0 || end > LINE_MAX) throw run.fail('protocol', serviceWords.lineTooLong(LINE_MAX))
      return take(end + 1)
        .toString('utf8')
        .replace(/\r?\n$/, '')
    },
    bytes: async count => {
      await until(() => size >= count)
      return take(count)
    },
    release: () => {
      if (size > 0) throw run.fail('protocol', serviceWords.early)
      socket.off('data', onData).off('error', onError).off('end', onEnd).off('close', onEnd)
    },
  }
}
