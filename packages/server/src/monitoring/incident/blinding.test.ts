import { generateKeyPairSync } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { createHostScene, type HostScene } from '../../testing/host-scene.ts'
import { type Answered, type Caller, createTestApp, DIALECTS, PASSWORD } from '../../testing/test-app.ts'
import { writeBlinding } from './blinding.ts'

const NOW_MS = Date.parse('2026-11-22T08:00:00Z')

describe.each(DIALECTS)('the hosts that a silent probe leaves unknown, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
    for (const name of ['rtr', 'srv', 'Été']) await scene.add(name)
    await scene.answer('rtr', 'srv', 'Été')
  })
  afterEach(() => scene.test.close())

  const silent = async (): Promise<Answered> => {
    await scene.listen(70_000)
    const [incident] = await scene.incidents({ kind: 'probe', open: true })
    return incident
  }
  const spansOf = (detail: Answered): string[] =>
    detail.effects.map(({ hostName, since, until }: Answered) => {
      const seconds = until === null ? 'encore' : (Date.parse(until) - Date.parse(since)) / 1_000
      return `${hostName} ${seconds}`
    })
  const rows = () =>
    scene.test.database.db.selectFrom('incident_effect').selectAll().where('kind', '=', 'blind').orderBy('id').execute()

  it('are known after its end: how many, which, from when until their first new result', async () => {
    const { id } = await silent()
    const during = await scene.detail(id)
    expect([during.effectHosts, during.effectsEver, during.incident.closedAt]).toEqual([3, 3, null])
    await scene.listen(10_000)
    await scene.answerNow('rtr')
    const partly = await scene.detail(id)
    expect([partly.effectHosts, partly.effectsEver, spansOf(partly)]).toEqual([2, 3, ['Été encore', 'srv encore']])
    await scene.listen(5_000)
    // The probe is back, two hosts not yet.
    const over = await scene.detail(id)
    expect(over.incident.closedAt).not.toBeNull()
    expect([over.effectHosts, spansOf(over)]).toEqual([3, ['Été encore', 'srv encore', 'rtr 10']])
    await scene.answerNow('srv', 'Été')
    const after = await scene.detail(id)
    expect([after.effectHosts, after.effectsEver, spansOf(after)]).toEqual([3, 3, ['Été 15', 'rtr 10', 'srv 15']])
    expect(after.effects.map(({ since }: Answered) => since)).toEqual(
      during.effects.map(({ since }: Answered) => since),
    )
  })

  it('a probe that falls silent again has another incident: each keeps its own, a host that fell twice in one counts once', async () => {
    const first = await silent()
    await scene.answerNow('rtr', 'srv', 'Été')
    await scene.listen(5_000)
    const second = await silent()
    expect(second.id).not.toBe(first.id)
    expect((await scene.detail(first.id)).effects.map(({ until }: Answered) => until === null)).toEqual([
      ...[false, false, false],
    ])
    const { db } = scene.test.database
    await db
      .insertInto('incident_effect')
      .values({ incident_id: first.id, host_id: scene.idOf('rtr'), kind: 'blind', since: 1, until: 2 })
      .execute()
    const counted = await scene.detail(first.id)
    expect([counted.effectHosts, counted.effects.length]).toEqual([3, 4])
    await scene.answerNow('rtr', 'srv', 'Été')
    expect((await scene.detail(second.id)).effectHosts).toBe(0)
    await scene.listen(5_000)
    expect((await scene.detail(second.id)).effectHosts).toBe(3)
    expect((await rows()).filter(({ until }) => until === null)).toEqual([])
  })

  it('a host that is disabled, and the hosts of a probe that is revoked, are so no longer', async () => {
    const { id } = await silent()
    const { body } = await scene.admin.call('GET', `/api/Host/Get/${scene.idOf('srv')}`)
    await scene.wait(0)
    const changed = await scene.admin.call('PUT', `/api/Host/Update/${scene.idOf('srv')}`, { ...body, enabled: false })
    expect(changed.status).toBe(200)
    await scene.listen(5_000)
    expect(spansOf(await scene.detail(id))).toEqual(['Été encore', 'rtr encore'])
    // By hand: the probe of the scene is the server's own.
    const known = scene.test.app.monitoring.presence.probes.get(scene.probe.id)
    if (known !== undefined) known.approval = 'revoked'
    await scene.listen(10_000)
    const over = await scene.detail(id)
    expect([over.incident.closedAt === null, over.effectHosts]).toEqual([false, 3])
    expect((await rows()).filter(({ until }) => until === null)).toEqual([])
  })

  it('are kept over a restart, in the same transaction as their states, and go with their incident', async () => {
    const { db } = scene.test.database
    await scene.listen(55_000)
    expect(await rows()).toEqual([])
    const { id } = await silent()
    const states = await db.selectFrom('host').select(['state', 'state_since']).execute()
    expect([...new Set(states.map(({ state }) => state))]).toEqual(['unknown'])
    const before = await rows()
    expect(before).toHaveLength(3)
    await db.updateTable('host').set({ enabled: 0 }).where('name', '=', 'srv').execute()
    const again = await createApp({
      ...{ database: scene.test.database, samples: scene.test.samples, key: () => new Uint8Array(32), now: scene.now },
      serverKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      log: pino({ level: 'silent' }),
    })
    await again.start()
    await again.monitoring.pass()
    const after = await rows()
    expect(after.map(row => ({ ...row, until: null }))).toEqual(before)
    expect(after.filter(({ until }) => until !== null).map(row => row.host_id)).toEqual([scene.idOf('srv')])
    await again.stop()
    await db.deleteFrom('incident').where('id', '=', id).execute()
    expect(await rows()).toEqual([])
  })

  it('who sees one site alone is told of its hosts, and counts no others', async () => {
    const { admin, test } = scene
    const { id: paris } = await admin.make('/api/Site/Create', { name: 'Paris', code: 'PAR' })
    const { db } = test.database
    await db.updateTable('host').set({ site_id: paris }).where('name', '=', 'srv').execute()
    await test.app.monitoring.reload()
    const { id } = await silent()
    // As of a probe that stands at Lyon.
    await db.updateTable('incident').set({ site_id: scene.siteId }).where('id', '=', id).execute()
    const group = { name: 'Lyonnais', claims: [], limited: true, siteIds: [scene.siteId] }
    const { id: group_id } = await admin.make('/api/UserGroup/Create', group)
    const reader = await test.user([], { login: 'lyonnais' })
    const me = (await reader.call('GET', '/api/Account/Get')).body.idUser
    await db.insertInto('user_group_member').values({ group_id, account_id: me }).execute()
    const limited = await test.signIn('lyonnais', PASSWORD)
    const seen = async (caller: Caller) => (await caller.call('GET', `/api/Incident/Detail/${id}`)).body
    expect(spansOf(await seen(limited))).toEqual(['Été encore', 'rtr encore'])
    expect([(await seen(limited)).effectHosts, (await seen(limited)).effectsEver]).toEqual([2, 2])
    expect((await scene.detail(id)).effectHosts).toBe(3)
    await db.updateTable('incident').set({ closed_at: scene.now() }).where('id', '=', id).execute()
    expect([(await seen(limited)).effectHosts, spansOf(await seen(limited)).length]).toEqual([2, 2])
  })

  it('are neither hosts that can’t be reached, nor counted as such by lists and messages', async () => {
    const { id } = await silent()
    const [incident] = await scene.incidents({ kind: 'probe', open: true })
    expect([incident.id, incident.unreachable]).toEqual([id, 0])
    await scene.test.app.monitoring.reload()
    expect(scene.test.app.monitoring.model.hosts.get(scene.idOf('srv'))?.cutBy).toBeNull()
  })
})

