import type { IncomingHttpHeaders } from 'node:http'
import { DISPLAY_TOKEN_PREFIX } from '@narval/contracts'
import type { OriginVerdict } from '../http/origin.ts'

/** Where a request was addressed; `params` is its query. */
export interface RequestTarget {
  readonly path: string
  readonly params: URLSearchParams
}

/** Splits a raw request target, or null when it is no path. */
export function readTarget(rawUrl: string | undefined): RequestTarget | null {
  if (rawUrl === undefined || !rawUrl.startsWith('/')) return null
  const mark = rawUrl.indexOf('?')
  if (mark === -1) return { path: rawUrl, params: new URLSearchParams() }
  return { path: rawUrl.slice(0, mark), params: new URLSearchParams(rawUrl.slice(mark)) }
}

/**
 * The token of the Bearer header, else of `?access_token=` (browsers can't set headers on WebSocket and EventSource). A
 * display token lives long and is never taken from an address, where proxies would write it down: walls poll.
 */
export function readToken(headers: IncomingHttpHeaders, params: URLSearchParams): string | null {
  const bearer = /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const asked = params.get('access_token')
  return asked === null || asked === '' || asked.startsWith(DISPLAY_TOKEN_PREFIX) ? null : asked
}

/** CORS headers: one listed origin is echoed with credentials, never `*`, on refusals too. */
export function corsHeaders(headers: IncomingHttpHeaders, verdict: OriginVerdict): Record<string, string> {
  if (verdict !== 'allowed' || headers.origin === undefined) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': headers.origin,
    'access-control-allow-credentials': 'true',
  }
}

/** What a browser asks before a call from a listed origin. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, x-requested-with, x-signalr-user-agent',
  'access-control-max-age': '600',
}

/** A URL that may be logged: the value of `access_token` is replaced, however it is spelt. */
export function redactAccessToken(url: string): string {
  const mark = url.indexOf('?')
  if (mark === -1) return url
  const pairs = url
    .slice(mark + 1)
    .split('&')
    .map(pair => (new URLSearchParams(pair).has('access_token') ? 'access_token=redacted' : pair))
  return `${url.slice(0, mark)}?${pairs.join('&')}`
}
