import { readFileSync } from 'node:fs'
import { CHECKS } from '@narval/contracts'

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3}|(.+\.)?localhost)$/i

/**
 * True when a check says something of the machine on which its probe runs, or waits for what is sent to it: another probe
 * would answer for another machine, so nobody else is asked. `parameters` is the scanner's, as JSON: an address there wins
 * over the host's.
 */
export const concernsOwnMachine = (kind: string, address: string, parameters: string): boolean =>
  kind === 'system' || isPassive(kind) || LOOPBACK.test(targetOf(address, parameters).trim())

const PASSIVE: ReadonlySet<string> = new Set(
  Object.values(CHECKS).flatMap(({ kind, passive }) => (passive === true ? [kind] : [])),
)
/** True of a kind that waits for what equipment sends to its probe. */
export const isPassive = (kind: string): boolean => PASSIVE.has(kind)

const targetOf = (address: string, parameters: string): string => {
  if (!parameters.includes('"url"')) return address
  const { url }: { url?: unknown } = JSON.parse(parameters)
  if (typeof url !== 'string' || url.includes('{address}')) return address
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : address
}

/** IPv4 of the default gateway, null when this machine has none (Linux). */
export const readGateway = (): string | null => {
  try {
    const routes = readFileSync('/proc/net/route', 'utf8').split('\n').slice(1)
    const gateway = routes
      .map(line => line.split('\t'))
      .find(fields => fields[1] === '00000000' && fields[2] !== '00000000')?.[2]
    return gateway === undefined
      ? null
      : (gateway.match(/../g) ?? [])
          .reverse()
          .map(byte => Number.parseInt(byte, 16))
          .join('.')
  } catch {
    return null
  }
}
