import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { diskOf, partOf, sizesOf } from './data-sizes.ts'
import { diskPart } from './store-parts.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe('the sizes of the data', () => {
  it('are those of the files, each in its part, logs of databases with them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'narval-sizes-'))
    folders.push(folder)
    const files = {
      'narval.db': 1_000,
      'narval.db-wal': 20,
      'samples/journal.db': 300,
      'samples/raw-2026-05-20.db': 4_000,
      'samples/rollup-5m-2026-05.db': 50,
      'samples/rollup-1h-2026-05.db-wal': 6,
      'journal-fin.json': 7,
      'probe/spool/spool.db': 80,
      'samples/owner.pid': 9,
      'secrets/master.key': 10,
    }
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), Buffer.alloc(bytes))
    }
    expect(Object.fromEntries((await sizesOf(folder)).map(({ part, bytes }) => [part, bytes]))).toEqual({
      ...{ database: 1_020, journal: 300, chunks: 4_000, rollups: 56, anchor: 7, probe: 80, other: 19 },
    })
    expect(partOf('samples/last.bin')).toBe('other')
    const disk = await diskOf(folder)
    expect(disk.usedRatio).toBeGreaterThan(0)
    expect(disk.freeBytes).toBeLessThan(disk.totalBytes)
  })

  it.each([
    [0.5, 'ok', 'Les données ne grossissent pas.'],
    [0.86, 'warning', 'Le disque se remplit\u202f: 86\u202f% occupés.'],
    [0.951, 'error', 'Le disque est presque plein\u202f: 95\u202f% occupés.'],
  ])('R05: a disk that is %f full shows as %s', (usedRatio, state, reason) => {
    const part = diskPart({
      measure: async () => undefined,
      disk: () => ({ totalBytes: 1_000, usedBytes: 1_000 * usedRatio, freeBytes: 1_000 * (1 - usedRatio), usedRatio }),
      forecast: () => ({ outlook: 'steady', bytesPerDay: 0, fullMs: null, fromMs: null, sizes: 30 }),
      outlook: () => 'Les données ne grossissent pas.',
      bytes: () => 10,
      told: () => {
        throw new Error('not asked')
      },
    })
    expect(part.status(0)).toMatchObject({ state, reason })
  })
})
