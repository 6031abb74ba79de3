import { readFileSync } from 'node:fs'

/** What the system of the probe knows of its neighbours (Linux); elsewhere nothing is known. */
const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** IPv4 of the default gateway, null when there is none. */
export const readGateway = (): string | null => gatewayIn(read('/proc/net/route'))

export const gatewayIn = (table: string): string | null => {
  const routes = table.split('\n').slice(1)
  const gateway = routes
    .map(line => line.split('\t'))
    .find(fields => fields[1] === '00000000' && fields[2] !== '00000000')?.[2]
  if (gateway === undefined || !/^[0-9A-F]{8}$/i.test(gateway)) return null
  return [...Buffer.from(gateway, 'hex').reverse()].join('.')
}

const ARP_KEPT_MS = 1_000

/** MAC addresses of neighbours on the probe's own links, read at most once a second. */
export const createMacReader = (nowMs: () => number, readTable = () => read('/proc/net/arp')) => {
  let [table, readAtMs]: [ReadonlyMap<string, string>, number] = [new Map(), Number.NEGATIVE_INFINITY]
  return (address: string): string | null => {
    if (nowMs() - readAtMs > ARP_KEPT_MS) {
      table = macsIn(readTable())
      readAtMs = nowMs()
    }
    return table.get(address) ?? null
  }
}

/** Address → MAC of the whole entries of `/proc/net/arp`. */
export const macsIn = (table: string): ReadonlyMap<string, string> =>
  new Map(
    table
      .split('\n')
      .slice(1)
      .flatMap(line => {
        const [address, , , mac] = line.trim().split(/\s+/)
        const isWhole = mac !== undefined && /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i.test(mac) && !/^[0:]+$/.test(mac)
        return address !== undefined && isWhole ? [[address, mac.toLowerCase()] as const] : []
      }),
  )
