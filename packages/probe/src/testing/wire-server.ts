import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  answerText,
  enrollBody,
  PROBE_CLOCK_TOLERANCE_MS,
  PROBE_HEADERS,
  type ProbeCheck,
  type ProbeOrder,
  type ResultsBody,
  resultsBody,
  signedText,
} from '@narval/contracts'
import { sealFor } from './seal.ts'

/** What the server does with a batch: commits it or not, answers it, or cuts the connection. */
export type Treatment =
  | { readonly commit: boolean; readonly status: number; readonly retryAfter?: string; readonly unsigned?: boolean }
  | { readonly commit: boolean; readonly status: 'cut' }

/**
 * The server's side of the probe wire, for tests: real sockets, real Ed25519, the journal's rule that a sequence is
 * committed once. It records everything that it was sent.
 */
export interface WireServer {
  readonly url: string
  readonly code: string
  /** Batches committed, in order, each once. */
  readonly committed: readonly ResultsBody[]
  /** Every body of Results that was well signed, resent ones included. */
  readonly posted: readonly { readonly body: ResultsBody; readonly text: string; readonly atMs: number }[]
  readonly calls: readonly string[]
  readonly refusals: readonly string[]
  treat: (body: ResultsBody) => Treatment
  state: 'pending' | 'online' | 'revoked'
  readonly configure: (checks: readonly ProbeCheck[]) => void
  readonly order: (order: ProbeOrder) => void
  /** Closes the port, cutting what is open; `listen` opens it again at the same place. */
  readonly down: () => Promise<void>
  readonly listen: () => Promise<void>
  /** Answers are signed by another key from now on: somebody else sits at the address. */
  readonly impersonate: () => void
  /** Settles when the condition holds; it is looked at after each call. */
  readonly until: (condition: () => boolean) => Promise<void>
}

