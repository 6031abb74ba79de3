import { FAILURE_CODES, type FailureCode } from '@narval/contracts'
import type { Run } from './run-codec.ts'

/** Runs of a scanner that memory remembers. */
export const RUNS_KEPT = 50
/** Stretches of one and the same failure that are remembered of a scanner. */
const FAILURES_KEPT = 10
/** Scanners whose runs lie in one block of memory. */
const BLOCK = 1_024
/** Different words of failures that are held once for all scanners. */
const MAX_TEXTS = 10_000

export interface LoggedRun {
  readonly atMs: number
  readonly durationMs: number
  readonly probeId: number
}
/** Runs from one to another that failed alike. */
export interface LoggedFailure {
  readonly fromMs: number
  toMs: number
  readonly code: FailureCode
  readonly message: string
}
export interface Logged {
  /** The oldest first. */
  readonly runs: readonly LoggedRun[]
  readonly failures: readonly LoggedFailure[]
}

/**
 * The last runs of each scanner, with what the sample store has not: how long they took, which probe ran them, why they
 * failed. 700 bytes a scanner, and nothing written while runs come in: measured in `run-log.test.ts`.
 */
export interface RunLog {
  /** A run that is not newer than the last one of its scanner is left aside. */
  add(probeId: number, run: Pick<Run, 'scannerId' | 'atMs' | 'durationMs' | 'failure'>): void
  of(scannerId: number): Logged
  /** Scanners with a run since they were last written down. */
  unsaved(): readonly number[]
  saved(scannerId: number): void
  forget(scannerId: number): void
}

/** A block of rings: columns of `BLOCK × RUNS_KEPT`. Times are kept by their last 32 bits: 49 days. */
const createBlock = () => ({
  at: new Uint32Array(BLOCK * RUNS_KEPT),
  duration: new Float32Array(BLOCK * RUNS_KEPT),
  probe: new Uint32Array(BLOCK * RUNS_KEPT),
  /** Runs ever put into each ring. */
  count: new Uint32Array(BLOCK),
})

export const createRunLog = (): RunLog => {
  const slots = new Map<number, number>()
  const free: number[] = []
  const blocks: ReturnType<typeof createBlock>[] = []
  const failures = new Map<number, LoggedFailure[]>()
  const texts = new Map<string, string>()
  const unsaved = new Set<number>()
  /** The last run of each slot, whole: times in a ring are taken from it. */
  const lastMs: number[] = []

  const slotOf = (scannerId: number): number => {
    const known = slots.get(scannerId)
    if (known !== undefined) return known
    const slot = free.pop() ?? lastMs.length
    slots.set(scannerId, slot)
    lastMs[slot] = 0
    if (blocks[Math.floor(slot / BLOCK)] === undefined) blocks.push(createBlock())
    return slot
  }
  const shared = (text: string): string => {
    const known = texts.get(text)
    if (known === undefined && texts.size < MAX_TEXTS) texts.set(text, text)
    return known ?? text
  }
  const noteFailure = (scannerId: number, atMs: number, { code, message }: NonNullable<Run['failure']>): void => {
    const own = failures.get(scannerId) ?? []
    const last = own.at(-1)
    if (last?.message === message && last.code === code) last.toMs = atMs
    else own.push({ fromMs: atMs, toMs: atMs, code, message: shared(message) })
    if (own.length > FAILURES_KEPT) own.shift()
    failures.set(scannerId, own)
  }
  return {
    add(probeId, { scannerId, atMs, durationMs, failure }) {
      const slot = slotOf(scannerId)
      const block = blocks[Math.floor(slot / BLOCK)]
      if (block === undefined || atMs <= (lastMs[slot] ?? 0)) return
      const ring = slot % BLOCK
      const count = block.count[ring] ?? 0
      const index = ring * RUNS_KEPT + (count % RUNS_KEPT)
      block.at[index] = atMs % WRAP_MS
      block.duration[index] = durationMs
      block.probe[index] = probeId
      block.count[ring] = count + 1
      lastMs[slot] = atMs
      unsaved.add(scannerId)
      if (failure !== null) noteFailure(scannerId, atMs, failure)
    },
    of(scannerId) {
      const slot = slots.get(scannerId)
      const block = slot === undefined ? undefined : blocks[Math.floor(slot / BLOCK)]
      if (slot === undefined || block === undefined) return { runs: [], failures: [] }
      const ring = slot % BLOCK
      const count = block.count[ring] ?? 0
      const runs: LoggedRun[] = []
      for (let nth = Math.max(0, count - RUNS_KEPT); nth < count; nth += 1) {
        const index = ring * RUNS_KEPT + (nth % RUNS_KEPT)
        runs.push({
          atMs: wholeTime(block.at[index] ?? 0, lastMs[slot] ?? 0),
          durationMs: round(block.duration[index] ?? 0),
          probeId: block.probe[index] ?? 0,
        })
      }
      return { runs, failures: failures.get(scannerId) ?? [] }
    },
    unsaved: () => [...unsaved],
    saved: scannerId => void unsaved.delete(scannerId),
    forget(scannerId) {
      const slot = slots.get(scannerId)
      failures.delete(scannerId)
      unsaved.delete(scannerId)
      if (slot === undefined) return
      const block = blocks[Math.floor(slot / BLOCK)]
      if (block !== undefined) block.count[slot % BLOCK] = 0
      slots.delete(scannerId)
      free.push(slot)
    },
  }
}

const WRAP_MS = 2 ** 32
/** The time of a run from its last 32 bits: no more than 49 days before the last one of its scanner. */
const wholeTime = (low: number, lastMs: number): number => {
  const at = Math.floor(lastMs / WRAP_MS) * WRAP_MS + low
  return at > lastMs ? at - WRAP_MS : at
}
/** Single precision gives six figures: thousandths of a millisecond that nobody measured are left out. */
const round = (ms: number): number => Math.round(ms * 1_000) / 1_000

/** Packed for the database. */
export const packRuns = ({ runs, failures }: Logged) => ({
  runs: JSON.stringify(runs.map(({ atMs, durationMs, probeId }) => [atMs, durationMs, probeId])),
  failures: JSON.stringify(
    failures.map(({ fromMs, toMs, code, message }) => [fromMs, toMs, FAILURE_CODES.indexOf(code), message]),
  ),
})

/** What `packRuns` wrote, hence trusted. */
export const unpackRuns = (row: { readonly runs: string; readonly failures: string }): Logged => {
  const runs: [number, number, number][] = JSON.parse(row.runs)
  const failures: [number, number, number, string][] = JSON.parse(row.failures)
  return {
    runs: runs.map(([atMs, durationMs, probeId]) => ({ atMs, durationMs, probeId })),
    failures: failures.map(([fromMs, toMs, code, message]) => ({
      fromMs,
      toMs,
      code: FAILURE_CODES[code] ?? 'internal',
      message,
    })),
  }
}

/** Older runs before newer ones, each once. */
export const mergeRuns = (older: Logged, newer: Logged): Logged => {
  const firstMs = newer.runs[0]?.atMs ?? Number.POSITIVE_INFINITY
  const firstFailureMs = newer.failures[0]?.fromMs ?? Number.POSITIVE_INFINITY
  return {
    runs: [...older.runs.filter(run => run.atMs < firstMs), ...newer.runs].slice(-RUNS_KEPT),
    failures: [...older.failures.filter(failure => failure.fromMs < firstFailureMs), ...newer.failures].slice(
      -FAILURES_KEPT,
    ),
  }
}
