import { GIVE_BACK_AFTER_MS, PROBE_OFFLINE_AFTER_MS } from '@narval/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'
import { FRESHNESS_EVERY_MS } from './presence.ts'

const NAMES = ['Alpha', 'Bravo', 'Charlie'] as const
type Name = (typeof NAMES)[number]
const INTERVAL_MS = 60_000

describe.each(DIALECTS)('a group of three probes, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let group: number
  let host: number
  let scanner: number
  const probes = new Map<Name, TestProbe>()
  const alive = new Set<Name>()
  /** Host states seen by any pass. */
  const seen = new Set<string>()
  /** Runs that each probe made of the scanner, by time. */
  const runs: { by: Name; atMs: number }[] = []

  const probe = (name: Name): TestProbe => probes.get(name) ?? expect.fail(`no probe ${name}`)
  const idOf = (name: Name) => probe(name).id

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    for (const name of NAMES) {
      const made = await enrolTestProbe(test, now)
      await test.database.db.updateTable('probe').set({ name, local: 0 }).where('id', '=', made.id).execute()
      probes.set(name, made)
      alive.add(name)
    }
    await test.app.probes.loadPresence()
    for (const id of [...probes.values()].map(one => one.id)) {
      const presence = test.app.monitoring.presence.probes.get(id)
      const row = await test.database.db
        .selectFrom('probe')
        .select('name')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (presence !== undefined) presence.name = row.name
    }
    const site = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body
    const made = await admin.call('POST', '/api/Host/Create', {
      ...{ name: 'srv-1', address: '192.0.2.1', siteId: site.id, probeId: idOf('Alpha') },
    })
    host = made.body.id
    scanner = (await admin.call('GET', `/api/Scanner/Get?host=${host}`)).body[0].id
    group = (await admin.call('POST', '/api/ProbeGroup/Create', { name: 'Sondes de Lyon', memberIds: NAMES.map(idOf) }))
      .body.id
    seen.clear()
    runs.length = 0
    await forward(2 * INTERVAL_MS)
    seen.clear()
    runs.length = 0
  })
  afterEach(async () => {
    alive.clear()
    await test.close()
  })

  const checksOf = async (name: Name) => {
    const { configuration } = await probe(name).orders()
    return configuration?.checks.map(check => check.scanner) ?? []
  }
  const hostState = (): string => test.app.monitoring.model.hosts.get(host)?.state ?? ''
  const result = { values: { rtt_avg: 1, loss_ratio: 0 } }
  /** Time goes by: each live probe asks for its orders, runs what it is given once an interval, and the server passes. */
  const forward = async (ms: number, each?: () => Promise<void>) => {
    for (let passed = 0; passed < ms; passed += FRESHNESS_EVERY_MS) {
      nowMs += FRESHNESS_EVERY_MS
      for (const name of alive) {
        const mine = await checksOf(name)
        if (!mine.includes(scanner) || nowMs % INTERVAL_MS !== 0) continue
        runs.push({ by: name, atMs: nowMs })
        expect(await probe(name).post([{ scanner, ...result }])).toBe(204)
      }
      await test.app.monitoring.evaluation.idle()
      await test.app.monitoring.pass()
      seen.add(hostState())
      await each?.()
    }
  }
  const whoRuns = async (): Promise<Name[]> => {
    const given = await Promise.all(
      [...alive].map(async name => ((await checksOf(name)).includes(scanner) ? [name] : [])),
    )
    return given.flat()
  }
  /** Tokens do not last as long as what is told here. */
  const call: Caller['call'] = async (...given) => (await test.admin()).call(...given)
  const told = async () =>
    (await call('GET', '/api/Notification/Get?after=0')).body.notifications.map(
      ({ title, message }: { title: string; message: string }) => `${title} / ${message}`,
    )
  const samplesOf = async () => {
    const metrics = (await call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body
    const id = metrics.find(({ key }: { key: string }) => key === 'availability').id
    const range = { series: [id], fromMs: 0, toMs: nowMs + 1, points: 20_000, aggregate: 'last' } as const
    const answer = await test.samples.range({ ...range, resolution: 'raw' })
    return [...(answer.series[0]?.atMs ?? [])]
  }
  /** What a start reads again, on the same database. */
  const restart = async () => {
    const { presence, failover, model } = test.app.monitoring
    presence.probes.clear()
    model.standIns.clear()
    await test.app.probes.loadPresence()
    for (const name of NAMES) {
      const known = presence.probes.get(idOf(name))
      if (known !== undefined) known.name = name
    }
    presence.listen()
    await failover.load()
  }

  it('a silent one is replaced by the next, without any host turning unknown, and told once', async () => {
    alive.delete('Alpha')
    await forward(PROBE_OFFLINE_AFTER_MS - 2 * FRESHNESS_EVERY_MS)
    expect(await whoRuns()).toEqual([])
    await forward(3 * FRESHNESS_EVERY_MS)
    expect(await whoRuns()).toEqual(['Bravo'])
    await forward(INTERVAL_MS)
    expect(runs.at(-1)?.by).toBe('Bravo')
    await forward(20 * INTERVAL_MS)
    expect([...seen]).toEqual(['available'])
    expect(await told()).toEqual(['Sonde Alpha hors ligne / Ses scanners sont repris par Bravo.'])
    expect((await call('GET', `/api/Scanner/Get/${scanner}`)).body.standIn).toMatchObject({ name: 'Bravo' })
  })

  it('it gets them back 5 min after its return, and nobody ran them twice or not at all meanwhile', async () => {
    alive.delete('Alpha')
    await forward(2 * INTERVAL_MS)
    alive.add('Alpha')
    await forward(GIVE_BACK_AFTER_MS - 2 * FRESHNESS_EVERY_MS)
    expect(await whoRuns()).toEqual(['Bravo'])
    await forward(3 * FRESHNESS_EVERY_MS)
    expect(await whoRuns()).toEqual(['Alpha'])
    await forward(2 * INTERVAL_MS)
    expect(runs.at(-1)?.by).toBe('Alpha')
    expect([...seen]).toEqual(['available'])
    expect(new Set(runs.map(({ atMs }) => atMs)).size).toBe(runs.length)
    const gaps = runs.slice(1).map(({ atMs }, index) => atMs - (runs[index]?.atMs ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(PROBE_OFFLINE_AFTER_MS + INTERVAL_MS)
    expect(await told()).toEqual([
      'Sonde Alpha hors ligne / Ses scanners sont repris par Bravo.',
      'Sonde Alpha de nouveau en ligne / Bravo garde ses scanners encore quelques minutes, puis les lui rend.',
    ])
  })

  it('when the stand-in dies too the third runs the scanners; with nobody left the host is unknown', async () => {
    alive.delete('Alpha')
    await forward(3 * INTERVAL_MS)
    alive.delete('Bravo')
    await forward(3 * INTERVAL_MS)
    expect([await whoRuns(), [...seen]]).toEqual([['Charlie'], ['available']])
    expect((await told()).at(-1)).toBe('Sonde Bravo hors ligne / Elle n’a la charge d’aucun équipement.')
    alive.delete('Charlie')
    await forward(2 * INTERVAL_MS)
    expect([await whoRuns(), hostState()]).toEqual([[], 'unknown'])
    alive.add('Bravo')
    await forward(2 * INTERVAL_MS)
    expect([await whoRuns(), hostState()]).toEqual([['Bravo'], 'available'])
  })

  it('a restart of the server loses neither who runs what nor since when the home is back', async () => {
    alive.delete('Alpha')
    await forward(3 * INTERVAL_MS)
    await restart()
    await forward(3 * INTERVAL_MS)
    expect(await whoRuns()).toEqual(['Bravo'])
    alive.add('Alpha')
    await forward(4 * INTERVAL_MS)
    await restart()
    expect(await whoRuns()).toEqual(['Bravo'])
    await forward(INTERVAL_MS + FRESHNESS_EVERY_MS)
    expect([await whoRuns(), [...seen]]).toEqual([['Alpha'], ['available']])
  })

  it('a probe that flaps does not get its scanners back between two silences', async () => {
    const runners = new Set<string>()
    const watch = async () => {
      for (const name of await whoRuns()) runners.add(name)
    }
    alive.delete('Alpha')
    await forward(2 * INTERVAL_MS)
    for (let turn = 0; turn < 3; turn++) {
      alive.add('Alpha')
      await forward(2 * INTERVAL_MS, watch)
      alive.delete('Alpha')
      await forward(2 * INTERVAL_MS, watch)
    }
    expect([[...runners], [...seen]]).toEqual([['Bravo'], ['available']])
  })

  it('R34: what a home measured while it was cut off fills the hole in the charts, doubles nothing and judges nothing', async () => {
    const before = await samplesOf()
    alive.delete('Alpha')
    const cutMs = nowMs
    const measured: number[] = []
    await forward(4 * INTERVAL_MS, async () => {
      if (nowMs % INTERVAL_MS === 0) measured.push(nowMs)
    })
    expect(measured).toHaveLength(4)
    const standIn = runs.filter(({ by }) => by === 'Bravo').map(({ atMs }) => atMs)
    alive.add('Alpha')
    const failure = { code: 'timeout', message: 'Pas de réponse.' } as const
    // It saw the host down: neither lane changes what the stand-in says.
    for (const lane of ['backlog', 'live'] as const)
      expect(
        await probe('Alpha').post(
          measured.map(at => ({ scanner, at, failure })),
          { lane },
        ),
      ).toBe(204)
    await forward(FRESHNESS_EVERY_MS)
    const after = (await samplesOf()).filter(at => at > cutMs)
    expect(new Set(after)).toEqual(new Set([...measured.filter(at => at < (standIn[0] ?? 0)), ...standIn]))
    expect(before.length).toBeGreaterThan(0)
    expect([...seen]).toEqual(['available'])
    expect(test.app.monitoring.ingest.stats.doubled).toBeGreaterThan(0)
  })

  it('S57: a stand-in brings results of what it runs, and of nothing else; another member of nothing', async () => {
    const { stats } = test.app.monitoring.ingest
    await probe('Bravo').post([{ scanner, ...result }])
    expect(stats.foreign).toBe(1)
    alive.delete('Alpha')
    await forward(2 * INTERVAL_MS)
    await probe('Bravo').post([{ scanner, ...result }])
    expect(stats.foreign).toBe(1)
    await probe('Charlie').post([{ scanner, ...result }])
    expect(stats.foreign).toBe(2)
  })

  it('credentials are given to the one that runs a check, and no more to one that does not', async () => {
    const site = (await call('GET', `/api/Host/Get/${host}`)).body.siteId
    const secret = { kind: 'http', settings: { username: 'sonde', password: 'canari-7' } }
    expect((await call('PUT', `/api/Credential/Site/${site}`, secret)).status).toBe(200)
    const parameters = { authentication: 'host' }
    const made = await call('POST', '/api/Scanner/Create', {
      name: 'Web',
      kind: 'http',
      hostId: host,
      parameters,
    })
    expect(made.status).toBe(201)
    const holders = async () => {
      const given = await Promise.all(
        [...alive].map(async name => {
          const { configuration } = await probe(name).orders()
          return configuration?.checks.some(check => check.credential !== undefined) ? [name] : []
        }),
      )
      return given.flat()
    }
    expect(await holders()).toEqual(['Alpha'])
    alive.delete('Alpha')
    await forward(2 * INTERVAL_MS)
    expect(await holders()).toEqual(['Bravo'])
    alive.add('Alpha')
    await forward(GIVE_BACK_AFTER_MS + 2 * FRESHNESS_EVERY_MS)
    expect(await holders()).toEqual(['Alpha'])
  })

  it('what concerns the machine of a probe stays with it: nobody else answers for that machine', async () => {
    const own = (
      await call('POST', '/api/Scanner/Create', { name: 'Machine', kind: 'system', hostId: host, parameters: {} })
    ).body.id
    alive.delete('Alpha')
    await forward(2 * INTERVAL_MS)
    expect(await checksOf('Bravo')).toEqual([scanner])
    expect((await call('GET', `/api/Scanner/Get/${own}`)).body.standIn).toBeNull()
    const metric = (await call('GET', `/api/Scanner/Get/Metric?id=${own}`)).body[0]
    expect(metric).toMatchObject({ severity: 'unknown', cause: 'probe-offline' })
  })

  it('a revoked probe is replaced at the next pass, and a group that is deleted gives everything back', async () => {
    expect((await call('POST', `/api/Probe/Revoke/${idOf('Alpha')}`)).status).toBe(200)
    alive.delete('Alpha')
    await forward(FRESHNESS_EVERY_MS)
    expect(await whoRuns()).toEqual(['Bravo'])
    expect((await call('DELETE', `/api/ProbeGroup/Delete/${group}`)).status).toBe(200)
    expect(await whoRuns()).toEqual([])
    await forward(FRESHNESS_EVERY_MS)
    expect(hostState()).toBe('unknown')
  })
})
