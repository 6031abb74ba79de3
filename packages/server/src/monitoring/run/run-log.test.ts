import { expect, it } from 'vitest'
import { createRunLog, mergeRuns, packRuns, RUNS_KEPT, unpackRuns } from './run-log.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const MINUTE = 60_000
const run = (scannerId: number, atMs: number, message: string | null = null) => ({
  ...{ scannerId, atMs, durationMs: 12.345 },
  failure: message === null ? null : { code: 'timeout' as const, message },
})

it(`remembers the last ${RUNS_KEPT} runs of each scanner, the oldest first, and leaves aside one that is not newer`, () => {
  const log = createRunLog()
  for (let nth = 0; nth < RUNS_KEPT + 20; nth += 1) {
    log.add(3, run(1, START + nth * MINUTE))
    log.add(70_000, run(2, START + nth * MINUTE))
  }
  log.add(3, run(1, START))
  const { runs } = log.of(1)
  expect(runs).toHaveLength(RUNS_KEPT)
  expect(runs[0]).toEqual({ atMs: START + 20 * MINUTE, durationMs: 12.345, probeId: 3 })
  expect(runs.at(-1)?.atMs).toBe(START + (RUNS_KEPT + 19) * MINUTE)
  expect(log.of(2).runs[0]?.probeId).toBe(70_000)
  expect(log.of(9)).toEqual({ runs: [], failures: [] })
})

it('gives whole times back although it keeps their last 32 bits, also across the 49 days at which those begin again', () => {
  const log = createRunLog()
  const wrapMs = Math.ceil(START / 2 ** 32) * 2 ** 32
  const times = [wrapMs - 30 * 86_400_000, wrapMs - 1, wrapMs, wrapMs + 86_400_000]
  for (const atMs of times) log.add(1, run(1, atMs))
  expect(log.of(1).runs.map(one => one.atMs)).toEqual(times)
})

it('keeps failures as stretches of the same words, ten at most', () => {
  const log = createRunLog()
  log.add(1, run(1, START, 'Délai dépassé.'))
  log.add(1, run(1, START + MINUTE, 'Délai dépassé.'))
  log.add(1, run(1, START + 2 * MINUTE))
  for (let nth = 3; nth < 16; nth += 1) log.add(1, run(1, START + nth * MINUTE, `Échec ${nth}`))
  const { failures } = log.of(1)
  expect(failures).toHaveLength(10)
  expect(failures.at(-1)).toMatchObject({ fromMs: START + 15 * MINUTE, toMs: START + 15 * MINUTE, message: 'Échec 15' })
})

it('a place that is given up is given to another scanner, without what was in it', () => {
  const log = createRunLog()
  log.add(1, run(1, START, 'Délai dépassé.'))
  log.forget(1)
  log.add(1, run(2, START - MINUTE))
  expect(log.of(1)).toEqual({ runs: [], failures: [] })
  expect(log.of(2).runs).toHaveLength(1)
  expect(log.unsaved()).toEqual([2])
})

it('what is written down comes back whole, before what was learnt since', () => {
  const log = createRunLog()
  log.add(1, run(1, START, 'Refusé'))
  log.add(1, run(1, START + MINUTE))
  const written = unpackRuns(packRuns(log.of(1)))
  expect(written).toEqual(log.of(1))
  const later = createRunLog()
  later.add(1, run(1, START + MINUTE))
  later.add(1, run(1, START + 2 * MINUTE, 'Fermé'))
  const merged = mergeRuns(written, later.of(1))
  expect(merged.runs.map(one => (one.atMs - START) / MINUTE)).toEqual([0, 1, 2])
  expect(merged.failures.map(one => one.message)).toEqual(['Refusé', 'Fermé'])
})

it('10,000 scanners with a full history take 7 MB at most', () => {
  const log = createRunLog()
  const before = process.memoryUsage().arrayBuffers
  for (let nth = 0; nth < RUNS_KEPT; nth += 1)
    for (let scanner = 1; scanner <= 10_000; scanner += 1) log.add(1, run(scanner, START + nth * MINUTE))
  expect(log.of(10_000).runs).toHaveLength(RUNS_KEPT)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(7_000_000)
})
