import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../app.ts'
import { type ProbeProcess, startProbeProcess } from '../../testing/probe-process.ts'
import { type Caller, createTestApp, type TestApp } from '../../testing/test-app.ts'

/** Production figures, shortened alike: silence, pass, give-back, and the interval of checks. */
const TIMING = { passEveryMs: 500, silentAfterMs: 9_000, giveBackAfterMs: 8_000 }
const INTERVAL_MS = 5_000
const SLACK_MS = 4_000

const KEYS = {
  key: () => new Uint8Array(32).fill(7),
  serverKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}

let test: TestApp
let app: App
let admin: Caller
let url: string
let target: Server
let port = 0
let site = 0
const probes: ProbeProcess[] = []

const listen = async (server: Server): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

beforeEach(async () => {
  port = 0
  target = createServer(socket => socket.on('error', () => undefined).end())
  port = await listen(target)
  test = await createTestApp({ ...KEYS, timing: TIMING })
  app = test.app
  url = await app.http.listen({ host: '127.0.0.1', port: 0 })
  admin = await test.admin()
  site = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body.id
})
afterEach(async () => {
  for (const probe of probes.splice(0)) await probe.end()
  target.close()
  if (app !== test.app) await app.stop()
  await test.close()
})

const start = async (...names: string[]): Promise<void> => {
  for (const name of names) probes.push(await startProbeProcess(test, url, name))
}
const probe = (index: number): ProbeProcess => probes[index] ?? expect.fail(`no probe ${index}`)
/** A host checked by a probe with one connection every 5 s, retried after 3 s; its id. */
const addHost = async (name: string, probeId: number): Promise<number> => {
  const scanner = { name: 'Service', kind: 'tcp', parameters: { port }, intervalSeconds: 5, retryIntervalSeconds: 3 }
  const host = await admin.call('POST', '/api/Host/Create', { name, address: '127.0.0.1', siteId: site, probeId })
  for (const { id } of (await admin.call('GET', `/api/Scanner/Get?host=${host.body.id}`)).body)
    await admin.call('DELETE', `/api/Scanner/Delete/${id}`)
  const made = await admin.call('POST', '/api/Scanner/Create', { ...scanner, hostId: host.body.id, timeoutMs: 2_000 })
  expect(made.status).toBe(201)
  return host.body.id
}
const stateOf = (host: number): string => app.monitoring.model.hosts.get(host)?.state ?? ''
const lifeOf = (host: number) => app.monitoring.model.hosts.get(host)?.life ?? expect.fail('no life test')
/** The probe whose run of the host's check was judged last. */
const runnerOf = (host: number): number | null => lifeOf(host).scanner.lastProbeId
/** Waits until it holds; how long that took. */
const until = async (what: string, holds: () => boolean, limitMs: number): Promise<number> => {
  const startMs = performance.now()
  while (!holds()) {
    if (performance.now() - startMs > limitMs) expect.fail(`not within ${limitMs} ms: ${what}`)
    await pause(50)
  }
  return performance.now() - startMs
}

