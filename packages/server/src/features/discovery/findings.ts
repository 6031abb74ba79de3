import { addressKey, type DiscoveredAddress, type FindingChange } from '@narval/contracts'

/** What is kept of an address, as JSON: what was found last, completed by what was known of it before. */
export type Facts = Omit<DiscoveredAddress, 'address'>
export interface Changed {
  readonly what: FindingChange
  readonly before: string
  readonly after: string
}
export interface Known {
  readonly name: string
  readonly mac: string
  readonly facts: Facts
}

/** The name that it bears: what it calls itself, else what the name servers call it, else its address. */
export const nameOf = (found: DiscoveredAddress): string =>
  (isTelling(found.snmp?.sysName) ?? isTelling(found.dnsName) ?? found.address).slice(0, 120)

/** Names that makers give to all that they make say nothing. */
const NOTHING_SAID: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'unknown',
  'none',
  '(none)',
  'default',
])
const isTelling = (name: string | undefined): string | null => {
  const bare = (name ?? '').trim().replace(/\.$/, '')
  return bare === '' || NOTHING_SAID.has(bare.toLowerCase()) ? null : bare
}

/** Its MAC address: that of the probe's own link, else the first that it tells; empty when unknown. */
export const macOf = ({ mac, snmp }: Pick<Facts, 'mac' | 'snmp'>): string => mac ?? snmp?.macs[0] ?? ''

/** What is known now: what did not answer this time, or was not asked, stays as it was. */
export const mergedFacts = (before: Facts | null, found: DiscoveredAddress, ports: boolean): Facts => {
  const { address: _, ...now } = found
  if (before === null) return now
  return {
    rttMs: now.rttMs ?? before.rttMs,
    dnsName: now.dnsName || before.dnsName,
    mac: now.mac ?? before.mac,
    openPorts: ports ? now.openPorts : before.openPorts,
    snmp: now.snmp ?? before.snmp,
    neighbours: now.snmp === null ? before.neighbours : now.neighbours,
    hops: now.hops ?? before.hops,
  }
}

/** What differs from what was known, added to what nobody has looked at yet; what is as it was at first is no change. */
export const changesBetween = (pending: readonly Changed[], before: Known, after: Known): Changed[] => {
  const fresh = [
    of('name', before.name, after.name),
    of('mac', before.mac, after.mac),
    of('ports', portsText(before.facts), portsText(after.facts)),
    of('system', before.facts.snmp?.sysDescr ?? '', after.facts.snmp?.sysDescr ?? ''),
  ].filter(change => change.before !== change.after && (change.before !== '' || change.what === 'ports'))
  const merged = new Map(pending.map(change => [change.what, change]))
  for (const change of fresh)
    merged.set(change.what, { ...change, before: merged.get(change.what)?.before ?? change.before })
  return [...merged.values()].filter(change => change.before !== change.after)
}
const of = (what: FindingChange, before: string, after: string): Changed => ({ what, before, after })
const portsText = ({ openPorts }: Facts): string => openPorts.toSorted((a, b) => a - b).join(', ')

/** Who a finding may be among the hosts that are there. */
export interface HostIdentity {
  readonly id: number
  readonly siteId: number
  readonly address: string
  readonly nameFolded: string
}

/** Names by which a host may be known, folded by `fold`: whole and without its domain. */
export const namesOf = (found: Pick<Facts, 'snmp' | 'dnsName'>, fold: (text: string) => string): string[] => {
  const whole = [isTelling(found.snmp?.sysName), isTelling(found.dnsName)].flatMap(name => name ?? [])
  return [...new Set(whole.flatMap(name => [fold(name), fold(name.split('.')[0] ?? name)]))].filter(name => name !== '')
}

/**
 * The host that a finding is: by its address, that of its site first; by a DNS name that is a host's address; by a name
 * that one host of the site bears alone. By MAC address: `sameMac`, the host of another finding. Null: none.
 */
export const matchHost = (
  found: { readonly address: string; readonly names: readonly string[]; readonly siteId: number },
  hosts: readonly HostIdentity[],
  sameMac: number | null,
): number | null => {
  const key = addressKey(found.address)
  const byAddress = hosts.filter(({ address }) => addressKey(address) === key && key !== null)
  const near = byAddress.find(({ siteId }) => siteId === found.siteId) ?? byAddress[0]
  if (near !== undefined) return near.id
  const byDns = hosts.find(({ address }) => found.names.includes(address.toLowerCase().replace(/\.$/, '')))
  if (byDns !== undefined) return byDns.id
  const byName = hosts.filter(({ siteId, nameFolded }) => siteId === found.siteId && found.names.includes(nameFolded))
  return byName.length === 1 ? (byName[0]?.id ?? null) : sameMac
}
