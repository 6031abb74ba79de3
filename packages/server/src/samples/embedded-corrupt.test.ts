import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedSampleStore, openEmbeddedSampleStore } from './embedded.ts'
import { SampleStoreCorrupt } from './faults.ts'
import { batchOf, DAY_0, HOUR, minutes, rawOf } from './sample-store.contract.ts'

const RAW = 'raw-2026-03-02.db'
const HOURS = 'rollup-1h-2026-03.db'

const openIn = (folder: string): Promise<EmbeddedSampleStore> =>
  openEmbeddedSampleStore({ folder, now: () => DAY_0 + 12 * HOUR, sealAfterMs: 0, maintainEveryMs: 0 })

/** A closed store whose folder has a sealed batch, and one in the journal alone. */
async function closedStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'narval-corrupt-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openIn(folder)
  await store.append(
    batchOf(
      minutes(1, DAY_0, 120, i => Math.sqrt(i)),
      { sequence: 1 },
    ),
  )
  await store.maintain()
  await store.append(batchOf([[1, DAY_0 + 6 * HOUR, 42]], { sequence: 2 }))
  await store.append(batchOf([[1, DAY_0 + 7 * HOUR, 43]], { sequence: 3 }))
  await store.close()
  return folder
}

async function reopened(folder: string): Promise<EmbeddedSampleStore> {
  const store = await openIn(folder)
  onTestFinished(() => store.close())
  return store
}

function change(folder: string, name: string, sql: string): void {
  const db = new Database(join(folder, name))
  db.exec(sql)
  db.close()
}

/** Turns a bit of the last bytes of the file's first body that holds them. */
function flipByte(path: string, from: number): void {
  const bytes = readFileSync(path)
  bytes[from] = (bytes[from] ?? 0) ^ 0x10
  writeFileSync(path, bytes)
}

describe('R06 a damaged file is refused by name, never read in silence', () => {
  test('a chunk with one bit turned', async () => {
    const folder = await closedStore()
    const path = join(folder, RAW)
    // The only body ends at the end of its page, the last one of the file that holds anything but zeros.
    const bytes = readFileSync(path)
    flipByte(path, bytes.length - 20)
    const store = await reopened(folder)
    const error = await rawOf(store, 1, DAY_0, DAY_0 + HOUR).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(SampleStoreCorrupt)
    expect(String(error)).toContain(RAW)
    expect(await rawOf(store, 1, DAY_0 + 24 * HOUR, DAY_0 + 48 * HOUR)).toEqual([])
  })

  test('a chunk moved to another series', async () => {
    const folder = await closedStore()
    change(folder, RAW, 'UPDATE chunk SET id = id + 1')
    const store = await reopened(folder)
    await expect(rawOf(store, 2, DAY_0, DAY_0 + HOUR)).rejects.toThrow(SampleStoreCorrupt)
  })

  test('a roll-up with a body cut short', async () => {
    const folder = await closedStore()
    change(folder, HOURS, 'UPDATE chunk SET body = substr(body, 1, 9)')
    const store = await reopened(folder)
    const query = { series: [1], fromMs: DAY_0, toMs: DAY_0 + 6 * HOUR, points: 6, aggregate: 'avg' as const }
    await expect(store.range(query)).rejects.toThrow(SampleStoreCorrupt)
  })

  test('a file that is none of ours under our name', async () => {
    const folder = await closedStore()
    writeFileSync(join(folder, RAW), 'not a database, but long enough to be looked at'.repeat(100))
    const store = await reopened(folder)
    await expect(rawOf(store, 1, DAY_0, DAY_0 + HOUR)).rejects.toThrow(SampleStoreCorrupt)
  })

  test('a damaged day stops sealing into it, and says so; put aside, sealing goes on and nothing acknowledged is lost', async () => {
    const folder = await closedStore()
    change(folder, RAW, 'UPDATE chunk SET body = substr(body, 1, 9)')
    const store = await reopened(folder)
    await store.append(batchOf([[1, DAY_0 + 30_000, 5]], { sequence: 4 }))
    await store.maintain()
    expect((await store.stats()).lastError).toContain(RAW)
    expect((await store.stats()).sealedThrough).toBe(1)
    await store.close()
    rmSync(join(folder, RAW))
    const again = await reopened(folder)
    await again.maintain()
    expect(await again.stats()).toMatchObject({ sealedThrough: 4, lastError: null })
    expect(await rawOf(again, 1, DAY_0, DAY_0 + 8 * HOUR)).toEqual([
      [DAY_0 + 30_000, 5],
      [DAY_0 + 6 * HOUR, 42],
      [DAY_0 + 7 * HOUR, 43],
    ])
  })

  test('a missing day is just no data', async () => {
    const folder = await closedStore()
    rmSync(join(folder, RAW))
    const store = await reopened(folder)
    expect(await rawOf(store, 1, DAY_0, DAY_0 + 8 * HOUR)).toEqual([
      [DAY_0 + 6 * HOUR, 42],
      [DAY_0 + 7 * HOUR, 43],
    ])
  })

  test('a journal whose batch was changed, or is missing in the middle, or is cut, does not open', async () => {
    for (const sql of [
      'UPDATE batch SET sequence = 9 WHERE position = 3',
      'DELETE FROM batch WHERE position = 2',
      "UPDATE batch SET body = x'00' WHERE position = 2",
    ]) {
      const folder = await closedStore()
      change(folder, 'journal.db', sql)
      const error = await openIn(folder).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(SampleStoreCorrupt)
      expect(String(error)).toContain('journal.db')
    }
    const folder = await closedStore()
    truncateSync(join(folder, 'journal.db'), 6000)
    await expect(openIn(folder)).rejects.toThrow(SampleStoreCorrupt)
  })
})
