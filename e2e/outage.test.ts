import { createServer, type Server } from 'node:net'
import {
  type CheckResult,
  type HostStateName,
  hostRoutes,
  incidentRoutes,
  type ProbeState,
  probeRoutes,
} from '@narval/contracts'
import { afterAll, describe, it } from 'vitest'
import { type ApiClient, signIn } from './kit/client.ts'
import { createTcpScanners, readSamples, type TcpScanner } from './kit/fleet.ts'
import { type AlertListener, listenToAlerts } from './kit/hub.ts'
import { enrolLocalProbe, spooledResults, startProbe } from './kit/probe.ts'
import { endProgram, type Program } from './kit/program.ts'
import { freePort, type RunningServer, removeFolder, startServer, temporaryFolder } from './kit/server.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

/** The real server and the real probe, each killed or stopped while the other goes on. */
const QUIET = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal' }
const INTERVAL_S = 5
const INTERVAL_MS = INTERVAL_S * 1_000

const folders: string[] = []
const programs: Program[] = []
const listeners: AlertListener[] = []
const services: Server[] = []
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()))
  await Promise.all(programs.map(endProgram))
  for (const service of services) service.close()
  folders.forEach(removeFolder)
})

const started = <P extends Program>(program: P): P => {
  programs.push(program)
  return program
}
const start = async (folder: string, port: number): Promise<RunningServer> =>
  started(await startServer(folder, port, QUIET))
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const until = async (what: string, limitMs: number, holds: () => Promise<boolean>): Promise<void> => {
  const endMs = performance.now() + limitMs
  while (!(await holds().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`not within ${limitMs} ms: ${what}`)
    await sleep(100)
  }
}

/** A service that counts who asks it: how many checks were really made. */
const openService = async (): Promise<{ port: number; asked: () => number }> => {
  let asked = 0
  const service = createServer(socket => {
    asked += 1
    socket.destroy()
  })
  services.push(service)
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  const address = service.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, asked: () => asked }
}

interface Site {
  server: RunningServer
  api: ApiClient
  probe: Program
  readonly probeId: number
  readonly probeFolder: string
  readonly scanners: TcpScanner[]
  readonly asked: () => number
}
/** A server, a probe that it has enrolled, and scanners of a service that answers; all have run at least once. */
const open = async (name: string, count: number): Promise<Site> => {
  const folder = temporaryFolder()
  folders.push(folder)
  const port = await freePort()
  const { id, folder: probeFolder } = await enrolLocalProbe(folder, port)
  const server = await start(folder, port)
  const api = await signIn(server.url)
  const service = await openService()
  const scanners = await createTcpScanners(api, {
    probeId: id,
    name,
    count,
    port: service.port,
    intervalSeconds: INTERVAL_S,
  })
  const probe = started(startProbe(probeFolder, server.url))
  const site = { server, api, probe, probeId: id, probeFolder, scanners, asked: service.asked }
  await until('first results', 40_000, async () => (await samplesOf(site)).every(samples => samples.length > 0))
  return site
}
const HOUR_MS = 3_600_000
const samplesOf = (site: Site, fromMs = Date.now() - HOUR_MS / 6) =>
  Promise.all(site.scanners.map(tcp => readSamples(site.api, tcp.availability.id, fromMs, Date.now() + HOUR_MS / 60)))
const restartServer = async (site: Site): Promise<void> => {
  site.server = await start(site.server.folder, site.server.port)
  site.api = await signIn(site.server.url)
}
const hostState = async (site: Site): Promise<HostStateName> =>
  (await site.api.call(hostRoutes.get, { params: { id: String(site.scanners[0]?.hostId ?? 0) } })).state
const probeState = async (site: Site): Promise<ProbeState> =>
  (await site.api.call(probeRoutes.get, { params: { id: String(site.probeId) } })).state

/** Silence is judged after 90 s: on a slow machine such a test takes its time. */
const PATIENT = { timeout: 400_000 }