export const startWireServer = async (): Promise<WireServer> => {
  const own = generateKeyPairSync('ed25519')
  const serverKey = own.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const secret = randomBytes(12).toString('hex')
  const fingerprint = createHash('sha256').update(Buffer.from(serverKey, 'base64')).digest('hex').slice(0, 16)
  const probes: KeyObject[] = []
  const nonces = new Set<string>()
  const last = new Map<string, number>()
  const committed: ResultsBody[] = []
  const posted: { body: ResultsBody; text: string; atMs: number }[] = []
  const [calls, refusals]: [string[], string[]] = [[], []]
  const watchers = new Set<() => void>()
  const polls = new Set<() => void>()
  let signingKey = own.privateKey
  let checks: readonly ProbeCheck[] = []
  let revision = 1
  let orders: { readonly at: number; readonly order: ProbeOrder }[] = []
  let ordered = 0
  let port = 0

  const notify = (): void => {
    for (const watcher of [...watchers]) watcher()
    for (const poll of [...polls]) poll()
  }
  const answer = (
    response: ServerResponse,
    nonce: string | null,
    status: number,
    value: unknown,
    retryAfter?: string,
  ) => {
    const body = value === null ? '' : JSON.stringify(value)
    if (nonce !== null) {
      const digest = createHash('sha256').update(body).digest('hex')
      const text = Buffer.from(answerText(nonce, status, digest))
      response.setHeader(PROBE_HEADERS.serverSignature, sign(null, text, signingKey).toString('base64'))
    }
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }
  const enrol = (response: ServerResponse, body: string): void => {
    const asked = enrollBody.parse(JSON.parse(body))
    if (asked.code !== `${secret}.${fingerprint}`) {
      answer(response, null, 403, { detail: 'Code inconnu.' })
      return
    }
    probes.push(createPublicKey({ key: Buffer.from(asked.publicKey, 'base64'), format: 'der', type: 'spki' }))
    answer(response, null, 200, { probe: probes.length, state: server.state, serverKey })
  }
  /** The nonce of a well-signed request; null, said in `refusals`, otherwise. */
  const authenticate = (request: IncomingMessage, body: Buffer): string | null => {
    const header = (name: string): string => String(request.headers[name] ?? '')
    const key = probes[Number(header(PROBE_HEADERS.probe)) - 1]
    const [date, nonce] = [header(PROBE_HEADERS.date), header(PROBE_HEADERS.nonce)]
    const digest = createHash('sha256').update(body).digest('hex')
    const text = signedText(request.method ?? '', request.url ?? '', date, nonce, digest)
    const signature = Buffer.from(header(PROBE_HEADERS.signature), 'base64')
    const isFresh = Math.abs(Date.now() - Number(date)) < PROBE_CLOCK_TOLERANCE_MS && !nonces.has(nonce)
    if (key === undefined || !isFresh || !verify(null, Buffer.from(text), key, signature)) {
      refusals.push(`${request.method} ${request.url}`)
      return null
    }
    nonces.add(nonce)
    return nonce
  }
  /** Credentials leave sealed for whoever asks, as the product's do; a probe without a key is given them as they are. */
  const sealed = (check: ProbeCheck, sealKey: string | null, probe: number): ProbeCheck =>
    check.credential === undefined || check.credential.kind === 'none' || sealKey === null
      ? check
      : { ...check, credential: sealFor(check.credential, sealKey, probe) }
  const giveOrders = (response: ServerResponse, nonce: string, query: URLSearchParams, probe: number): void => {
    const [after, known, sealKey] = [Number(query.get('after')), query.get('revision'), query.get('sealKey')]
    const given = () => ({ revision: String(revision), checks: checks.map(check => sealed(check, sealKey, probe)) })
    const reply = (): boolean => {
      const isNews = known !== String(revision) || orders.some(one => one.at > after)
      if (!isNews && query.get('wait') !== '0') return false
      const isApproved = server.state === 'online'
      answer(response, nonce, 200, {
        state: server.state,
        configuration: isApproved && known !== String(revision) ? given() : null,
        orders: orders.filter(one => one.at > after).map(one => one.order),
        after: ordered,
        serverTimeMs: Date.now(),
      })
      return true
    }
    if (reply()) return
    const poll = (): void => {
      if (reply()) polls.delete(poll)
    }
    polls.add(poll)
    response.once('close', () => polls.delete(poll))
  }
  const takeResults = (response: ServerResponse, nonce: string, text: string): void => {
    const body = resultsBody.parse(JSON.parse(text))
    posted.push({ body, text: text.slice(text.indexOf('"results":')), atMs: Date.now() })
    const treatment = server.treat(body)
    const lane = `${body.bootId} ${body.lane}`
    if (treatment.commit && body.sequence > (last.get(lane) ?? 0)) {
      last.set(lane, body.sequence)
      committed.push(body)
    }
    if (treatment.status === 'cut') response.destroy()
    else
      answer(
        response,
        treatment.unsigned ? null : nonce,
        treatment.status,
        treatment.status < 300 ? null : { detail: 'Non.' },
        treatment.retryAfter,
      )
  }
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', 'http://x')
    calls.push(`${request.method} ${url.pathname}`)
    if (url.pathname === '/api/Probe/Enroll') enrol(response, body.toString())
    else {
      const nonce = authenticate(request, body)
      if (nonce === null) answer(response, null, 401, { detail: 'Signature refusée.' })
      else if (url.pathname === '/api/Probe/Orders')
        giveOrders(response, nonce, url.searchParams, Number(request.headers[PROBE_HEADERS.probe]))
      else takeResults(response, nonce, body.toString())
    }
    notify()
  })
  const listen = () =>
    new Promise<void>(resolve => {
      http.listen(port, '127.0.0.1', () => {
        const address = http.address()
        if (typeof address === 'object' && address !== null) port = address.port
        resolve()
      })
    })
  await listen()
  const server: WireServer = {
    url: `http://127.0.0.1:${port}`,
    code: `${secret}.${fingerprint}`,
    committed,
    posted,
    calls,
    refusals,
    treat: () => ({ commit: true, status: 204 }),
    state: 'online',
    configure: wanted => {
      checks = wanted
      revision += 1
      notify()
    },
    order: order => {
      ordered += 1
      orders = [...orders, { at: ordered, order }]
      notify()
    },
    down: () =>
      new Promise(resolve => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
    listen,
    impersonate: () => {
      signingKey = generateKeyPairSync('ed25519').privateKey
    },
    until: condition =>
      new Promise(resolve => {
        const look = (): void => {
          if (!condition()) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
      }),
  }
  return server
}
