import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FormedBatch, type Lane, openSpool, QUARANTINE_KEPT, type Spool, type SpoolOperation } from './spool.ts'
import { SPOOL_DEFAULTS } from './spool-defaults.ts'

const NOW = 1_700_000_000_000
const LIVE_AGE = 45_000
let folder: string
let spool: Spool
let boots = 0

const open = (more: { maxBytes?: number; maxAgeMs?: number } = {}): Spool => {
  boots += 1
  const bootId = boots.toString(16).padStart(16, '0')
  return openSpool({
    ...SPOOL_DEFAULTS,
    file: join(folder, 'spool.db'),
    bootId,
    maxBytes: 1e8,
    maxAgeMs: 72 * 3_600_000,
    liveAgeMs: LIVE_AGE,
    ...more,
  })
}
const reopen = (): void => {
  spool.close()
  spool = open()
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'narval-spool-'))
  spool = open()
})
afterEach(() => {
  spool.close()
  rmSync(folder, { recursive: true })
})

const results = (from: number, count: number, at: number, padding = '') => ({
  kind: 'append' as const,
  results: Array.from({ length: count }, (_, n) => ({ at, body: JSON.stringify({ n: from + n, padding }) })),
})
const apply = (...operations: SpoolOperation[]) => spool.apply(operations, NOW)
const take = (lane: Lane, nowMs = NOW, empty = false): FormedBatch | null =>
  spool.apply([{ kind: 'take', lane, empty }], nowMs)[0] ?? null
const taken = (lane: Lane, nowMs = NOW): FormedBatch => {
  const batch = take(lane, nowMs)
  if (batch === null) throw new Error('nothing to take')
  return batch
}
const numbers = (batch: FormedBatch | null): number[] =>
  batch === null ? [] : JSON.parse(batch.results).map((one: { n: number }) => one.n)

describe('durability', () => {
  it('rule 1: WAL with synchronous=FULL, also on a file opened again', () => {
    reopen()
    spool.close()
    const db = new Database(join(folder, 'spool.db'))
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
    spool = open()
  })

  it('rule 2: the file belongs to one process at a time', () => {
    expect(() => open()).toThrow(/locked/)
  })

  it('R10: what was appended is there after a restart', () => {
    apply(results(0, 3, NOW))
    reopen()
    expect(numbers(take('live'))).toEqual([0, 1, 2])
  })
})

describe('batches', () => {
  it('R07: a batch that was formed is given again, identical, until it is acknowledged, also after a restart', () => {
    apply(results(0, 3, NOW))
    const first = taken('live')
    apply(results(3, 2, NOW))
    expect(take('live')).toMatchObject(first)
    reopen()
    expect(take('live')).toMatchObject(first)
    apply({ kind: 'acknowledge', batch: first })
    const next = taken('live')
    expect(numbers(next)).toEqual([3, 4])
    expect(next.boot).not.toBe(first.boot)
    expect(next.sequence).toBe(1)
  })

  it('sequences go 1, 2, 3 by lane', () => {
    for (let n = 1; n <= 3; n += 1) {
      apply(results(n, 1, NOW))
      const batch = taken('live')
      expect(batch.sequence).toBe(n)
      apply({ kind: 'acknowledge', batch })
    }
    apply(results(9, 1, NOW - LIVE_AGE - 1))
    expect(taken('backlog').sequence).toBe(1)
  })

  it('R09: the backlog drains oldest first while fresh results go to the live lane', () => {
    apply(results(0, 5_000, NOW - 3_600_000), results(5_000, 10, NOW - 10))
    expect(numbers(take('live'))).toEqual(Array.from({ length: 10 }, (_, n) => 5_000 + n))
    const order: number[] = []
    for (let batch = take('backlog'); batch !== null; batch = take('backlog')) {
      expect(batch.count).toBeLessThanOrEqual(2_000)
      order.push(...numbers(batch))
      apply({ kind: 'acknowledge', batch })
    }
    expect(order).toEqual(Array.from({ length: 5_000 }, (_, n) => n))
  })

  it('results that were not sent in time leave the live lane for the backlog', () => {
    apply(results(0, 3, NOW))
    expect(take('backlog')).toBeNull()
    expect(take('live', NOW + LIVE_AGE + 1)).toBeNull()
    expect(numbers(take('backlog', NOW + LIVE_AGE + 1))).toEqual([0, 1, 2])
  })

  it('after a restart old results are backlog, fresh ones live', () => {
    apply(results(0, 300, NOW - LIVE_AGE - 1), results(300, 2, NOW))
    reopen()
    expect(numbers(take('live'))).toEqual([300, 301])
    expect(take('backlog')?.count).toBe(300)
  })

  it('a batch stays under the size of a body', () => {
    apply(results(0, 100, NOW, 'é'.repeat(50_000)))
    expect(Buffer.byteLength(taken('live').results)).toBeLessThan(2 * 1024 * 1024)
  })

  it('an empty batch is formed only when asked for', () => {
    expect(take('live')).toBeNull()
    expect(take('live', NOW, true)).toMatchObject({ count: 0, results: '[]', sequence: 1 })
  })
})

