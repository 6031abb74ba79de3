import type { IncomingHttpHeaders } from 'node:http'
import { originFacts, originVerdict } from '../http/origin.ts'
import { corsHeaders, PREFLIGHT_HEADERS, readToken } from './access.ts'
import type { HubLog } from './connection.ts'
import { type HubClock, within } from './hub-clock.ts'
import { HUB_TIMES } from './hub-limits.ts'
import type { HubIdentity } from './hub-method.ts'

/** The owner of an access token, or null when the token is not (or no longer) good. */
export type Authenticate = (token: string) => Promise<HubIdentity | null>

export interface AdmissionOptions {
  readonly authenticate: Authenticate
  /** Origins besides our own whose pages may connect, such as `https://console.example.org`. */
  readonly allowedOrigins: () => readonly string[]
  readonly clock: HubClock
  readonly log: HubLog
  readonly closing: () => boolean
}

export type Admission =
  | { readonly admitted: true; readonly identity: HubIdentity; readonly headers: Readonly<Record<string, string>> }
  | { readonly admitted: false; readonly status: number; readonly headers: Readonly<Record<string, string>> }

/** Decides on one hub request, whatever its transport: origin first, then token (S51). Never throws. */
export async function admit(
  options: AdmissionOptions,
  method: string | undefined,
  headers: IncomingHttpHeaders,
  params: URLSearchParams,
): Promise<Admission> {
  const verdict = originVerdict(originFacts(headers), options.allowedOrigins())
  const cors = corsHeaders(headers, verdict)
  const refuse = (status: number, more: Readonly<Record<string, string>> = {}): Admission => ({
    admitted: false,
    status,
    headers: { ...cors, ...more },
  })
  if (verdict === 'foreign') return refuse(403)
  if (method === 'OPTIONS') return refuse(204, PREFLIGHT_HEADERS)
  if (options.closing()) return refuse(503, { 'retry-after': '3' })
  const token = readToken(headers, params)
  if (token === null) return refuse(401, { 'www-authenticate': 'Bearer' })
  try {
    const identity = await within(options.clock, HUB_TIMES.authenticationMs, options.authenticate(token))
    const good = identity !== null && identity.expiresMs > options.clock.wallMs()
    if (!good) return refuse(401, { 'www-authenticate': 'Bearer' })
    return { admitted: true, identity, headers: cors }
  } catch (error) {
    options.log.error({ err: error }, 'hub: a token could not be checked')
    return refuse(503, { 'retry-after': '3' })
  }
}
