import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { STORE_PARTS, type StorePart } from '@narval/contracts'

export interface PartSize {
  readonly part: StorePart
  readonly bytes: number
  readonly files: number
}
export interface DiskSpace {
  readonly totalBytes: number
  readonly usedBytes: number
  /** What this process may still write. */
  readonly freeBytes: number
  readonly usedRatio: number
}

/** What a file of the data folder belongs to, by its path in it; logs of databases count with them. */
export const partOf = (path: string): StorePart => {
  if (/^narval\.db(-wal|-shm)?$/.test(path)) return 'database'
  if (/^samples\/journal\.db/.test(path)) return 'journal'
  if (/^samples\/raw-/.test(path)) return 'chunks'
  if (/^samples\/rollup-/.test(path)) return 'rollups'
  if (/^journal-fin\.json/.test(path)) return 'anchor'
  return path.startsWith('probe/') ? 'probe' : 'other'
}

/** Sizes of all the files of a folder, each part once; files that go meanwhile are left out. @throws without the folder. */
export const sizesOf = async (folder: string): Promise<PartSize[]> => {
  const sums = new Map<StorePart, { bytes: number; files: number }>(
    STORE_PARTS.map(part => [part, { bytes: 0, files: 0 }]),
  )
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) await walk(path).catch(() => undefined)
      if (!entry.isFile()) continue
      const found = await stat(join(folder, path)).catch(() => null)
      const sum = sums.get(partOf(path))
      if (found === null || sum === undefined) continue
      sum.bytes += found.size
      sum.files += 1
    }
  }
  await walk('')
  return [...sums].map(([part, sum]) => ({ part, ...sum }))
}

/** The disk of a folder. */
export const diskOf = async (folder: string): Promise<DiskSpace> => {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  const used = blocks - bfree
  return {
    ...{ totalBytes: blocks * bsize, usedBytes: used * bsize, freeBytes: bavail * bsize },
    // As `df` says it: what is kept for root is not there.
    usedRatio: used + bavail === 0 ? 1 : used / (used + bavail),
  }
}
