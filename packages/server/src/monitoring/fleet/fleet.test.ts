import { fold } from '@narval/contracts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../store/database.ts'
import { insertScannerWithMetrics } from '../../store/scanner-creation.ts'
import { DEFAULT_RULES } from '../../testing/rules.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { createFleet } from './fleet.ts'
import type { Model } from './model.ts'

const NOW = Date.parse('2026-11-20T08:00:00Z')
const SETTINGS = { ...DEFAULT_RULES, intervalSeconds: 60 }
const emptyModel = (): Model => ({
  version: 0,
  sites: new Map(),
  hosts: new Map(),
  scanners: new Map(),
  metrics: new Map(),
  standIns: new Map(),
})

const byId = <T extends { id: number }>(all: ReadonlyMap<number, T>): T[] =>
  [...all.values()].toSorted((a, b) => a.id - b.id)
const idsOf = (all: ReadonlyMap<unknown, { id: number }>): number[] => [...all.values()].map(({ id }) => id).toSorted()

/** A model as plain data: what refers to something else says its id, and is checked to be the very entry of the model. */
const plain = (model: Model) => {
  for (const host of model.hosts.values()) expect(model.sites.get(host.site.id)).toBe(host.site)
  for (const scanner of model.scanners.values()) expect(model.hosts.get(scanner.host.id)).toBe(scanner.host)
  for (const metric of model.metrics.values()) expect(model.scanners.get(metric.scanner.id)).toBe(metric.scanner)
  return {
    sites: byId(model.sites).map(site => ({ ...site, hosts: idsOf(site.hosts) })),
    hosts: byId(model.hosts).map(({ site, scanners, life, ...host }) => ({
      ...host,
      site: site.id,
      scanners: [...scanners.keys()],
      life: life?.id,
    })),
    scanners: byId(model.scanners).map(({ host, metrics, ...scanner }) => ({
      ...scanner,
      host: host.id,
      metrics: [...metrics.keys()],
    })),
    metrics: byId(model.metrics).map(({ scanner, ...metric }) => ({ ...metric, scanner: scanner.id })),
  }
}

/** What an edit may do to a host, by the database's own means; `pick` chooses among what there is. */
const EDITS = {
  'rename host': async ({ db }, id, pick) => {
    await db
      .updateTable('host')
      .set({ name: `É${pick}`, name_folded: fold(`É${pick}`) })
      .where('id', '=', id)
      .execute()
  },
  'move host': async ({ db }, id, pick) => {
    await db
      .updateTable('host')
      .set({ site_id: 1 + (pick % 3) })
      .where('id', '=', id)
      .execute()
  },
  'disable host': async ({ db }, id, pick) => {
    await db
      .updateTable('host')
      .set({ enabled: pick % 2 === 0 ? 0 : 1 })
      .where('id', '=', id)
      .execute()
  },
  'give host a type': async ({ db }, id, pick) => {
    await db
      .updateTable('host')
      .set({ type_id: 1 + (pick % 3), tags_folded: `t${pick}` })
      .where('id', '=', id)
      .execute()
  },
  'delete host': async ({ db }, id) => {
    await db.deleteFrom('host').where('id', '=', id).execute()
  },
  'create scanner': async ({ db }, id, pick) => {
    const kind = pick % 2 === 0 ? 'ping' : 'tcp'
    const parameters = kind === 'tcp' ? { port: 22 } : {}
    if ((await db.selectFrom('host').select('id').where('id', '=', id).execute()).length > 0)
      await insertScannerWithMetrics(db, { hostId: id, kind, name: `scanner ${pick}`, parameters }, null, NOW)
  },
  'choose life scanner': async ({ db }, id) => {
    const last = await db.selectFrom('scanner').select('id').where('host_id', '=', id).orderBy('id', 'desc').execute()
    await db
      .updateTable('host')
      .set({ life_scanner_id: last[0]?.id ?? null })
      .where('id', '=', id)
      .execute()
  },
  'change scanners': async ({ db }, id, pick) => {
    const set = { enabled: pick % 3 === 0 ? 0 : 1, interval_seconds: 10 + pick, attempts: 1 + (pick % 4) } as const
    await db.updateTable('scanner').set(set).where('host_id', '=', id).execute()
  },
  'delete scanners': async ({ db }, id) => {
    await db.updateTable('host').set({ life_scanner_id: null }).where('id', '=', id).execute()
    await db.deleteFrom('scanner').where('host_id', '=', id).execute()
  },
  'change metrics': async ({ db }, id, pick) => {
    const thresholds = JSON.stringify({ warningHigh: pick })
    const set = { thresholds, attempts: 1 + (pick % 4), enabled: pick % 2 === 0 ? 0 : 1, name: `m${pick}` } as const
    await db.updateTable('metric').set(set).where('host_id', '=', id).execute()
  },
  'delete metrics': async ({ db }, id) => {
    await db.deleteFrom('metric').where('host_id', '=', id).where('key', '!=', 'availability').execute()
  },
} as const satisfies Record<string, (database: Database, id: number, pick: number) => Promise<void>>
const KINDS = [
  ...Object.keys(EDITS).filter((name): name is keyof typeof EDITS => name in EDITS),
  'create host',
] as const

