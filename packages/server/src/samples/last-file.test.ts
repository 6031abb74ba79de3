import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type EmbeddedCore, openCore } from './embedded-core.ts'
import { SampleStoreCorrupt } from './faults.ts'
import { DAY_MS, HOUR_MS } from './periods.ts'
import type { WorkerSettings } from './protocol.ts'
import { DAY_0 } from './sample-store.contract.ts'
import { openTest } from './testing-core.ts'

const RAW = 'raw-2026-03-02.db'
const LAST = 'last.bin'

/** A closed folder with two sealed series, a third one that never had a sample, and what each start says of them. */
const closed = async () => {
  const { core, add, folder, settings } = openTest()
  add([
    [1, DAY_0, 1.5],
    [1, DAY_0 + HOUR_MS, 2.5],
    [2, DAY_0, -7],
  ])
  await core.maintain(DAY_0 + 12 * HOUR_MS)
  const before = await lastOf(core)
  await core.close()
  return { folder, settings, before }
}
const lastOf = async (core: EmbeddedCore) => {
  const { series, atMs, value } = await core.reader.last([1, 2, 3])
  return Array.from(series, (id, i) => [id, atMs[i], value[i]])
}
const open = (settings: WorkerSettings): EmbeddedCore => {
  const core = openCore(settings, () => undefined)
  onTestFinished(() => core.close())
  return core
}
const damageRaw = (folder: string): void => {
  const db = new Database(join(folder, RAW))
  db.exec('UPDATE chunk SET body = substr(body, 1, 9)')
  db.close()
}

test('a start takes the last samples from the file that was written beside, without reading those of the samples', async () => {
  const { folder, settings, before } = await closed()
  expect(before).toEqual([
    [1, DAY_0 + HOUR_MS, 2.5],
    [2, DAY_0, -7],
  ])
  damageRaw(folder)
  expect(await lastOf(open(settings))).toEqual(before)
})

test('without it, damaged, or of another time than the journal, the files are looked through', async () => {
  const { folder, settings } = await closed()
  damageRaw(folder)
  const path = join(folder, LAST)
  const sound = readFileSync(path)
  const other = openTest()
  other.add([[1, DAY_0, 9]])
  other.add([[1, DAY_0 + 1, 9]])
  await other.core.maintain(DAY_0 + 12 * HOUR_MS)
  expect((await lastOf(other.core)).length).toBe(1)
  await other.core.close()
  const broken = Buffer.from(sound)
  broken.writeDoubleLE(99, broken.length - 8)
  for (const write of [
    () => rmSync(path),
    () => writeFileSync(path, ''),
    () => writeFileSync(path, sound.subarray(0, sound.length - 1)),
    () => writeFileSync(path, broken),
    () => copyFileSync(join(other.folder, LAST), path),
  ]) {
    write()
    const core = openCore(settings, () => undefined)
    await expect(lastOf(core)).rejects.toThrow(SampleStoreCorrupt)
    await core.close()
  }
})

test('a day that was put aside is not answered from it', async () => {
  const { folder, settings } = await closed()
  rmSync(join(folder, RAW))
  expect(await lastOf(open(settings))).toEqual([])
})

test('what is sealed after a start is in it at the next one', async () => {
  const one = openTest()
  one.add([[1, DAY_0, 1]])
  await one.core.maintain(DAY_0 + HOUR_MS)
  await one.core.reader.last([1, 2])
  one.add([[1, DAY_0 + DAY_MS, 4]])
  one.add([[2, DAY_0, 5]])
  await one.core.maintain(DAY_0 + 2 * DAY_MS)
  await one.core.close()
  damageRaw(one.folder)
  const again = open(one.settings)
  expect(await lastOf(again)).toEqual([
    [1, DAY_0 + DAY_MS, 4],
    [2, DAY_0, 5],
  ])
})
