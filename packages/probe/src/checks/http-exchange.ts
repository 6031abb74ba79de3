import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type CheckFailure, connectionFailure, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { certificateFailure } from '../tls/certificate.ts'
import { peerRefusal } from '../vetting.ts'
import type { CheckContext } from './check.ts'

/** Bytes of a body that are read; the rest is left (S50). */
export const BODY_MAX_BYTES = 1024 * 1024

export interface Exchange {
  readonly url: URL
  /** Where `url` resolves to, vetted: the connection goes there and nowhere else. */
  readonly address: string
  readonly method: string
  readonly verifyTls: boolean
  /** Sent as it is; null: no credentials. */
  readonly authorization: string | null
  /** Others to send, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Null: none. */
  readonly body?: Buffer | null
  /** Bytes of the answer that are read; `BODY_MAX_BYTES` unless said. */
  readonly maxBytes?: number
  readonly loopback: boolean
  /** Milliseconds left of the whole check, and the check's time limit as people know it. */
  readonly leftMs: number
  readonly timeoutMs: number
}

/** What one request gave; `timings` holds the stages that were reached. */
export interface Exchanged {
  readonly timings: Readonly<Record<string, number>>
  readonly failure: CheckFailure | null
  readonly answer: {
    readonly status: number
    readonly location: string | null
    /** As they came, 16 KiB of them at most: Node refuses more. */
    readonly headers: readonly string[]
    readonly body: Buffer
    readonly truncated: boolean
    readonly bytes: number
  } | null
}

/** One request, without redirects or compression; it ends within `leftMs`, whatever the other side does. */
export const exchange = (plan: Exchange, context: CheckContext): Promise<Exchanged> =>
  new Promise(resolve => {
    const startedMs = context.nowMs()
    const stages = createStages(startedMs, context.nowMs)
    let ended = false
    const end = (problem: CheckFailure | null, answer: Exchanged['answer'] = null): void => {
      if (ended) return
      ended = true
      clearTimeout(deadline)
      forget()
      request.destroy()
      resolve({ timings: stages.values, failure: problem, answer })
    }
    const forget = context.onStop(() => end(failure('internal', fr.stopped)))
    const deadline = setTimeout(() => end(failure('timeout', fr.timeout(plan.timeoutMs))), plan.leftMs)
    const request = open(plan)
    request.on('error', error => end(connectionFailure(error, targetName(plan), plan.timeoutMs)))
    request.once('socket', socket => follow(socket, plan, context, stages, end))
    request.once('response', response => {
      stages.mark('first_byte_time')
      read(response, plan.maxBytes ?? BODY_MAX_BYTES, end)
    })
    request.end(plan.body ?? undefined)
  })

const targetName = ({ address, url }: Exchange): string => `${address}, port ${portOf(url)}`

export const portOf = (url: URL): number => {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

const open = (plan: Exchange): http.ClientRequest => {
  const name = plan.url.hostname.replace(/^\[|\]$/g, '')
  const options: https.RequestOptions = {
    host: plan.address,
    port: portOf(plan.url),
    path: `${plan.url.pathname}${plan.url.search}`,
    method: plan.method,
    agent: false,
    setDefaultHeaders: false,
    headers: {
      host: plan.url.host,
      'user-agent': 'Narval',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(plan.authorization === null ? {} : { authorization: plan.authorization }),
      ...plan.headers,
      ...(plan.method === 'GET' || plan.method === 'HEAD' ? {} : { 'content-length': plan.body?.length ?? 0 }),
    },
    rejectUnauthorized: false,
    ...(isIP(name) === 0 ? { servername: name } : {}),
  }
  return plan.url.protocol === 'https:' ? https.request(options) : http.request(options)
}

interface Stages {
  readonly values: Readonly<Record<string, number>>
  /** Ends a stage: its duration is the time since the last mark. */
  readonly mark: (name: string) => void
}

const createStages = (startedMs: number, nowMs: () => number): Stages => {
  const values: Record<string, number> = {}
  let lastMs = startedMs
  return {
    values,
    mark: name => {
      const now = nowMs()
      values[name] = Math.round((now - lastMs) * 1_000) / 1_000
      lastMs = now
    },
  }
}

const follow = (
  socket: Socket,
  plan: Exchange,
  context: CheckContext,
  stages: Stages,
  end: (problem: CheckFailure | null) => void,
): void => {
  socket.once('connect', () => {
    stages.mark('connect_time')
    const target = { loopback: plan.loopback, port: portOf(plan.url), path: plan.url.pathname }
    const refused = peerRefusal(context.vetting, socket, target)
    if (refused !== null) end(refused)
  })
  if (!(socket instanceof TLSSocket)) return
  socket.once('secureConnect', () => {
    stages.mark('tls_time')
    const refused = plan.verifyTls ? certificateFailure(socket, plan.url.hostname.replace(/^\[|\]$/g, '')) : null
    if (refused !== null) end(refused)
  })
}

const read = (
  response: http.IncomingMessage,
  maxBytes: number,
  end: (problem: CheckFailure | null, answer?: Exchanged['answer']) => void,
): void => {
  const chunks: Buffer[] = []
  let bytes = 0
  const finish = (truncated: boolean): void => {
    const announced = Number(response.headers['content-length'])
    end(null, {
      status: response.statusCode ?? 0,
      location: response.headers.location ?? null,
      headers: response.rawHeaders,
      body: Buffer.concat(chunks).subarray(0, maxBytes),
      truncated,
      bytes: truncated && Number.isSafeInteger(announced) ? announced : bytes,
    })
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) finish(true)
  })
  response.once('end', () => finish(false))
  response.once('aborted', () => end(failure('protocol', fr.closed)))
  response.on('error', error => end(connectionFailure(error, '', 0)))
}
