import { readFileSync } from 'node:fs'
import { type CheckResult, hostRoutes, probeRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { backoffMs, parseRetryAfter, retryAfterWithJitter } from '../../packages/probe/src/backoff.ts'
import { type ApiClient, signIn } from '../kit/client.ts'
import { readSamples } from '../kit/fleet.ts'
import { endProgram, type Program } from '../kit/program.ts'
import { freePort, type RunningServer, removeFolder, startServer, temporaryFolder } from '../kit/server.ts'
import { enrolWireProbe, type WireProbe } from '../kit/wire-probe.ts'

/** R12: the server was away, and every probe of the fleet wants to be heard at the same time. */
const PROBES = 500
/** An outage of 10 min at one check every 5 s, in one batch of the backlog, and one fresh batch. */
const OUTAGE_MS = 600_000
const STORED = 120
/** « Backlog gone within 2 × outage / 10 ». */
const DRAINED_MS = (2 * OUTAGE_MS) / 10
/** Failures in a row after such an outage: the pauses are at their longest, 15 to 30 s. */
const FAILURES = 20

const folder = temporaryFolder()
const programs: Program[] = []
afterAll(async () => {
  await Promise.all(programs.map(endProgram))
  removeFolder(folder)
})
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const start = async (port: number, env: Record<string, string>): Promise<RunningServer> => {
  const server = await startServer(folder, port, { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal', ...env })
  programs.push(server)
  return server
}

interface Member {
  readonly probe: WireProbe
  readonly scanner: number
}

/** Calls of the preparation under way: what they have the server read again is read once for all of them. */
const AT_ONCE = 50

const inParts = async <T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = []
  for (let from = 0; from < all.length; from += AT_ONCE)
    done.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))))
  return done
}

/** Enrols the fleet, each probe with a scanner of its own. */
const enrolFleet = async (url: string, api: ApiClient): Promise<Member[]> => {
  const site = await api.call(siteRoutes.create, { body: { name: 'Parc', code: 'PARC' } })
  const host = await api.call(hostRoutes.create, {
    body: { name: 'cible', address: '192.0.2.1', siteId: site.id, withPing: false },
  })
  return inParts(
    Array.from({ length: PROBES }, (_, n) => `Sonde ${n}`),
    async name => {
      const { code } = await api.call(probeRoutes.code)
      const probe = await enrolWireProbe(url, code, { name })
      await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
      const body = {
        name,
        kind: 'tcp' as const,
        hostId: host.id,
        probeId: probe.id,
        intervalSeconds: 5,
        retryIntervalSeconds: 5,
        timeoutMs: 1_000,
        attempts: 3,
        parameters: { port: 1 },
      }
      const scanner = await api.call(scannerRoutes.create, { body })
      return { probe, scanner: scanner.id }
    },
  )
}

const resultsOf = (scanner: number, count: number, untilMs: number): CheckResult[] =>
  Array.from({ length: count }, (_, n) => ({
    scanner,
    at: untilMs - (count - n) * 5_000,
    durationMs: 1,
    failure: null,
    values: { connect_time: 1 },
  }))

interface Tally {
  readonly tookMs: number[]
  refused: number
}

/** What the probe's delivery does with a batch: again until it is taken, after the pause that it was asked for. */
const deliver = async (url: string, { probe }: Member, sequence: number, results: CheckResult[], tally: Tally) => {
  for (let failures = 1; ; failures += 1) {
    const { path, headers, body } = probe.signed(sequence, results)
    const startedMs = performance.now()
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => null)
    tally.tookMs.push(performance.now() - startedMs)
    await answer?.arrayBuffer()
    if (answer?.status === 204) return
    tally.refused += 1
    const asked = parseRetryAfter(answer?.headers.get('retry-after') ?? undefined, Date.now()) ?? 0
    const pauseMs = Math.max(backoffMs(failures, Math.random()), retryAfterWithJitter(asked, Math.random()))
    await sleep(pauseMs)
  }
}

const memoryBytes = ({ pid }: Program): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
const percentile = (values: readonly number[], ratio: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * ratio)] ?? 0

describe('R12: 500 probes come back at once', { timeout: 170_000 }, () => {
  it('spread by their pauses, they are all heard and drained in time; the server answers everybody meanwhile', async () => {
    const port = await freePort()
    const first = await start(port, {})
    const fleet = await enrolFleet(first.url, await signIn(first.url))
    await endProgram(first)
    // With its ordinary limits: the brake on calls is part of what is tried.
    const server = await start(port, { NARVAL_LOGIN_RATE: 'on' })
    const api = await signIn(server.url)
    const before = memoryBytes(server)
    const tally: Tally = { tookMs: [], refused: 0 }
    const backMs = Date.now()
    const startedMs = performance.now()
    let [ended, peak] = [false, before]
    const reads: number[] = []
    const watch = (async () => {
      while (!ended) {
        const askedMs = performance.now()
        await api.call(probeRoutes.lastUpdate)
        reads.push(performance.now() - askedMs)
        peak = Math.max(peak, memoryBytes(server))
        await sleep(100)
      }
    })()
    await Promise.all(
      fleet.map(async member => {
        // The last attempt before the server was back has left each in the middle of its longest pause.
        await sleep(backoffMs(FAILURES, Math.random()) * Math.random())
        await deliver(server.url, member, 1, resultsOf(member.scanner, 1, Date.now()), tally)
        await deliver(server.url, member, 2, resultsOf(member.scanner, STORED, backMs), tally)
      }),
    )
    const tookMs = performance.now() - startedMs
    ended = true
    await watch
    const states = (await api.call(probeRoutes.list)).filter(probe => probe.state === 'online')
    console.log(
      `R12: ${PROBES} probes, ${PROBES * (STORED + 1)} results in ${(tookMs / 1_000).toFixed(1)} s; posts p99 ${percentile(tally.tookMs, 0.99).toFixed(0)} ms, reads p99 ${percentile(reads, 0.99).toFixed(0)} ms, ${tally.refused} put off, memory +${((peak - before) / 1e6).toFixed(0)} MB`,
    )
    expect(states.length).toBe(PROBES)
    expect(tookMs).toBeLessThan(DRAINED_MS)
    expect(percentile(tally.tookMs, 0.99)).toBeLessThan(1_000)
    expect(percentile(reads, 0.99)).toBeLessThan(1_000)
    expect(peak - before).toBeLessThan(400e6)
    await expectAllStored(api, fleet, backMs)
  })
})

/** Some probes' metrics, sample by sample: nothing is missing, nothing twice. */
const expectAllStored = async (api: ApiClient, fleet: readonly Member[], backMs: number): Promise<void> => {
  for (const { scanner } of [0, 123, 250, 499].flatMap(index => fleet[index] ?? [])) {
    const metrics = await api.call(scannerRoutes.metrics, { query: { id: String(scanner) } })
    const metric = metrics.find(({ key }) => key === 'connect_time')
    const samples = await readSamples(api, metric?.id ?? 0, backMs - OUTAGE_MS - 60_000, Date.now() + 1_000)
    expect(samples.length).toBe(STORED + 1)
  }
}
