import { isHostAddress, siteBody } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { applyModels } from '../store/model-inheritance.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createDemoFleet } from './demo.ts'
import { DEMO_FIELDS, DEMO_MODELS } from './demo-models.ts'
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
  it('a site’s first router is the parent of its switches, they of the rest; nobody is his own ancestor', () => {
    for (const size of [1, 2, 40, 600, 3_000])
      for (const { hosts } of demoFleet(size)) {
        const types = hosts.map(host => (host.parent === null ? null : hosts[host.parent]?.type))
        expect(types[0]).toBeNull()
        for (const [rank, host] of hosts.entries()) {
          if (rank === 0) continue
          const carried = host.type === 'Commutateur' || hosts.length < 3
          expect(types[rank], host.name).toBe(carried ? 'Routeur' : 'Commutateur')
          expect(host.parent, host.name).not.toBe(rank)
        }
      }
  })
  it('every model is had by some hosts, and some hosts have none', () => {
    const hosts = demoFleet(600).flatMap(site => site.hosts)
    for (const model of DEMO_MODELS) {
      const having = hosts.filter(host => host.models.includes(model)).length
      expect(having).toBeGreaterThan(20)
      expect(having).toBeLessThan(400)
    }
    expect(hosts.filter(host => host.models.length === 0).length).toBeGreaterThan(20)
  })
  it('custom fields have a value of their own on some hosts, one that their definition takes', () => {
    const hosts = demoFleet(600).flatMap(site => site.hosts)
    const inputs = new Map(DEMO_FIELDS.flatMap(({ fields }) => fields.map(({ input }) => [input.key, input])))
    for (const [key, input] of inputs) {
      const values = hosts.flatMap(host => host.fields[key] ?? [])
      expect(values.length, key).toBeGreaterThan(5)
      for (const value of values) {
        if (input.type === 'choice') expect(input.choices).toContain(value)
        if (input.type === 'date') expect(new Date(String(value)).toISOString().slice(0, 10)).toBe(value)
        if (input.type === 'integer') expect(Number.isSafeInteger(value)).toBe(true)
      }
    }
    for (const host of hosts) for (const key of Object.keys(host.fields)) expect(inputs.has(key)).toBe(true)
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

  it('is created once, each host with its life test and its models’ scanners, and thresholds follow the fields', async () => {
    const test = await createTestApp()
    try {
      const stores = { database: test.database, samples: test.samples }
      await createDemoFleet(test.app, stores, 60, Date.now())
      await createDemoFleet(test.app, stores, 60, Date.now())
      const { db } = test.database
      const hosts = await db.selectFrom('host').select(['id', 'life_scanner_id']).execute()
      expect([hosts.length, hosts.filter(host => host.life_scanner_id === null).length]).toEqual([60, 0])
      const inherited = await db
        .selectFrom('scanner')
        .innerJoin('monitoring_model as model', 'model.id', 'scanner.model_id')
        .select(['model.name', 'scanner.host_id'])
        .execute()
      expect(new Set(inherited.map(one => one.name)).size).toBe(DEMO_MODELS.length)
      const times = await db.selectFrom('metric').select('thresholds').where('key', '=', 'total_time').execute()
      expect(new Set(times.map(one => JSON.parse(one.thresholds).warningHigh))).toEqual(new Set([250, 400]))
      // Nothing is left to be brought to its model.
      const again = await db.transaction().execute(trx =>
        applyModels(
          trx,
          hosts.map(host => host.id),
          'demo',
          Date.now(),
        ),
      )
      expect(again).toMatchObject({ scannersCreated: 0, scannersUpdated: 0, scannersDeleted: 0, metricsUpdated: 0 })
    } finally {
      await test.close()
    }
  })
})
