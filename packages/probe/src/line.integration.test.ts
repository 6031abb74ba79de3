import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProbeCheck } from '@narval/contracts'
import { describe, it } from 'vitest'
import { PROBE_MAIN } from './index.ts'
import { type BadLine, openBadLine } from './testing/bad-line.ts'
import { startWireServer, type WireServer } from './testing/wire-server.ts'

/** The server calls a probe silent after this long without a word. */
const SILENT_MS = 60_000
const INTERVAL_MS = 500
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Two checks of a port that refuses: results without anything to answer them. */
const checks: ProbeCheck[] = [1, 2].map(scanner => ({
  scanner,
  kind: 'tcp',
  address: '127.0.0.1',
  intervalMs: INTERVAL_MS,
  retryIntervalMs: INTERVAL_MS,
  attempts: 1,
  timeoutMs: 400,
  parameters: { port: 1 },
  loopback: true,
}))

interface Site {
  readonly server: WireServer
  readonly line: BadLine
  readonly child: ChildProcess
}

/** A real probe that measures, behind a line that can be made bad; ended whatever the test does. */
const withSite = async (use: (site: Site) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-line-'))
  const server = await startWireServer()
  const line = await openBadLine(Number(new URL(server.url).port))
  server.configure(checks)
  const child = spawn(process.execPath, [PROBE_MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NARVAL_SERVER: line.url,
      NARVAL_PROBE_DATA: folder,
      NARVAL_ENROLL_CODE: server.code,
      NARVAL_PROBE_LOOPBACK: '1',
      NARVAL_LOG: 'silent',
    },
    stdio: 'ignore',
  })
  try {
    await server.until(() => server.committed.some(batch => batch.results.length > 0))
    await use({ server, line, child })
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await line.close()
    await server.down()
    rmSync(folder, { recursive: true })
  }
}

/** Longest time without a word of the probe. */
const longestSilenceMs = ({ posted }: WireServer): number => {
  const times = posted.map(({ atMs }) => atMs)
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
}
/** Times of the committed results of a scanner, in order of measure. */
const timesOf = ({ committed }: WireServer, scanner: number): number[] =>
  committed
    .flatMap(batch => batch.results.filter(result => result.scanner === scanner).map(result => result.at))
    .toSorted((a, b) => a - b)

describe.concurrent('R34: a bad line between the probe and the server', () => {
  it('slow, lossy, reset at random: every result arrives, once, seconds late at most', async ({ expect }) => {
    await withSite(async ({ server, line }) => {
      line.set({ latencyMs: 300, jitterMs: 200, lossRatio: 0.1, resetRatio: 0.03 })
      await sleep(12_000)
      line.set({ latencyMs: 0, jitterMs: 0, lossRatio: 0, resetRatio: 0 })
      const mendedMs = Date.now()
      await server.until(
        () => timesOf(server, 1).some(at => at > mendedMs) && timesOf(server, 2).some(at => at > mendedMs),
      )
      for (const scanner of [1, 2]) {
        const times = timesOf(server, scanner)
        expect(new Set(times).size).toBe(times.length)
        const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
        expect(Math.max(...gaps)).toBeLessThan(4 * INTERVAL_MS)
      }
      expect(longestSilenceMs(server)).toBeLessThan(SILENT_MS / 2)
    })
  })

  it('connections that a firewall forgot: the probe is heard again before it is called silent, and nothing is lost', async ({
    expect,
  }) => {
    await withSite(async ({ server, line }) => {
      line.freeze()
      const frozenMs = Date.now()
      await server.until(() => timesOf(server, 1).some(at => at > frozenMs + 10_000))
      expect(longestSilenceMs(server)).toBeLessThan(SILENT_MS * 0.75)
      const times = timesOf(server, 1)
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
      expect(new Set(times).size).toBe(times.length)
      expect(Math.max(...gaps)).toBeLessThan(4 * INTERVAL_MS)
    })
  })

  it('apart for 20 s, without a word to either end: the probe goes on measuring, and delivers all of it on return', async ({
    expect,
  }) => {
    await withSite(async ({ server, line }) => {
      line.partition()
      const apartMs = Date.now()
      await sleep(20_000)
      line.mend()
      await server.until(() => timesOf(server, 1).some(at => at > apartMs + 20_000))
      const during = timesOf(server, 1).filter(at => at > apartMs && at < apartMs + 20_000)
      expect(during.length).toBeGreaterThan(0.9 * (20_000 / INTERVAL_MS))
      expect(longestSilenceMs(server)).toBeLessThan(SILENT_MS * 0.75)
    })
  })
})
