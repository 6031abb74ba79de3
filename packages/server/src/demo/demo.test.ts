import { isHostAddress, siteBody } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { demoFleet } from './fleet.ts'
import { behave } from './scenario.ts'

describe('the demonstration', () => {
  it('600 hosts on 40 sites, names, codes and addresses unique, on loopback alone, some 3,000 metrics', () => {
    const sites = demoFleet(600)
    const hosts = sites.flatMap(site => site.hosts)
    expect([sites.length, hosts.length]).toEqual([40, 600])
    expect(new Set(hosts.map(host => host.name)).size).toBe(600)
    expect(new Set(hosts.map(host => host.address)).size).toBe(600)
    expect(new Set(sites.map(site => site.code)).size).toBe(40)
    expect(hosts.every(host => host.address.startsWith('127.') && isHostAddress(host.address))).toBe(true)
    for (const { hosts: _, type: __, ...site } of sites) expect(siteBody.safeParse(site).success).toBe(true)
    const metrics = hosts.length * 2 + hosts.filter(host => host.web).length * 6
    expect(metrics).toBeGreaterThan(2_700)
    expect(metrics).toBeLessThan(3_600)
  })
  it('any size is made, and the same each time', () => {
    for (const size of [1, 7, 100, 10_000]) expect(demoFleet(size).flatMap(site => site.hosts).length).toBe(size)
    expect(demoFleet(50)).toEqual(demoFleet(50))
  })
  it('at any moment of a day something fails and almost everything answers; what fails recovers', () => {
    const addresses = demoFleet(600).flatMap(site => site.hosts.map(host => host.address))
    for (let hour = 0; hour < 24; hour++) {
      const failing = addresses.filter(address => behave(address, hour * 3_600_000).kind !== 'answer').length
      expect(failing).toBeLessThan(150)
    }
    const [address = ''] = addresses
    const kinds = new Set(
      Array.from({ length: 86_400 / 20 }, (_, step) => behave(address, step * 20_000).kind === 'answer'),
    )
    expect(kinds).toEqual(new Set([true, false]))
  })
})