describe('R13: quarantine', () => {
  it('a refused batch is set aside and counted, and the queue goes on', () => {
    apply(results(0, 1, NOW))
    const bad = taken('live')
    apply(results(1, 1, NOW), { kind: 'quarantine', batch: bad, status: 400, reason: 'incompréhensible' })
    expect(spool.stats()).toMatchObject({ quarantined: 1, backlog: 1 })
    expect(numbers(take('live'))).toEqual([1])
  })

  it('what is kept aside is bounded, the count goes on, also after a restart', () => {
    for (let n = 0; n < QUARANTINE_KEPT + 15; n += 1) {
      apply(results(n, 1, NOW))
      apply({ kind: 'quarantine', batch: taken('live'), status: 400, reason: '' })
    }
    reopen()
    expect(spool.stats().quarantined).toBe(QUARANTINE_KEPT + 15)
    spool.close()
    const db = new Database(join(folder, 'spool.db'))
    expect(db.prepare('SELECT count(*) AS n FROM quarantine').get()).toEqual({ n: QUARANTINE_KEPT })
    db.close()
    spool = open()
  })
})

describe('R11: bounds', () => {
  it('when full, the oldest results are dropped and counted, the newest stay', () => {
    spool.close()
    spool = open({ maxBytes: 100_000 })
    for (let n = 0; n < 50; n += 1) apply(results(n * 100, 100, NOW))
    const { dropped, backlog, bytes } = spool.stats()
    expect(bytes).toBeLessThanOrEqual(100_000)
    expect(dropped + backlog).toBe(5_000)
    const kept: number[] = []
    for (let batch = take('live'); batch !== null; batch = take('live')) {
      kept.push(...numbers(batch))
      apply({ kind: 'acknowledge', batch })
    }
    expect(kept).toEqual(Array.from({ length: backlog }, (_, n) => dropped + n))
    expect(spool.stats()).toMatchObject({ bytes: 0, backlog: 0, oldestMs: null })
  })

  it('what was lost is counted on after a restart: the server may have been away all the while', () => {
    spool.close()
    spool = open({ maxBytes: 50_000 })
    for (let n = 0; n < 20; n += 1) apply(results(n * 100, 100, NOW))
    const { dropped } = spool.stats()
    expect(dropped).toBeGreaterThan(0)
    reopen()
    expect(spool.stats().dropped).toBe(dropped)
  })

  it('results and batches older than 72 h are dropped and counted', () => {
    apply(results(0, 10, NOW - 80 * 3_600_000))
    expect(taken('backlog').count).toBe(10)
    apply(results(10, 5, NOW - 71 * 3_600_000), results(15, 2, NOW))
    spool.apply([], NOW + 2 * 3_600_000)
    expect(spool.stats()).toMatchObject({ dropped: 15, backlog: 2 })
  })
})

it('a transaction that fails leaves everything as it was', () => {
  apply(results(0, 3, NOW))
  const before = spool.stats()
  const wrong = {
    kind: 'append' as const,
    results: [
      { at: NOW, body: 'a' },
      { at: Number.NaN, body: 'b' },
    ],
  }
  expect(() => apply(wrong)).toThrow()
  expect(spool.stats()).toEqual(before)
  expect(numbers(take('live'))).toEqual([0, 1, 2])
})