describe('three real probes in a group', () => {
  /** Another process of the server, as far as anything but its memory goes: the same stores, keys and port. */
  const restart = async (): Promise<void> => {
    const { port: taken } = new URL(url)
    await app.stop()
    const { database, samples } = test
    const timing = { ...KEYS, timing: TIMING, loginRate: false, log: pino({ level: 'silent' }) }
    app = await createApp({ database, samples, ...timing })
    await app.start()
    await app.http.listen({ host: '127.0.0.1', port: Number(taken) })
  }

  it('killed and started again lose no host from sight, whoever dies, and over a restart of the server', async () => {
    await start('Alpha', 'Bravo', 'Charlie')
    const [alpha, bravo, charlie] = [probe(0), probe(1), probe(2)]
    const hosts = [await addHost('a', alpha.id), await addHost('b', bravo.id), await addHost('c', charlie.id)]
    const [a = 0, b = 0] = hosts
    const memberIds = probes.map(({ id }) => id)
    expect((await admin.call('POST', '/api/ProbeGroup/Create', { name: 'Lyon', memberIds })).status).toBe(201)
    await until('all hosts answer', () => hosts.every(host => stateOf(host) === 'available'), 30_000)
    const seen = new Set<string>()
    const watch = setInterval(() => {
      for (const host of hosts) seen.add(stateOf(host))
    }, 50)
    const takenWithinMs = TIMING.silentAfterMs + TIMING.passEveryMs + INTERVAL_MS + SLACK_MS

    await alpha.kill('SIGKILL')
    await until('Bravo runs the check of Alpha', () => runnerOf(a) === bravo.id, takenWithinMs)
    await bravo.kill('SIGKILL')
    const both = () => runnerOf(a) === charlie.id && runnerOf(b) === charlie.id
    await until('Charlie runs those of both', both, takenWithinMs)

    clearInterval(watch)
    await restart()
    expect([...app.monitoring.model.standIns.keys()].toSorted()).toEqual([alpha.id, bravo.id].toSorted())
    const watchAgain = setInterval(() => {
      for (const host of hosts) seen.add(stateOf(host))
    }, 50)
    await until('Charlie goes on', both, INTERVAL_MS + 35_000)

    alpha.start()
    bravo.start()
    const { presence } = app.monitoring
    const isBack = () => [alpha, bravo].every(({ id }) => presence.state(id) === 'online')
    await until('both are back', isBack, 30_000)
    const own = () => runnerOf(a) === alpha.id && runnerOf(b) === bravo.id
    const givenBackMs = await until('each runs its own', own, TIMING.giveBackAfterMs + INTERVAL_MS + 2 * SLACK_MS)
    expect(givenBackMs).toBeGreaterThan(TIMING.giveBackAfterMs - 2 * TIMING.passEveryMs)
    clearInterval(watchAgain)
    expect([...seen]).toEqual(['available'])
    expect(app.monitoring.ingest.stats.foreign).toBe(0)
    const titles = await test.database.db.selectFrom('outbox').select(['title', 'message']).orderBy('id').execute()
    expect(titles.filter(({ title }) => title.includes('Alpha')).map(({ message }) => message)).toEqual([
      'Ses scanners sont repris par Bravo.',
      expect.stringContaining('garde ses scanners'),
    ])
  })
})

describe('two real probes of one site', () => {
  it('one that is cut off from its target makes no host down; what both fail to reach is, confirmed by the other', async () => {
    await start('Alpha', 'Bravo')
    const [alpha, bravo] = [probe(0), probe(1)]
    for (const { id, name } of probes) {
      const { updatedAt } = (await admin.call('GET', `/api/Probe/Get/${id}`)).body
      await admin.call('PUT', `/api/Probe/Update/${id}`, { name, siteId: site, updatedAt })
    }
    const host = await addHost('srv', alpha.id)
    await addHost('témoin', bravo.id)
    await until('the host answers', () => stateOf(host) === 'available', 30_000)

    // It may look at nothing on loopback any more: cut off, as far as it can tell.
    await alpha.kill('SIGTERM')
    alpha.start({ NARVAL_PROBE_LOOPBACK: '0' })
    const states = new Set<string>()
    const watch = setInterval(() => states.add(stateOf(host)), 50)
    await until('the link is blamed', () => lifeOf(host).state.hardCause === 'probe-link', 40_000)
    await pause(2 * INTERVAL_MS)
    clearInterval(watch)
    expect([[...states], stateOf(host)]).toEqual([['available', 'unknown'], 'unknown'])
    // One incident, of the link and not of the host.
    expect((await admin.call('GET', '/api/Incident/Get')).body).toMatchObject([
      { kind: 'link', probeName: 'Alpha', hostId: null },
    ])
    const outbox = () => test.database.db.selectFrom('outbox').select('title').orderBy('id').execute()
    expect((await outbox()).map(({ title }) => title)).toEqual(['Liaison de la sonde Alpha en cause'])

    await alpha.kill('SIGTERM')
    alpha.start()
    await until('the link is back', () => stateOf(host) === 'available', 40_000)
    target.close()
    await until('the host is down', () => stateOf(host) === 'down', 40_000)
    const [incident] = (await admin.call('GET', `/api/Incident/Get?host=${host}`)).body
    expect([incident.information, incident.opinion]).toMatchObject([
      expect.stringContaining('confirmé par la sonde Bravo'),
      { probeName: 'Bravo', verdict: 'fails' },
    ])
  })
})
