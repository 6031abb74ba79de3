import { type ModelDefinition, modelDefinition } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS, openTestDatabase } from '../testing/test-app.ts'
import type { Database, Db } from './database.ts'
import { applyModels } from './model-inheritance.ts'
import { insertScannerWithMetrics } from './scanner-creation.ts'

const NOW = Date.UTC(2026, 0, 15)
const STAMPS = { created_at: NOW, updated_at: NOW, updated_by: 'essai' }
const NOTHING = { scannersCreated: 0, scannersUpdated: 0, scannersDeleted: 0, metricsUpdated: 0, metricsDeleted: 0 }

const ping = (item: string, rest: object = {}) => ({
  item,
  name: 'Ping',
  kind: 'ping',
  parameters: { count: 5, size: 56 },
  ...rest,
})
const ssh = (item: string, rest: object = {}) => ({
  item,
  name: 'SSH',
  kind: 'tcp',
  parameters: { port: 22, banner: '' },
  ...rest,
})
const loss = (errorHigh: number) => ({ key: 'loss_ratio', thresholds: { errorHigh } })

describe.each(DIALECTS)('applyModels on %s', dialect => {
  let database: Database
  let drop: () => Promise<void>
  let db: Db
  let siteId: number
  beforeEach(async () => {
    ;({ database, drop } = await openTestDatabase(dialect))
    db = database.db
    siteId = (
      await db
        .insertInto('site')
        .values({
          name: 'S',
          name_folded: 's',
          code: 'S',
          code_folded: 's',
          type_id: null,
          parent_id: null,
          address: '',
          postal_code: '',
          city: '',
          city_folded: '',
          country: '',
          latitude: null,
          longitude: null,
          time_zone: 'Europe/Paris',
          contact_name: '',
          contact_phone: '',
          contact_email: '',
          instruction: '',
          probe_id: null,
          ...STAMPS,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  })
  afterEach(() => drop())

  const host = async (...modelIds: number[]): Promise<number> => {
    const { id } = await db
      .insertInto('host')
      .values({
        name: 'h',
        name_folded: 'h',
        address: '192.0.2.1',
        address_folded: '192.0.2.1',
        type_id: null,
        model_id: null,
        site_id: siteId,
        probe_id: null,
        life_scanner_id: null,
        tags: '[]',
        tags_folded: '',
        enabled: 1,
        description: '',
        instruction: '',
        state: 'pending',
        severity_rank: 2,
        state_since: NOW,
        ...STAMPS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await link(id, ...modelIds)
    return id
  }
  const link = async (hostId: number, ...modelIds: number[]): Promise<void> => {
    await db.deleteFrom('host_monitoring_model').where('host_id', '=', hostId).execute()
    for (const [position, modelId] of modelIds.entries())
      await db.insertInto('host_monitoring_model').values({ host_id: hostId, model_id: modelId, position }).execute()
  }
  const model = async (name: string, ...scanners: unknown[]): Promise<number> =>
    (
      await db
        .insertInto('monitoring_model')
        .values({ name, name_folded: name, description: '', definition: text(scanners), ...STAMPS })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const text = (scanners: unknown[]): string => {
    const definition: ModelDefinition = modelDefinition.parse({ scanners })
    return JSON.stringify(definition)
  }
  const redefine = (id: number, ...scanners: unknown[]) =>
    db
      .updateTable('monitoring_model')
      .set({ definition: text(scanners) })
      .where('id', '=', id)
      .execute()
  const apply = (...hostIds: number[]) =>
    db.transaction().execute(trx => applyModels(trx, hostIds, 'marie', NOW + 1_000))
  const scanners = (hostId: number) =>
    db.selectFrom('scanner').selectAll().where('host_id', '=', hostId).orderBy('id').execute()
  const metric = (scannerId: number | undefined, key: string) =>
    db
      .selectFrom('metric')
      .selectAll()
      .where('scanner_id', '=', scannerId ?? 0)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()

  it('a host gets the scanners of its models with their metrics and thresholds; again writes nothing', async () => {
    const id = await host(
      await model('m', ping('p', { intervalSeconds: 30, metrics: [loss(0.3)] }), ssh('s', { enabled: false })),
    )
    expect(await apply(id)).toMatchObject({ ...NOTHING, scannersCreated: 2, changedHostIds: [id] })
    const [first, second] = await scanners(id)
    expect(first).toMatchObject({
      name: 'Ping',
      kind: 'ping',
      interval_seconds: 30,
      model_item: 'p',
      updated_by: 'marie',
    })
    expect(second).toMatchObject({ name: 'SSH', enabled: 0, parameters: '{"port":22,"banner":""}', overrides: '[]' })
    expect(JSON.parse((await metric(first?.id, 'loss_ratio')).thresholds)).toMatchObject({
      warningHigh: null,
      errorHigh: 0.3,
    })
    expect(await metric(first?.id, 'availability')).toMatchObject({
      name: 'Disponibilité (Ping)',
      name_folded: 'disponibilite (ping)',
    })
    const writes = database.writes()
    expect(await apply(id)).toEqual({ ...NOTHING, deletedMetricIds: [], changedHostIds: [] })
    expect(database.writes() - writes).toBe(1)
  })

  it('a changed model rewrites what is inherited and leaves own fields, name and probe; its name follows', async () => {
    const m = await model('m', ping('p', { intervalSeconds: 30, timeoutMs: 1_000, metrics: [loss(0.3)] }))
    const id = await host(m)
    await apply(id)
    const [before] = await scanners(id)
    await db.updateTable('scanner').set({ interval_seconds: 10, overrides: '["intervalSeconds"]' }).execute()
    const own = await metric(before?.id, 'loss_ratio')
    await db.updateTable('metric').set({ attempts: 7, overrides: '["attempts"]' }).where('id', '=', own.id).execute()
    await redefine(m, {
      ...ping('p', { intervalSeconds: 90, timeoutMs: 2_000, metrics: [{ ...loss(0.6), attempts: 2 }] }),
      name: 'Écho',
    })
    expect(await apply(id)).toMatchObject({ ...NOTHING, scannersUpdated: 1, metricsUpdated: 2 })
    const [after] = await scanners(id)
    expect(after).toMatchObject({
      id: before?.id,
      name: 'Écho',
      name_folded: 'echo',
      interval_seconds: 10,
      timeout_ms: 2_000,
    })
    const changed = await metric(after?.id, 'loss_ratio')
    expect(changed).toMatchObject({ id: own.id, attempts: 7, updated_at: NOW + 1_001 })
    expect(JSON.parse(changed.thresholds)).toMatchObject({ errorHigh: 0.6 })
    expect((await metric(after?.id, 'availability')).name).toBe('Disponibilité (Écho)')
    await db.updateTable('scanner').set({ overrides: '[]' }).execute()
    await apply(id)
    expect((await scanners(id))[0]?.interval_seconds).toBe(90)
  })

  it('of two models with a scanner of one kind and name the first counts; in the other order the other, with its history', async () => {
    const [a, b] = [
      await model('a', ping('p1', { attempts: 2 })),
      await model('b', { ...ping('p2', { attempts: 9 }), name: 'PING' }, ssh('s')),
    ]
    const id = await host(a, b)
    expect(await apply(id)).toMatchObject({ scannersCreated: 2 })
    const before = await scanners(id)
    expect(before.map(one => [one.model_id, one.model_item, one.attempts])).toEqual([
      [a, 'p1', 2],
      [b, 's', null],
    ])
    await link(id, b, a)
    expect(await apply(id)).toMatchObject({ ...NOTHING, scannersUpdated: 1, metricsUpdated: 1 })
    expect((await scanners(id))[0]).toMatchObject({
      id: before[0]?.id,
      model_id: b,
      model_item: 'p2',
      attempts: 9,
      name: 'PING',
    })
    await link(id, a)
    expect(await apply(id)).toMatchObject({ scannersUpdated: 1, scannersDeleted: 1, metricsDeleted: 2 })
    expect((await scanners(id)).map(one => [one.id, one.model_id])).toEqual([[before[0]?.id, a]])
  })

  it('a model taken off takes its scanners and their metrics along, and no other; the life test is let go', async () => {
    const m = await model('m', ssh('s'))
    const id = await host(m)
    await insertScannerWithMetrics(db, { hostId: id, kind: 'ping', name: 'À moi', parameters: {} }, null, NOW)
    await apply(id)
    const gone = (await scanners(id)).find(one => one.model_id === m)
    await db
      .updateTable('host')
      .set({ life_scanner_id: gone?.id ?? null })
      .execute()
    const metrics = await db
      .selectFrom('metric')
      .select('id')
      .where('scanner_id', '=', gone?.id ?? 0)
      .orderBy('id')
      .execute()
    await link(id)
    const applied = await apply(id)
    expect(applied).toMatchObject({ ...NOTHING, scannersDeleted: 1, metricsDeleted: 2 })
    expect(applied.deletedMetricIds).toEqual(metrics.map(one => one.id))
    expect((await scanners(id)).map(one => one.name)).toEqual(['À moi'])
    expect((await db.selectFrom('host').select('life_scanner_id').executeTakeFirst())?.life_scanner_id).toBeNull()
  })

  it("a host's own scanner of the same kind and name is taken over with its history; what was set by hand stays its own", async () => {
    const id = await host(
      await model(
        'm',
        ping('p', { intervalSeconds: 30, attempts: 4, metrics: [loss(0.3), { key: 'rtt_avg', attempts: 5 }] }),
      ),
    )
    const own = await insertScannerWithMetrics(
      db,
      { hostId: id, kind: 'ping', name: 'ping', parameters: {}, attempts: 8, enabled: false },
      null,
      NOW,
    )
    const { id: lossId } = await metric(own, 'loss_ratio')
    await db.updateTable('metric').set({ no_data: 'keep' }).where('id', '=', lossId).execute()
    expect(await apply(id)).toMatchObject({ ...NOTHING, scannersUpdated: 1, metricsUpdated: 3 })
    const [taken] = await scanners(id)
    expect(taken).toMatchObject({
      id: own,
      name: 'Ping',
      interval_seconds: 30,
      attempts: 8,
      enabled: 0,
      model_item: 'p',
    })
    expect(JSON.parse(taken?.overrides ?? '')).toEqual(['attempts', 'enabled'])
    const kept = await metric(own, 'loss_ratio')
    expect(kept).toMatchObject({ id: lossId, no_data: 'keep', overrides: '["noData"]' })
    expect(JSON.parse(kept.thresholds)).toMatchObject({ warningHigh: null, errorHigh: 0.3 })
    expect((await metric(own, 'rtt_avg')).attempts).toBe(5)
    expect(await apply(id)).toMatchObject(NOTHING)
  })

  it('an item whose kind changed is another scanner; a metric key without instance speaks of all instances', async () => {
    const m = await model('m', ping('x'))
    const id = await host(m)
    await apply(id)
    await redefine(m, ssh('x'), {
      item: 'y',
      name: 'Système',
      kind: 'system',
      metrics: [{ key: 'disk_used_ratio', attempts: 6 }],
    })
    expect(await apply(id)).toMatchObject({ scannersCreated: 2, scannersDeleted: 1, metricsDeleted: 6 })
    const system = (await scanners(id)).find(one => one.kind === 'system')
    await db
      .insertInto('metric')
      .values({
        host_id: id,
        scanner_id: system?.id ?? 0,
        key: 'disk_used_ratio[/data]',
        name: 'x',
        name_folded: 'x',
        unit: 'ratio',
        type: 'gauge',
        thresholds: '{}',
        attempts: null,
        no_data: 'unknown',
        enabled: 1,
        ...STAMPS,
      })
      .execute()
    expect(await apply(id)).toMatchObject({ ...NOTHING, metricsUpdated: 1 })
    expect(await metric(system?.id, 'disk_used_ratio[/data]')).toMatchObject({
      attempts: 6,
      name: expect.stringContaining('/data'),
    })
  })
})
