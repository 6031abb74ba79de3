import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packBatch } from './batch-pack.ts'
import { type EmbeddedCore, openCore } from './embedded-core.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './periods.ts'
import { batchOf, DAY_0 } from './sample-store.contract.ts'
import { SampleStoreBusy } from './sample-store.ts'
import { openTest } from './testing-core.ts'

const YEAR = 365 * DAY_MS

const rawValues = async (core: EmbeddedCore, series: number, fromMs: number, toMs: number): Promise<number[]> => {
  const answer = await core.reader.range(
    { series: [series], fromMs, toMs, points: 1, aggregate: 'avg', resolution: 'raw' },
    toMs,
  )
  return [...(answer.series[0]?.value ?? [])]
}

describe('the embedded store within its thread', () => {
  test('a night later a day is one chunk a series, and late samples still join it', async () => {
    const { core, add, folder } = openTest()
    for (let hour = 0; hour < 24; hour++) {
      add([
        [5, DAY_0 + hour * HOUR_MS, hour],
        [6, DAY_0 + hour * HOUR_MS, -hour],
      ])
      await core.maintain(DAY_0 + hour * HOUR_MS)
    }
    await core.maintain(DAY_0 + 30 * HOUR_MS)
    const ids = (): unknown => {
      const db = new Database(join(folder, 'raw-2026-03-02.db'), { readonly: true })
      const found = db.prepare('SELECT id >> 24 AS slot, id & 16777215 AS series FROM chunk ORDER BY id').all()
      db.close()
      return found
    }
    expect(ids()).toEqual([
      { slot: 12, series: 5 },
      { slot: 12, series: 6 },
    ])
    add([[5, DAY_0 + 30 * MINUTE_MS, 0.5]])
    await core.maintain(DAY_0 + 31 * HOUR_MS)
    expect(await rawValues(core, 5, DAY_0, DAY_0 + 2 * HOUR_MS)).toEqual([0, 0.5, 1])
    await core.maintain(DAY_0 + 60 * HOUR_MS)
    expect(ids()).toEqual([
      { slot: 12, series: 5 },
      { slot: 12, series: 6 },
    ])
    expect(await rawValues(core, 5, DAY_0, DAY_0 + 2 * HOUR_MS)).toEqual([0, 0.5, 1])
  })

  test('samples older than the raw retention are refused and counted, the others of the batch kept, also after a restart', async () => {
    const first = openTest()
    const nowMs = DAY_0 + 12 * HOUR_MS
    first.add(
      [
        [1, DAY_0 - 91 * DAY_MS, 1],
        [1, DAY_0 - 89 * DAY_MS, 2],
        [1, DAY_0, 3],
      ],
      nowMs,
    )
    expect(first.core.stats().tooOld).toBe(1)
    expect(await rawValues(first.core, 1, 0, DAY_0 + DAY_MS)).toEqual([2, 3])
    await first.core.close()
    const again = openCore(first.settings, () => undefined)
    onTestFinished(() => again.close())
    expect(await rawValues(again, 1, 0, DAY_0 + DAY_MS)).toEqual([2, 3])
  })

  test('R33 retention deletes whole files, each resolution at its own age, and reads go on with what is left', async () => {
    const { core, add, folder } = openTest()
    add([[1, DAY_0, 7]])
    await core.maintain(DAY_0 + DAY_MS)
    const kinds = (): string[] =>
      readdirSync(folder)
        .filter(name => /^(raw|rollup).*\.db$/.test(name))
        .sort()
    const seen = async (nowMs: number): Promise<number[]> => {
      const query = { series: [1], fromMs: DAY_0, toMs: DAY_0 + DAY_MS, points: 24, aggregate: 'max' } as const
      return [...((await core.reader.range(query, nowMs)).series[0]?.value ?? [])]
    }
    expect(kinds()).toEqual(['raw-2026-03-02.db', 'rollup-1h-2026-03.db', 'rollup-5m-2026-03.db'])
    await core.maintain(DAY_0 + 91 * DAY_MS)
    expect(kinds().length).toBe(3)
    await core.maintain(DAY_0 + 93 * DAY_MS)
    expect(kinds()).toEqual(['rollup-1h-2026-03.db', 'rollup-5m-2026-03.db'])
    expect(await seen(DAY_0 + 93 * DAY_MS)).toEqual([7])
    await core.maintain(DAY_0 + YEAR + 31 * DAY_MS)
    expect(kinds()).toEqual(['rollup-1h-2026-03.db'])
    expect(await seen(DAY_0 + YEAR + 31 * DAY_MS)).toEqual([7])
    await core.maintain(DAY_0 + 6 * YEAR)
    expect(kinds()).toEqual([])
    expect(await seen(DAY_0 + 6 * YEAR)).toEqual([])
  })

  test('how long measures are kept changes while the store runs: longer, what was to go stays and late samples are taken; shorter, it goes', async () => {
    const { core, add, folder } = openTest()
    const raw = (): string[] => readdirSync(folder).filter(name => /^raw.*\.db$/.test(name))
    core.retain({ rawDays: 200, fiveMinutesDays: 365, hourDays: 1825 })
    add([
      [1, DAY_0 - 150 * DAY_MS, 5],
      [1, DAY_0, 7],
    ])
    expect(core.stats().tooOld).toBe(0)
    await core.maintain(DAY_0 + DAY_MS)
    await core.maintain(DAY_0 + 93 * DAY_MS)
    expect(raw()).toContain('raw-2026-03-02.db')
    core.retain({ rawDays: 7, fiveMinutesDays: 365, hourDays: 1825 })
    await core.maintain(DAY_0 + 94 * DAY_MS)
    expect(raw()).toEqual([])
  })

  test('R05 a full disk refuses batches as busy, keeps answering, and takes them again without a restart', async () => {
    const { core, add } = openTest({ failpoints: 'journal.before-commit=full:2' })
    expect(() => add([[1, DAY_0, 1]])).toThrow(SampleStoreBusy)
    expect(() => add([[1, DAY_0, 1]])).toThrow(SampleStoreBusy)
    expect(core.stats().lastError).not.toBeNull()
    expect(await rawValues(core, 1, DAY_0, DAY_0 + HOUR_MS)).toEqual([])
    add([[1, DAY_0, 3]])
    expect(await rawValues(core, 1, DAY_0, DAY_0 + HOUR_MS)).toEqual([3])
    expect(core.stats().lastError).toBeNull()
  })

  test('R05 sealing that finds the disk full says so, loses nothing and succeeds later', async () => {
    const { core, add, logs } = openTest({ failpoints: 'seal.after-raw=full:2' })
    add([
      [1, DAY_0, 1],
      [2, DAY_0, 2],
    ])
    for (let attempt = 0; attempt < 2; attempt++) {
      await core.maintain(DAY_0 + DAY_MS)
      expect(core.stats()).toMatchObject({ sealedThrough: 0, headSamples: 2 + attempt })
      expect(core.stats().lastError).not.toBeNull()
      add([[1, DAY_0 + (attempt + 1) * MINUTE_MS, 9]])
    }
    await core.maintain(DAY_0 + DAY_MS)
    await core.maintain(DAY_0 + DAY_MS)
    expect(core.stats()).toMatchObject({ sealedThrough: 3, headSamples: 0, lastError: null })
    expect(await rawValues(core, 1, DAY_0, DAY_0 + HOUR_MS)).toEqual([1, 9, 9])
    expect(logs.some(entry => entry.level === 'error')).toBe(true)
  })

  test('R04 after a failed fsync nothing more is acknowledged; a restart recovers all that was', async () => {
    const { core, add, settings, logs } = openTest({ failpoints: 'journal.before-commit=io:1' })
    expect(() => add([[1, DAY_0, 1]])).toThrow(/redémarrer/)
    expect(() => add([[1, DAY_0, 2]])).toThrow(/redémarrer/)
    expect(core.stats().lastError).not.toBeNull()
    expect(logs.at(-1)?.level).toBe('fatal')
    await core.close()
    const again = openCore({ ...settings, failpoints: undefined }, () => undefined)
    onTestFinished(() => again.close())
    expect(again.lastSequence({ probe: 1, boot: 'b1', lane: 'live' })).toBe(0)
    expect(again.stats().lastError).toBeNull()
  })

  test('R04 after a failed fsync in sealing nothing more is sealed nor acknowledged', async () => {
    const { core, add } = openTest({ failpoints: 'seal.after-raw=io:1' })
    add([[1, DAY_0, 1]])
    await core.maintain(DAY_0 + DAY_MS)
    expect(core.stats().sealedThrough).toBe(0)
    await core.maintain(DAY_0 + DAY_MS)
    expect(core.stats().sealedThrough).toBe(0)
    expect(() => add([[1, DAY_0, 2]])).toThrow(/redémarrer/)
  })

  test('the journal has a limit: beyond it batches are refused as busy until evaluation has caught up', async () => {
    const { core, add } = openTest({ journalMaxBytes: 200 })
    const fill = (): void => {
      for (let i = 0; i < 100; i++)
        add([
          [1, DAY_0 + i, 1],
          [2, DAY_0 + i, 1],
          [3, DAY_0 + i, 1],
        ])
    }
    expect(fill).toThrow(SampleStoreBusy)
    await core.maintain(DAY_0 + DAY_MS)
    expect(() => add([[1, DAY_0, 1]])).toThrow(SampleStoreBusy)
    core.applied(1000)
    await core.maintain(DAY_0 + DAY_MS)
    expect(core.stats().journalBatches).toBe(0)
    add([[1, DAY_0, 1]])
  })

  test('sequences that never came are said', () => {
    const { core, logs } = openTest()
    const { samples, attachment, ...key } = batchOf([[1, DAY_0, 1]], { sequence: 5 })
    core.append([{ ...key, body: packBatch(samples, attachment) }])
    expect(logs).toEqual([{ level: 'warn', message: 'Sonde 1, voie live : 4 lot(s) manquent avant le 5.' }])
  })

  test('rule 1: WAL and synchronous FULL on every file, also when it is opened again', async () => {
    const { core, add, folder, settings } = openTest()
    add([[1, DAY_0, 1]])
    await core.maintain(DAY_0 + DAY_MS)
    await core.close()
    for (const name of readdirSync(folder).filter(file => file.endsWith('.db'))) {
      const db = new Database(join(folder, name))
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
      db.close()
    }
    const again = openCore(settings, () => undefined)
    onTestFinished(() => again.close())
    expect(await rawValues(again, 1, DAY_0, DAY_0 + HOUR_MS)).toEqual([1])
  })
})
