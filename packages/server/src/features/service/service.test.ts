import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES, type Service } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteLastBackup } from '../../backup/last-backup.ts'
import { createTestClock, type TestClock } from '../../testing/clock.ts'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'

const HOUR_MS = 3_600_000

describe.each(DIALECTS)('the services of Narval, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let clock: TestClock
  let dataFolder: string

  beforeEach(async () => {
    clock = createTestClock()
    dataFolder = mkdtempSync(join(tmpdir(), 'narval-data-'))
    test = await createTestApp({ dialect, now: clock.now, dataFolder })
    admin = await test.admin()
    await look()
  })
  afterEach(async () => {
    await test.close()
    rmSync(dataFolder, { recursive: true })
  })

  const look = async (): Promise<void> => {
    await test.app.services.registry.refresh()
    test.app.services.registry.look()
  }
  const list = async (caller = admin): Promise<Service[]> => (await caller.call('GET', '/api/Service/Get')).body
  const probeRow = async (caller = admin) => (await list(caller)).find(one => one.kind === 'probe')

  it('are all told with a state, a sentence why and a version; the list sorts, searches and filters', async () => {
    // The disk is looked at once the server is there.
    await expect
      .poll(async () => (await list()).find(one => one.id === SERVICES.disk.id)?.state, { timeout: 30_000 })
      .toBe('ok')
    const all = await list()
    expect(all.map(one => one.name)).toEqual(Object.values(SERVICES).map(one => one.name))
    for (const one of all) expect(one.reason, one.name).toMatch(/\.$/)
    for (const key of ['database', 'samples', 'judging', 'chain', 'disk'] as const)
      expect(all.find(one => one.id === SERVICES[key].id)).toMatchObject({ state: 'ok', version: /^\d/ })
    const put = (body: object) => admin.call('PUT', '/api/ServiceDatatable', body)
    const columns = [{ data: 'state' }, { data: 'name' }]
    const gravest = (await put({ columns })).body
    expect([gravest.recordsTotal, gravest.data.at(-1).state]).toEqual([all.length, 'off'])
    expect((await put({ columns, order: [{ column: 0, dir: 'desc' }] })).body.data[0].state).toBe('off')
    expect((await put({ columns, search: { value: 'BASE DE' } })).body.data).toMatchObject([
      { name: 'Base de données' },
    ])
    expect((await put({ filters: { state: 'off' } })).body.data).toMatchObject([{ name: 'Battement sortant' }])
    expect((await put({ filters: { state: 'cassé' } })).status).toBe(400)
    expect((await admin.call('GET', '/api/Service/Get/99')).status).toBe(404)
    const reader = await test.user(['log_read'])
    expect((await reader.call('GET', '/api/Service/Get')).status).toBe(403)
  })

  it('a probe that falls silent shows since its last call, and is told to those who follow', async () => {
    const probe = await enrolTestProbe(test, clock.now)
    await probe.orders()
    await look()
    expect(await probeRow()).toMatchObject({ id: 1_000 + probe.id, probeId: probe.id, name: 'Sonde d’essai' })
    const lastMs = clock.now()
    const published = (): number => test.app.hubs.stats().published
    const before = published()
    for (let passed = 0; passed < 60; passed += 5) {
      clock.forward(5_000)
      await test.app.monitoring.pass()
    }
    await look()
    expect(published()).toBeGreaterThan(before)
    expect(await probeRow()).toMatchObject({
      ...{ state: 'error', reason: 'N’appelle plus.', since: new Date(lastMs).toISOString(), queue: null },
    })
  })

  it('S32: an account that is limited to sites sees nothing of the platform, whatever claim it was given', async () => {
    const lyon = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    const limits = { limited: true, siteIds: [lyon.id] }
    const group = await admin.make('/api/UserGroup/Create', { name: 'Lyonnais', claims: [], ...limits })
    const rights = { groups: [group.id], claims: [{ claim: 'service_read' }] }
    await admin.make('/api/Account/Create', { login: 'paul', password: PASSWORD, ...rights })
    await test.database.db.updateTable('account').set({ first_connection: 0 }).execute()
    const paul = await test.signIn('paul', PASSWORD)
    for (const path of ['Service/Get', 'Service/Get/1', 'Service/Storage', 'ServiceDatatable'])
      expect((await paul.call('GET', `/api/${path}`)).status, path).toBe(403)
  })

  it('the sizes are noted once an hour, and foretell nothing before a day of them', async () => {
    const told = async () => (await admin.call('GET', '/api/Service/Storage')).body
    // They are noted a first time once the server is there.
    await expect
      .poll(async () => (await told()).forecast, { timeout: 30_000 })
      .toMatchObject({ outlook: 'early', bytesPerDay: null, fullAt: null, sizes: 1 })
    await look()
    expect((await told()).history).toHaveLength(1)
    for (let hour = 0; hour < 25; hour++) {
      clock.forward(HOUR_MS)
      await test.app.services.storage.measure()
    }
    // Whose session has ended meanwhile.
    admin = await test.admin()
    const storage = await told()
    expect([storage.history.length, storage.forecast.outlook]).toEqual([26, 'steady'])
    expect(storage.folder).toBe(dataFolder)
    expect(storage.outsideBytes === null).toBe(dialect === 'sqlite')
    expect(storage.disk.freeBytes).toBeGreaterThan(0)
    expect(storage.retention).toContainEqual({ label: 'Log', days: 365, setting: 'auditDays' })
  })

  it('what the last backup came to is told, and warned of when it failed or is more than two days old', async () => {
    const told = async () => {
      await look()
      return (await admin.call('GET', `/api/Service/Get/${SERVICES.backup.id}`)).body
    }
    expect(await told()).toMatchObject({ state: 'unknown', reason: 'Aucune n’a encore été faite.' })
    const note = (ok: boolean, message: string) =>
      noteLastBackup(dataFolder, {
        ...{ at: new Date(clock.now()).toISOString(), ok, message, durationMs: 2_000 },
        ...(ok ? { path: '/var/backups/narval/n', bytes: 5_000 } : { path: null, bytes: 0 }),
      })
    clock.forward(60_000)
    note(true, '')
    const made = await told()
    expect(made).toMatchObject({ state: 'ok', lastError: null })
    expect(made.reason).toMatch(/^Faite et vérifiée le .+\.$/)
    expect(made.figures).toContainEqual({ label: 'Taille', value: 5_000, unit: 'bytes' })
    clock.forward(49 * HOUR_MS)
    admin = await test.admin()
    expect(await told()).toMatchObject({
      state: 'warning',
      reason: expect.stringMatching(/^La dernière a plus de deux jours/),
    })
    note(false, 'Il n’y a plus de place dans /var/backups\u202f: rien n’y a été laissé.\n  - détail')
    const failed = await told()
    expect(failed).toMatchObject({ state: 'warning', reason: expect.stringMatching(/^A échoué le .+ plus de place/) })
    expect(failed.errors).toMatchObject([{ text: expect.stringContaining('plus de place'), count: 1 }])
    expect((await told()).errors).toMatchObject([{ count: 1 }])
  })

  it('a setting for the beat is an address that is called: http or https alone', async () => {
    const write = (beatUrl: string) => admin.call('PUT', '/api/Parameter/Configuration', { beatUrl })
    for (const wrong of ['mailto:a@b.fr', 'ftp://exemple.fr/x', 'file:///etc/passwd', 'http://'])
      expect((await write(wrong)).status, wrong).toBe(400)
    expect((await write('https://veille.exemple.fr/ping/1')).status).toBe(200)
    expect((await write('')).status).toBe(200)
  })
})