describe.concurrent('while the server is away', PATIENT, () => {
  it('R09: the probe goes on checking, and everything arrives, in order, once, with the time of its measure', async ({
    expect,
  }) => {
    const site = await open('absent', 8)
    await endProgram(site.server)
    const askedBefore = site.asked()
    await until('checks without a server', 60_000, async () => site.asked() >= askedBefore + 4 * site.scanners.length)
    const askedAway = site.asked() - askedBefore
    await restartServer(site)
    const backMs = Date.now()
    // Live again: a check made after the return, on each scanner.
    await until('live results after the return', 30_000, async () =>
      (await samplesOf(site)).every(samples => (samples.at(-1)?.at ?? 0) > backMs),
    )
    site.probe.kill('SIGTERM')
    await site.probe.exited
    const all = await samplesOf(site)
    const stored = all.reduce((sum, samples) => sum + samples.length, 0)
    const left = spooledResults(site.probeFolder).length
    console.log(
      `server away: ${askedAway} checks meanwhile; ${site.asked()} checks made in all, ${stored} stored, ${left} still queued`,
    )
    for (const samples of all) {
      const times = samples.map(sample => sample.at)
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
      expect(Math.max(...gaps)).toBeLessThan(2 * INTERVAL_MS)
    }
    expect(stored + left).toBe(site.asked())
  })

  it('R10: a probe killed again and again while it keeps its results loses none and doubles none', async ({
    expect,
  }) => {
    const site = await open('tuee', 12)
    await endProgram(site.server)
    const kept = new Map<string, CheckResult>()
    // The probe supervises its machine too.
    const ids = new Set(site.scanners.map(({ scanner }) => scanner.id))
    for (let kill = 0; kill < 6; kill++) {
      const before = site.asked()
      await until('some checks', 30_000, async () => site.asked() >= before + 6)
      await endProgram(site.probe)
      const own = spooledResults(site.probeFolder).filter(result => ids.has(result.scanner))
      const now = new Set(own.map(keyOf))
      // What lay on disk at the last kill lies there still.
      expect([...kept.keys()].filter(key => !now.has(key))).toEqual([])
      for (const result of own) kept.set(keyOf(result), result)
      site.probe = started(startProbe(site.probeFolder, site.server.url))
    }
    await restartServer(site)
    const stored = async () => new Set((await storedKeys(site)).flat())
    await until('the backlog', 60_000, async () => {
      const found = await stored()
      return [...kept.keys()].every(key => found.has(key))
    })
    const keys = await storedKeys(site)
    const doubled = keys.flat().length - new Set(keys.flat()).size
    console.log(`probe killed 6 times: ${kept.size} results were on disk, 0 lost, ${doubled} doubled`)
    expect(doubled).toBe(0)
  })
})

const NO_VALUES: Readonly<Record<string, number>> = {}
const keyOf = (result: CheckResult): string => `${result.scanner} ${result.at}`
const storedKeys = async (site: Site): Promise<string[][]> =>
  (await samplesOf(site)).map((samples, index) =>
    samples.map(sample => `${site.scanners[index]?.scanner.id} ${sample.at}`),
  )

