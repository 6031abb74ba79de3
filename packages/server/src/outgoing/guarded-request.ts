import { lookup as lookupName } from 'node:dns'
import { type ClientRequest, type IncomingMessage, request as plainRequest, STATUS_CODES } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkFault } from './network-fault.ts'

/** A whole call, its answer included, takes no longer than that. */
export const CALL_TIMEOUT_MS = 10_000
/** What is read of an answer; the rest is not received. */
export const ANSWER_BYTES = 65_536
const SHOWN = 500

export interface GuardedCall {
  readonly url: string
  readonly method: string
  /** Names and values without control characters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What came back: an answer, whatever it says, or why there is none. */
export type GuardedAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly answer: string; readonly location: string }
  | { readonly kind: 'fault'; readonly error: string }

/** No receiver of notifications lives there: addresses of no machine, of everybody, and those where clouds keep secrets. */
const refused = new BlockList()
refused.addSubnet('0.0.0.0', 8, 'ipv4')
refused.addSubnet('169.254.0.0', 16, 'ipv4')
refused.addSubnet('224.0.0.0', 3, 'ipv4')
refused.addAddress('::', 'ipv6')
refused.addSubnet('fe80::', 10, 'ipv6')
refused.addSubnet('ff00::', 8, 'ipv6')
refused.addAddress('fd00:ec2::254', 'ipv6')

export const isRefusedAddress = (address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && refused.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/** Resolves names as usual, but to no refused address: judged at the moment of connecting, so that no second answer differs. */
export const guardedLookup: LookupFunction = (name, options, callback) => {
  lookupName(name, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map(one => one.address) : [address]
    if (error === null && addresses.some(isRefusedAddress)) callback(new RefusedAddress(name), '', 0)
    else callback(error, address, family)
  })
}

/**
 * The one client of what administrators choose: private addresses are allowed, redirects are told and not followed,
 * answers are not decompressed, bounded in bytes and time. Never throws.
 */
export const guardedRequest = (call: GuardedCall, stop: AbortSignal): Promise<GuardedAnswer> => {
  const url = URL.parse(call.url)
  if (url === null || !/^https?:$/.test(url.protocol))
    return Promise.resolve({ kind: 'fault', error: 'L’adresse n’est pas une adresse http:// ou https://.' })
  if (isRefusedAddress(url.hostname.replace(/^\[|\]$/g, '')))
    return Promise.resolve({ kind: 'fault', error: networkFault(new RefusedAddress(), url.host) })
  const request = url.protocol === 'https:' ? secureRequest : plainRequest
  const signal = AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), stop])
  return new Promise(resolve => {
    const sent = request(url, {
      method: call.method,
      agent: false,
      lookup: guardedLookup,
      signal,
      headers: { ...call.headers, ...(call.body === null ? {} : { 'content-length': Buffer.byteLength(call.body) }) },
    })
    sent.on('error', error => resolve({ kind: 'fault', error: networkFault(error, url.host) }))
    sent.on('response', response => void read(sent, response).then(resolve))
    sent.end(call.body ?? undefined)
  })
}

/** The status counts once it is there, however its text ends. */
const read = (sent: ClientRequest, response: IncomingMessage): Promise<GuardedAnswer> =>
  new Promise(resolve => {
    const parts: Buffer[] = []
    let bytes = 0
    const end = (): void => {
      sent.destroy()
      const status = response.statusCode ?? 0
      const text = shownText(response, Buffer.concat(parts))
      const line = `${status} ${response.statusMessage || STATUS_CODES[status] || ''}`.trim()
      resolve({
        ...{ kind: 'answer', status, location: response.headers.location ?? '' },
        answer: text === '' ? line : `${line}\n${text}`,
      })
    }
    response.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes >= ANSWER_BYTES) end()
    })
    response.on('end', end)
    response.on('close', end)
    response.on('error', end)
  })

const UNSEEN = /[^\P{Cc}\n\t]+/gu

const shownText = (response: IncomingMessage, bytes: Buffer): string => {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') return `(réponse compressée « ${encoding.slice(0, 20)} », ${bytes.length} octets lus)`
  return bytes.toString('utf8').replace(UNSEEN, ' ').trim().slice(0, SHOWN)
}
