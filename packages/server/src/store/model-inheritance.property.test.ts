import { modelDefinition, SCANNER_INHERITED } from '@narval/contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIALECTS, openTestDatabase } from '../testing/test-app.ts'
import type { Database, Db } from './database.ts'
import { modelChanges } from './model-changes.ts'
import { applyModels, createTally } from './model-inheritance.ts'
import { SCANNER_COLUMNS, scannerOverrides, wantedScanners } from './model-values.ts'

const NOW = Date.UTC(2026, 0, 15)
const STAMPS = { created_at: NOW, updated_at: NOW, updated_by: null }
const RUNS = 25

const metric = fc.record({
  key: fc.constantFrom('availability', 'rtt_avg', 'loss_ratio'),
  thresholds: fc.option(fc.record({ errorHigh: fc.integer({ min: 1, max: 3 }) })),
  attempts: fc.option(fc.integer({ min: 1, max: 2 })),
  enabled: fc.boolean(),
})
const scanner = fc.record({
  item: fc.constantFrom('a', 'b', 'c'),
  name: fc.constantFrom('Ping', 'PING', 'Écho'),
  kind: fc.constantFrom('ping', 'system'),
  intervalSeconds: fc.option(fc.constantFrom(30, 60)),
  enabled: fc.boolean(),
  metrics: fc.uniqueArray(metric, { selector: one => one.key, maxLength: 2 }),
})
const definition = fc
  .uniqueArray(scanner, { selector: one => one.item, maxLength: 3 })
  .map(scanners => modelDefinition.parse({ scanners: firstOfName(scanners) }))
const firstOfName = <T extends { kind: string; name: string }>(all: readonly T[]): T[] =>
  [...Map.groupBy(all, one => `${one.kind} ${one.name.toLowerCase()}`).values()].flatMap(same => same.slice(0, 1))
/** Which models a host has, in their order. */
const links = fc.shuffledSubarray([0, 1])
const override = fc.subarray(['intervalSeconds', 'enabled'] as const)
const scenario = fc.record({
  first: fc.tuple(definition, definition),
  second: fc.tuple(definition, definition),
  before: fc.array(links, { minLength: 3, maxLength: 3 }),
  after: fc.array(links, { minLength: 3, maxLength: 3 }),
  override,
  /** Hosts that had a ping of their own. */
  own: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
})