describe.concurrent('R19: a restart while something is wrong', PATIENT, () => {
  it('is not told again and has its incident; what became wrong meanwhile is told and has one, that of what was mended ends', async ({
    expect,
  }) => {
    const folder = temporaryFolder()
    folders.push(folder)
    let server = await start(folder, await freePort())
    let api = await signIn(server.url)
    const probe = await approvedWireProbe(server.url, api)
    // Each on equipment of its own: what else fails on equipment that is down is not told apart.
    const scanners: TcpScanner[] = []
    for (const name of ['grave', 'chute', 'repare'])
      scanners.push(...(await createTcpScanners(api, { probeId: probe.id, name })))
    const listener = await listenToAlerts(server.url, () => api.token())
    listeners.push(listener)
    const [wrong, fallen, mended] = scanners
    if (wrong === undefined || fallen === undefined || mended === undefined) throw new Error('three scanners')
    let sequence = 0
    const post = (results: readonly (readonly [TcpScanner, boolean])[]) =>
      probe.post(
        ++sequence,
        results.map(([tcp, good]) => ({
          scanner: tcp.scanner.id,
          at: Date.now(),
          durationMs: 1,
          failure: good ? null : { code: 'timeout' as const, message: 'délai dépassé' },
          values: good ? { connect_time: 0.01 } : NO_VALUES,
        })),
      )
    const heard = () => listener.alerts.map(alert => alert.type)
    expect(
      await post([
        [wrong, true],
        [fallen, true],
        [mended, true],
      ]),
    ).toBe(204)
    expect(
      await post([
        [wrong, false],
        [mended, false],
      ]),
    ).toBe(204)
    await until('two alerts', 10_000, async () => heard().filter(type => type === 'Error').length === 2)

    const back = new Promise<void>(resolve => listener.connection.onreconnected(() => resolve()))
    await endProgram(server)
    server = await start(folder, server.port)
    api = await signIn(server.url)
    await back
    await listener.connection.invoke('JoinCommunicationStream', 'global')
    expect(
      await post([
        [wrong, false],
        [fallen, false],
        [mended, true],
      ]),
    ).toBe(204)
    await until('what changed meanwhile', 10_000, async () => heard().length >= 4)
    expect(
      await post([
        [wrong, false],
        [fallen, false],
        [mended, true],
      ]),
    ).toBe(204)
    await sleep(500)
    expect(heard().toSorted()).toEqual(['Error', 'Error', 'Error', 'Success'])
    const incidents = await api.call(incidentRoutes.list)
    const isOver = ({ hostId }: TcpScanner) =>
      incidents.filter(incident => incident.hostId === hostId).map(({ closedAt }) => closedAt !== null)
    expect([wrong, fallen, mended].map(isOver)).toEqual([[false], [false], [true]])
  })
})

describe.concurrent('silence', PATIENT, () => {
  it('R23: the equipment of a probe that was killed becomes unknown, never ok, with one alert, and comes back by itself', async ({
    expect,
  }) => {
    const site = await open('muette', 10)
    const listener = await listenToAlerts(site.server.url, () => site.api.token())
    listeners.push(listener)
    await until('available', 20_000, async () => (await hostState(site)) === 'available')
    await endProgram(site.probe)
    await until('offline and unknown', 130_000, async () => {
      const state = await hostState(site)
      return state === 'unknown' && (await probeState(site)) === 'offline'
    })
    site.probe = started(startProbe(site.probeFolder, site.server.url))
    await until(
      'back',
      60_000,
      async () => (await hostState(site)) === 'available' && (await probeState(site)) === 'online',
    )
    await until('both alerts', 30_000, async () => listener.alerts.length >= 2)
    expect(listener.alerts.map(alert => alert.title)).toEqual([
      expect.stringMatching(/^Sonde .* hors ligne$/),
      expect.stringMatching(/^Sonde .* de nouveau en ligne$/),
    ])
    const incidents = await site.api.call(incidentRoutes.list)
    expect(incidents).toMatchObject([{ kind: 'probe', probeId: site.probeId, closedAt: expect.any(String) }])
  })

  it('R24: a server that was frozen for longer than any silence calls nobody silent when it wakes', async ({
    expect,
  }) => {
    const site = await open('gelee', 10)
    const listener = await listenToAlerts(site.server.url, () => site.api.token())
    listeners.push(listener)
    await until('available', 20_000, async () => (await hostState(site)) === 'available')
    site.server.kill('SIGSTOP')
    await sleep(100_000)
    site.server.kill('SIGCONT')
    const wokenMs = Date.now()
    const states = new Set<string>()
    while (Date.now() - wokenMs < 20_000) {
      states.add(await hostState(site).catch(() => 'no answer'))
      states.add(await probeState(site).catch(() => 'no answer'))
      await sleep(250)
    }
    states.delete('no answer')
    expect([...states].toSorted()).toEqual(['available', 'online'])
    expect(listener.alerts).toEqual([])
    await until('what was measured meanwhile', 60_000, async () =>
      (await samplesOf(site)).every(samples => samples.filter(sample => sample.at < wokenMs).length >= 19),
    )
  })
})
