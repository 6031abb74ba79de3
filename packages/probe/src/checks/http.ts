import { isIP } from 'node:net'
import type { CheckParameters, ProbeCheck } from '@narval/contracts'
import { type CheckFailure, type CheckOutcome, detail, failed, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { type CheckContext, checkRunner } from './check.ts'
import { type Authentication, createAuthentication } from './http-authentication.ts'
import { readBody } from './http-body.ts'
import { type Exchange, type Exchanged, exchange, portOf } from './http-exchange.ts'

/** Redirects that are followed in one run. */
export const MAX_REDIRECTS = 5

type Parameters = CheckParameters<'http'>

/**
 * An HTTP or HTTPS request with the time of each stage (of the last hop; `total_time` is of all hops). Every hop is
 * resolved and vetted anew (S48), the whole is limited in time, the body in size (S50).
 */
export const http = checkRunner('http', async (check, parameters, context) => {
  const startedMs = context.nowMs()
  const authentication = createAuthentication(check, parameters, context)
  if ('code' in authentication) return { values: {}, failure: authentication }
  const leftMs = (): number => Math.max(1, check.timeoutMs - (context.nowMs() - startedMs))
  let url = parseUrl(
    parameters.url.replaceAll('{address}', isIP(check.address) === 6 ? `[${check.address}]` : check.address),
  )
  let method: string = parameters.method
  let origin: string | null = null
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if ('code' in url) return { values: {}, failure: url }
    origin ??= url.origin
    const visited = await visit({
      url,
      method,
      own: url.origin === origin,
      check,
      parameters,
      context,
      authentication,
      leftMs: leftMs(),
    })
    const { timings, failure: problem, answer, authenticated } = visited
    const values = { total_time: Math.round((context.nowMs() - startedMs) * 1_000) / 1_000, ...timings }
    if (problem !== null || answer === null) return { values, failure: problem }
    if (!parameters.followRedirects || !isRedirect(answer.status) || answer.location === null) {
      return judge(values, answer, parameters, authenticated)
    }
    url = parseUrl(answer.location, url)
    if (answer.status === 303 || (method === 'POST' && answer.status < 303)) method = 'GET'
  }
  return failed('protocol', fr.http.redirects(MAX_REDIRECTS))
})

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** Only http and https, and never credentials; anything else is a failure (S49). */
const parseUrl = (text: string, base?: URL): URL | CheckFailure => {
  const url = URL.parse(text, base)
  if (url === null)
    return base === undefined ? failure('denied', fr.denied.url) : failure('protocol', fr.http.badRedirect)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return failure('denied', fr.denied.scheme(url.protocol.slice(0, -1)))
  }
  url.username = ''
  url.password = ''
  return url
}

type Answer = NonNullable<Exchanged['answer']>

interface Hop {
  readonly url: URL
  /** Whether it is of the first origin: headers and body of the check go nowhere else. */
  readonly own: boolean
  readonly method: string
  readonly check: ProbeCheck
  readonly parameters: Parameters
  readonly context: CheckContext
  readonly authentication: Authentication
  readonly leftMs: number
}
/** Whether credentials were asked for, and sent to this hop. */
type Visited = Exchanged & { readonly authenticated: 'no' | 'sent' | 'withheld' }

/** Resolves, vets and asks: one hop. */
const visit = async ({
  url,
  own,
  method,
  check,
  parameters,
  context,
  authentication,
  leftMs,
}: Hop): Promise<Visited> => {
  const startedMs = context.nowMs()
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const target = { loopback: check.loopback, port: portOf(url), path: url.pathname }
  const resolved = await context.resolver.resolve(name, target, leftMs, true)
  const dnsMs = Math.round((context.nowMs() - startedMs) * 1_000) / 1_000
  const dns: Record<string, number> = isIP(name) === 0 ? { dns_time: dnsMs } : {}
  if (resolved.failure !== null) return { timings: dns, failure: resolved.failure, answer: null, authenticated: 'no' }
  const credentials = await authentication.headerFor(url, resolved.address, leftMs - dnsMs)
  if (typeof credentials === 'object' && credentials !== null)
    return { timings: dns, failure: credentials, answer: null, authenticated: 'withheld' }
  const plan: Exchange = {
    url,
    address: resolved.address,
    method,
    verifyTls: parameters.verifyTls,
    authorization: credentials,
    ...(own ? requestParts(method, parameters) : {}),
    loopback: check.loopback,
    leftMs: Math.max(1, leftMs - (context.nowMs() - startedMs)),
    timeoutMs: check.timeoutMs,
  }
  const done = await exchange(plan, context)
  const authenticated = parameters.authentication === 'none' ? 'no' : credentials === null ? 'withheld' : 'sent'
  return { ...done, timings: { ...dns, ...done.timings }, authenticated }
}

/** The headers and the body that a person gave. */
const requestParts = (method: string, { headers, body }: Parameters): Pick<Exchange, 'headers' | 'body'> => ({
  headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
  body: method === 'GET' || method === 'HEAD' || body === '' ? null : Buffer.from(body, 'utf8'),
})

const judge = (
  timings: Readonly<Record<string, number>>,
  answer: Answer,
  parameters: Parameters,
  authenticated: Visited['authenticated'],
): CheckOutcome => {
  const read = readBody(answer, parameters)
  const values = { ...timings, status_code: answer.status, size: answer.bytes, ...read.values }
  const details = () => [
    detail(words.answer(answer.status), answer.body.toString('utf8')),
    detail(words.headers, headerLines(answer.headers)),
  ]
  return { values, failure: statusFailure(answer, parameters, authenticated) ?? read.failure, details }
}

const headerLines = (raw: readonly string[]): string =>
  raw.flatMap((name, n) => (n % 2 === 0 ? [`${name}: ${raw[n + 1] ?? ''}`] : [])).join('\n')

const statusFailure = (
  answer: Answer,
  parameters: Parameters,
  authenticated: Visited['authenticated'],
): CheckFailure | null => {
  if (acceptsStatus(parameters.status, answer.status)) return null
  if (authenticated !== 'no' && (answer.status === 401 || answer.status === 403))
    return failure('credentials', fr.http[authenticated](answer.status))
  return failure('mismatch', fr.http.status(answer.status, parameters.status))
}

/** Whether `200-299,304` accepts a status. */
export const acceptsStatus = (accepted: string, status: number): boolean =>
  accepted.split(',').some(part => {
    const [low = '', high = low] = part.split('-')
    return status >= Number(low) && status <= Number(high)
  })

const words = {
  answer: (status: number) => `Réponse ${status}`,
  headers: 'En-têtes de la réponse',
} as const