describe.each(DIALECTS)('the fleet in memory, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeEach(async () => {
    test = await createTestApp({ dialect, now: () => NOW })
    admin = await test.admin()
    for (const name of ['Lyon', 'Évreux', 'Brest']) await admin.call('POST', '/api/Site/Create', { name, code: name })
    for (let index = 0; index < 6; index++) await createHost(index)
  })
  afterEach(() => test.close())

  const createHost = async (index: number): Promise<number> => {
    const body = { name: `srv-${index}`, address: '192.0.2.1', siteId: 1 + (index % 3) }
    return (await admin.call('POST', '/api/Host/Create', body)).body.id
  }
  const fleetOf = (model: Model) =>
    createFleet(
      test.database,
      model,
      () => SETTINGS,
      () => NOW,
    )

  it('read again in parts after any edits, it is the same as read whole', async () => {
    const inParts = emptyModel()
    const fleet = fleetOf(inParts)
    await fleet.readAll()
    const edit = fc.record({ kind: fc.constantFrom(...KINDS), host: fc.nat({ max: 9 }), pick: fc.nat({ max: 9 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async edits => {
        const touched = new Set<number>()
        for (const { kind, host, pick } of edits) {
          const ids = await test.database.db.selectFrom('host').select('id').orderBy('id').execute()
          const id = ids[host % Math.max(1, ids.length)]?.id ?? (await createHost(pick))
          touched.add(id)
          if (kind === 'create host') touched.add(await createHost(pick))
          else await EDITS[kind](test.database, id, pick)
        }
        expect(await fleet.readHosts([...touched])).toBe(true)
        const whole = emptyModel()
        await fleetOf(whole).readAll()
        expect(plain(inParts)).toEqual(plain(whole))
      }),
      // The database keeps what earlier runs did: a failure cannot be shrunk.
      { numRuns: 60, endOnFailure: true },
    )
  })

  it('keeps of a host read again what only memory knows', async () => {
    const model = emptyModel()
    const fleet = fleetOf(model)
    await fleet.readAll()
    const [metric] = [...model.metrics.values()]
    if (metric === undefined) throw new Error('no metric')
    Object.assign(metric, { value: 12.5, atMs: NOW - 5, heardMs: NOW - 4, state: { ...metric.state, attempt: 2 } })
    Object.assign(metric.scanner, { lastRunMs: NOW - 6, lastError: 'refus' })
    await fleet.readHosts([metric.scanner.host.id])
    const again = model.metrics.get(metric.id)
    expect(again).not.toBe(metric)
    expect(again).toMatchObject({ value: 12.5, atMs: NOW - 5, heardMs: NOW - 4, state: { attempt: 2 } })
    expect(again?.scanner).toMatchObject({ lastRunMs: NOW - 6, lastError: 'refus' })
  })

  it('a host on a site that is not known yet asks for a whole reading, and nothing is half done', async () => {
    const model = emptyModel()
    const fleet = fleetOf(model)
    await fleet.readAll()
    const before = plain(model)
    await test.database.db.updateTable('host').set({ name: 'autre' }).where('id', '=', 1).execute()
    model.sites.delete(1)
    expect(await fleet.readHosts([1])).toBe(false)
    expect(plain({ ...model, sites: new Map([...model.hosts.values()].map(({ site }) => [site.id, site])) })).toEqual(
      before,
    )
  })
})