describe.each(DIALECTS)('a probe that looks after 5,000 hosts, on %s', dialect => {
  it('falls silent: their rows are written by few statements, in turns between which others get theirs', async () => {
    const test = await createTestApp({ dialect, now: () => NOW_MS })
    const admin = await test.admin()
    const { id: siteId } = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    const { id } = await admin.make('/api/Host/Create', { name: 'srv', address: '192.0.2.1', siteId })
    const { db } = test.database
    const incident = await db
      .insertInto('incident')
      .values({ event_key: 'x', kind: 'probe', severity_rank: 0, information: '', opened_at: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    const statements: string[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    let others = 0
    const timer = setInterval(() => {
      others += 1
    }, 0)
    const many = Array.from({ length: 5_000 }, () => ({ hostId: id, key: 'probe:1', incidentId: incident.id }))
    const begun = many.map(one => ({ ...one, sinceMs: NOW_MS }))
    await db
      .withPlugin(counting)
      .transaction()
      .execute(trx => writeBlinding(trx, { begun, ended: [] }, NOW_MS))
    const [inserts, turned] = [statements.length, others]
    await db
      .withPlugin(counting)
      .transaction()
      .execute(trx => writeBlinding(trx, { begun: [], ended: many }, NOW_MS))
    clearInterval(timer)
    const open = await db.selectFrom('incident_effect').select('id').where('until', 'is', null).execute()
    expect([inserts, statements.length - inserts, open.length]).toEqual([20, 20, 0])
    expect(turned).toBeGreaterThanOrEqual(5)
    await test.close()
  })
})