describe.each(DIALECTS)('whatever models say, on %s', dialect => {
  let database: Database
  let drop: () => Promise<void>
  let db: Db
  beforeAll(async () => {
    ;({ database, drop } = await openTestDatabase(dialect))
    db = database.db
    const texts = { name: '', name_folded: '', address: '' }
    const place = { postal_code: '', city: '', city_folded: '', country: '', latitude: null, longitude: null }
    const contact = { contact_name: '', contact_phone: '', contact_email: '', instruction: '', time_zone: 'UTC' }
    const site = { id: 1, ...texts, code: '', code_folded: '', type_id: null, parent_id: null, probe_id: null }
    await db
      .insertInto('site')
      .values({ ...site, ...place, ...contact, ...STAMPS })
      .execute()
  })
  afterAll(() => drop())

  const reset = async (own: readonly boolean[]): Promise<void> => {
    await db.deleteFrom('host').execute()
    await db.deleteFrom('monitoring_model').execute()
    for (const [index, hasOwn] of own.entries()) {
      const names = { name: `h${index}`, name_folded: `h${index}`, address: '', address_folded: '' }
      const nothing = {
        type_id: null,
        model_id: null,
        probe_id: null,
        life_scanner_id: null,
        tags: '[]',
        tags_folded: '',
      }
      const state = {
        enabled: 1 as const,
        description: '',
        instruction: '',
        state: 'pending',
        severity_rank: 2,
        state_since: 0,
      }
      await db
        .insertInto('host')
        .values({ id: index + 1, site_id: 1, ...names, ...nothing, ...state, ...STAMPS })
        .execute()
      if (!hasOwn) continue
      const figures = {
        interval_seconds: null,
        retry_interval_seconds: null,
        timeout_ms: null,
        attempts: 7,
        probe_id: null,
      }
      const named = { name: 'ping', name_folded: 'ping', kind: 'ping', parameters: '{}', enabled: 1 as const }
      await db
        .insertInto('scanner')
        .values({ host_id: index + 1, ...named, ...figures, ...STAMPS })
        .execute()
    }
  }
  const define = async (texts: readonly object[], isNew: boolean): Promise<void> => {
    for (const [index, one] of texts.entries()) {
      const definition = JSON.stringify(one)
      const row = { id: index + 1, name: `m${index}`, name_folded: `m${index}`, description: '', definition }
      if (isNew)
        await db
          .insertInto('monitoring_model')
          .values({ ...row, ...STAMPS })
          .execute()
      else
        await db
          .updateTable('monitoring_model')
          .set({ definition })
          .where('id', '=', index + 1)
          .execute()
    }
  }
  const link = async (hosts: readonly (readonly number[])[]): Promise<void> => {
    await db.deleteFrom('host_monitoring_model').execute()
    for (const [host, models] of hosts.entries())
      for (const [position, model] of models.entries())
        await db
          .insertInto('host_monitoring_model')
          .values({ host_id: host + 1, model_id: model + 1, position })
          .execute()
  }
  const apply = () => db.transaction().execute(trx => applyModels(trx, [1, 2, 3], null, NOW))
  const foresee = async (foreseen?: Parameters<typeof modelChanges>[2]) => {
    const tally = createTally()
    for await (const changes of modelChanges(db, [1, 2, 3], foreseen)) tally.add(changes)
    return tally.total()
  }
  const isEmpty = ({ changedHostIds }: { changedHostIds: readonly number[] }) => changedHostIds.length === 0

  it('the plan of a change is what it then does, each host ends with what its models say, and again does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ first, second, before, after, override, own }) => {
        await reset(own)
        await define(first, true)
        await link(before)
        await apply()
        expect(isEmpty(await apply())).toBe(true)
        const overrides = JSON.stringify(override)
        await db.updateTable('scanner').set({ overrides }).where('model_id', 'is not', null).execute()
        const [changed, other] = second
        const plan = await foresee({ modelId: 1, definition: changed })
        await define([changed, first[1]], false)
        expect(await apply()).toEqual(plan)
        await define([changed, other], false)
        await link(after)
        await apply()
        expect(isEmpty(await foresee())).toBe(true)
        const rows = await db
          .selectFrom('scanner')
          .selectAll()
          .where('model_id', 'is not', null)
          .orderBy('id')
          .execute()
        for (const [host, models] of after.entries()) {
          const known = models.map(model => ({ id: model + 1, name: '', definition: second[model] ?? changed }))
          const wanted = wantedScanners(known)
          const held = rows.filter(row => row.host_id === host + 1)
          expect(held.map(row => `${row.model_id} ${row.model_item} ${row.name}`).toSorted()).toEqual(
            wanted.map(({ modelId, scanner }) => `${modelId} ${scanner.item} ${scanner.name}`).toSorted(),
          )
          for (const row of held) {
            const said = wanted.find(
              one => one.modelId === row.model_id && one.scanner.item === row.model_item,
            )?.scanner
            const kept = scannerOverrides(row.overrides)
            const isInherited = !kept.includes('intervalSeconds')
            if (isInherited) expect(row[SCANNER_COLUMNS.intervalSeconds]).toBe(said?.intervalSeconds)
            if (!kept.includes('enabled')) expect(row.enabled).toBe(said?.enabled === true ? 1 : 0)
            expect(kept.every(field => SCANNER_INHERITED.includes(field))).toBe(true)
          }
        }
        const plain = await foresee({ modelId: 1, definition: null })
        await link(after.map(models => models.filter(model => model !== 0)))
        expect(await apply()).toEqual(plain)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})
