import { hostRoutes, metricRoutes, probeRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { type ApiClient, signIn } from './kit/client.ts'
import { freePort, type RunningServer, removeFolder, spawnServer, startServer, temporaryFolder } from './kit/server.ts'
import { enrolWireProbe } from './kit/wire-probe.ts'

const folder = temporaryFolder()
let last: RunningServer | null = null
afterAll(async () => {
  last?.kill('SIGKILL')
  await last?.exited
  removeFolder(folder)
})

const KILLS = 50
const QUIET = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal' }

describe('R01: the server is killed at any moment', () => {
  it(`kill -9 under load, ${KILLS} times: every acknowledged sample and object is there, once`, async () => {
    const port = await freePort()
    let server = await startServer(folder, port, QUIET)
    last = server
    let api: ApiClient = await signIn(server.url)
    const site = await api.call(siteRoutes.create, { body: { name: 'Charge', code: 'CHARGE' } })
    const host = await api.call(hostRoutes.create, {
      body: { name: 'charge', address: '192.0.2.1', siteId: site.id, withPing: false },
    })
    const scanner = await api.call(scannerRoutes.create, {
      body: { name: 'tcp', kind: 'tcp', hostId: host.id, parameters: { port: 1 } },
    })
    const { code } = await api.call(probeRoutes.code)
    const probe = await enrolWireProbe(server.url, code)
    await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
    await api.call(scannerRoutes.update, {
      params: { id: String(scanner.id) },
      body: { ...scanner, probeId: probe.id },
    })
    const metrics = await api.call(scannerRoutes.metrics, { query: { id: String(scanner.id) } })
    const metric = metrics.find(one => one.key === 'connect_time')

    const startMs = Date.now() - 3_600_000
    const acknowledged = new Map<number, number>()
    const sites = new Set<string>()
    let sequence = 1
    let down = false
    /** One sample a batch, its value its number; sent again until acknowledged, as a probe does. */
    const post = async (): Promise<void> => {
      const number = sequence
      const at = startMs + number * 100
      const status = await probe.post(number, [
        { scanner: scanner.id, at, durationMs: 1, failure: null, values: { connect_time: number } },
      ])
      if (status !== 204) return
      acknowledged.set(at, number)
      sequence += 1
    }
    let made = 0
    const create = async (): Promise<void> => {
      const name = `s-${++made}`
      await api.call(siteRoutes.create, { body: { name, code: name } })
      sites.add(name)
    }
    const load = async (work: () => Promise<void>): Promise<void> => {
      while (!down) await work().catch(() => undefined)
    }

    let slowestMs = 0
    for (let kill = 0; kill < KILLS; kill++) {
      down = false
      const loads = [load(post), load(create)]
      await new Promise(resolve => setTimeout(resolve, 60 + ((kill * 37) % 240)))
      server.kill('SIGKILL')
      await server.exited
      down = true
      await Promise.all(loads)
      const restartedMs = performance.now()
      server = await startServer(folder, port, QUIET)
      last = server
      slowestMs = Math.max(slowestMs, performance.now() - restartedMs)
      api = await signIn(server.url)
    }
    const id = String(metric?.id ?? 0)
    const found: [number, number | null][] = []
    const SLICE_MS = 60_000
    for (let from = startMs; from < startMs + sequence * 100 + SLICE_MS; from += SLICE_MS) {
      const query = {
        ids: id,
        from: new Date(from).toISOString(),
        to: new Date(from + SLICE_MS).toISOString(),
        points: '5000',
      }
      const { series } = await api.call(metricRoutes.data, { query })
      for (const one of series) for (const [index, at] of one.at.entries()) found.push([at, one.value[index] ?? null])
    }
    const values = found.flatMap(([, value]) => value ?? [])
    const lost = [...acknowledged.values()].filter(value => !values.includes(value))
    const doubled = values.length - new Set(values).size
    const names = (await api.call(siteRoutes.list)).map(one => one.name)
    const lostSites = [...sites].filter(name => names.filter(one => one === name).length !== 1)
    console.log(
      `${KILLS} kills: ${acknowledged.size} samples acknowledged, ${lost.length} lost, ${doubled} doubled; ${sites.size} sites, ${lostSites.length} lost or doubled; slowest start ${Math.round(slowestMs)} ms`,
    )
    expect(acknowledged.size).toBeGreaterThan(KILLS)
    expect([lost, doubled, lostSites]).toEqual([[], 0, []])
  }, 600_000)

  it('R20: a second server on the same folder is refused with the other’s pid; after kill -9 the folder is free', async () => {
    const running = last
    if (running === null) throw new Error('no server runs')
    const second = spawnServer(folder, await freePort(), QUIET)
    expect(await second.exited).toBe(3)
    expect(second.output()).toContain(String(running.pid))
    running.kill('SIGKILL')
    await running.exited
    last = await startServer(folder, await freePort(), QUIET)
  })

  it('R27: SIGTERM drains within 10 s and exits 0; a wrong configuration is refused naming every fault', async () => {
    const startedMs = performance.now()
    last?.kill('SIGTERM')
    expect(await last?.exited).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    const wrong = spawnServer(folder, 1, {
      NARVAL_PORT: 'huit',
      NARVAL_TLS_CERT: 'x',
      NARVAL_PROT: '1',
      DATABASE_URL: 'ftp://x',
    })
    expect(await wrong.exited).toBe(2)
    for (const name of ['NARVAL_PORT', 'NARVAL_TLS_KEY', 'NARVAL_PROT', 'DATABASE_URL'])
      expect(wrong.output()).toContain(name)
  })
})
