import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type CheckFailure, failure } from './failure.ts'
import { fr } from './fr.ts'

/** What a probe may not be made to talk to (S47, S48): asked for every address that it is about to use, and once connected. */
export interface Vetting {
  /** Null when the address may be used; `port` and `path` matter for the server's own port alone. */
  readonly refusal: (address: string, target: VettedTarget) => CheckFailure | null
}

export interface VettedTarget {
  /** True for checks that may aim at loopback. */
  readonly loopback: boolean
  readonly port?: number
  readonly path?: string
  /** The only version of IP that will do; any unless said. */
  readonly family?: 4 | 6
}

export interface VettingOptions {
  /** Whether this probe allows loopback at all; a check must ask for it too. */
  readonly loopbackAllowed: boolean
  /** Where the server is, as far as it is known: its ports are no target. */
  readonly serverEndpoint: () => { readonly address: string; readonly port: number } | null
}

/** The same of who a socket is connected to; one that the other side has cut already has no address, and nothing to refuse. */
export const peerRefusal = (
  vetting: Vetting,
  { remoteAddress }: { readonly remoteAddress?: string | undefined },
  target: VettedTarget,
): CheckFailure | null =>
  remoteAddress === undefined ? failure('protocol', fr.reset) : vetting.refusal(remoteAddress, target)

export const createVetting = (options: VettingOptions): Vetting => ({
  refusal: (address, target) => {
    const canonical = canonicalAddress(address)
    if (canonical === null) return failure('denied', fr.denied.reserved(address))
    const kind = addressKind(canonical)
    if (kind === 'loopback') {
      if (!target.loopback) return failure('denied', fr.denied.loopback(canonical))
      if (!options.loopbackAllowed) return failure('denied', fr.denied.loopbackProbe(canonical))
    } else if (kind !== 'ordinary') return failure('denied', fr.denied[kind](canonical))
    return isOwnPort(canonical, target, options) ? failure('denied', fr.denied.ownPort) : null
  },
})

/** The server's own port is refused, its health page to a local probe excepted. */
const isOwnPort = (address: string, target: VettedTarget, options: VettingOptions): boolean => {
  const server = options.serverEndpoint()
  if (server === null || target.port !== server.port) return false
  const serverAddress = canonicalAddress(server.address)
  const same =
    serverAddress === address || (isOwnAddress(address) && serverAddress !== null && isOwnAddress(serverAddress))
  if (!same) return false
  const healthPage = target.path === '/health' || target.path?.startsWith('/health/') === true
  return !(healthPage && target.loopback && options.loopbackAllowed)
}

const isOwnAddress = (address: string): boolean =>
  addressKind(address) === 'loopback' ||
  Object.values(networkInterfaces()).some(list => list?.some(entry => canonicalAddress(entry.address) === address))

type AddressKind = 'ordinary' | 'loopback' | 'linkLocal' | 'metadata' | 'unspecified' | 'multicast' | 'reserved'

/** Metadata services of hosting companies outside of the link-local range. */
const METADATA: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
])

/** Kind of a canonical address. */
export const addressKind = (address: string): AddressKind => {
  if (METADATA.has(address)) return 'metadata'
  return isIP(address) === 4 ? kindOfV4(address.split('.').map(Number)) : kindOfV6(address)
}

const kindOfV4 = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): AddressKind => {
  if (a === 0) return 'unspecified'
  if (a === 127) return 'loopback'
  if (a === 169 && b === 254) return c === 169 && d === 254 ? 'metadata' : 'linkLocal'
  if (a >= 224 && a < 240) return 'multicast'
  return a >= 240 ? 'reserved' : 'ordinary'
}

const kindOfV6 = (address: string): AddressKind => {
  if (address === '::') return 'unspecified'
  if (address === '::1') return 'loopback'
  const first = Number.parseInt(address.split(':', 1)[0] || '0', 16)
  if ((first & 0xffc0) === 0xfe80) return 'linkLocal'
  if ((first & 0xff00) === 0xff00) return 'multicast'
  return first === 0 ? 'reserved' : 'ordinary'
}

/**
 * One spelling for an IP address: zone and brackets removed, IPv6 compressed, and IPv4 that hides in IPv6 (mapped,
 * compatible, NAT64, 6to4) given as IPv4. Null when the text is not an IP address.
 */
export const canonicalAddress = (text: string): string | null => {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return bare
  if (family === 0) return null
  const groups = groupsOf(bare)
  const embedded = embeddedV4(groups)
  if (embedded !== null) return embedded
  return new URL(`http://[${bare}]/`).hostname.slice(1, -1)
}

/** The eight groups of a valid IPv6 address. */
export const groupsOf = (address: string): readonly number[] => {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))
  if (tail === undefined) return numbers(head)
  const [left, right] = [numbers(head), numbers(tail)]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

const embeddedV4 = (groups: readonly number[]): string | null => {
  const [g0 = 0, g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0, g6 = 0, g7 = 0] = groups
  const leading = g0 === 0 && g1 === 0 && g2 === 0 && g3 === 0
  if (leading && (g4 === 0xffff || g4 === 0) && g5 === 0xffff) return dotted(g6, g7)
  if (leading && g4 === 0xffff && g5 === 0) return dotted(g6, g7)
  if (leading && g4 === 0 && g5 === 0 && g6 !== 0) return dotted(g6, g7)
  if (g0 === 0x64 && g1 === 0xff9b && g2 <= 1) return dotted(g6, g7)
  return g0 === 0x2002 ? dotted(g1, g2) : null
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')
