import type { IncomingHttpHeaders } from 'node:http'

/** What the origin of a request is told by: its own headers, and the host that it was addressed to. */
export interface OriginFacts {
  readonly origin: string | undefined
  readonly host: string | undefined
  /** `Sec-Fetch-Site`, which scripts can not forge. */
  readonly fetchSite: string | undefined
}
/** `host` is what the client called, which behind a trusted proxy is not the header. */
export const originFacts = (headers: IncomingHttpHeaders, host = headers.host): OriginFacts => ({
  origin: headers.origin,
  host,
  fetchSite: headers['sec-fetch-site'],
})

export type OriginVerdict = 'none' | 'same' | 'allowed' | 'foreign'

/** Who sent this page's script: nobody known (no browser), ourselves, a listed origin, or a stranger (S23, S51). */
export const originVerdict = (
  { origin, host, fetchSite }: OriginFacts,
  allowedOrigins: readonly string[],
): OriginVerdict => {
  if (origin === undefined) return fetchSite === 'cross-site' ? 'foreign' : 'none'
  if (allowedOrigins.includes(origin)) return 'allowed'
  const url = URL.parse(origin)
  const web = url?.protocol === 'http:' || url?.protocol === 'https:'
  return web && host !== undefined && url.host === host.toLowerCase() ? 'same' : 'foreign'
}
