import * as http from 'node:http'
import * as https from 'node:https'
import { errorCode } from './failure.ts'
import { fr } from './fr.ts'
import { frInstall } from './fr-install.ts'

/**
 * One HTTP call to the server: bounded in time and size, connections kept alive. Says nothing about who answers, and
 * never repeats a call by itself: on a new connection somebody else may answer.
 */
export interface Wire {
  readonly call: (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>
  /** Where the server was last connected; null before. */
  readonly endpoint: () => { readonly address: string; readonly port: number } | null
  readonly close: () => void
}

export interface WireRequest {
  readonly method: 'GET' | 'POST'
  /** Path with query, exactly as it is signed. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  readonly timeLimitMs: number
}

export type WireAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: http.IncomingHttpHeaders
      readonly body: Buffer
    }
  /** Nothing usable came back; `reason` is French. */
  | { readonly kind: 'failed'; readonly reason: string }

/** A configuration of 10,000 checks is some 5 MB. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024

/** `ca`: certificates in PEM that are trusted instead of the system's. */
export const createWire = (server: URL, ca: string | null): Wire => {
  const secure = server.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: 8, scheduling: 'lifo' as const }
  const agent = secure ? new https.Agent({ ...options, ...(ca === null ? {} : { ca }) }) : new http.Agent(options)
  let endpoint: { address: string; port: number } | null = null
  const attempt = (call: WireRequest, signal: AbortSignal): Promise<WireAnswer> =>
    new Promise(resolve => {
      let ended = false
      const end = (answer: WireAnswer): void => {
        if (ended) return
        ended = true
        clearTimeout(limit)
        signal.removeEventListener('abort', abort)
        if (answer.kind === 'failed') request.destroy()
        resolve(answer)
      }
      const abort = (): void => end({ kind: 'failed', reason: fr.stopped })
      const limit = setTimeout(() => {
        end({ kind: 'failed', reason: fr.link.timeout(call.timeLimitMs) })
        // The others may be as dead: a firewall forgets them all, and each would cost its own time limit (R34).
        agent.destroy()
      }, call.timeLimitMs)
      const request = (secure ? https : http).request(new URL(call.path, server), {
        agent,
        method: call.method,
        headers: { ...call.headers, ...(call.body === null ? {} : { 'content-length': String(call.body.length) }) },
      })
      signal.addEventListener('abort', abort, { once: true })
      request.on('error', error => {
        end({ kind: 'failed', reason: reasonOf(error) })
      })
      request.once('socket', socket => {
        const note = (): void => {
          if (socket.remoteAddress === undefined || socket.remotePort === undefined) return
          endpoint = { address: socket.remoteAddress, port: socket.remotePort }
        }
        if (socket.connecting) socket.once('connect', note)
        else note()
      })
      request.once('response', response => receive(response, end))
      if (signal.aborted) abort()
      request.end(call.body ?? undefined)
    })
  return {
    call: attempt,
    endpoint: () => endpoint,
    close: () => agent.destroy(),
  }
}

const receive = (response: http.IncomingMessage, end: (answer: WireAnswer) => void): void => {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) end({ kind: 'failed', reason: fr.link.tooLong })
  })
  response.once('end', () => {
    end({ kind: 'answer', status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
  })
  response.once('aborted', () => end({ kind: 'failed', reason: fr.link.cut }))
  response.on('error', () => end({ kind: 'failed', reason: fr.link.cut }))
}

/** Why there was no answer, in words: what a person can mend has its own. */
const reasonOf = (error: unknown): string => {
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return fr.link.refused
    case 'ECONNRESET':
    case 'EPIPE':
      return fr.link.cut
    default:
      return frInstall.link[code] ?? fr.link.failed(code === '' ? String(error) : code)
  }
}
