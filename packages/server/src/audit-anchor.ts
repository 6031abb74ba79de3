import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnchorStore, ChainEnd } from './store/audit-chain.ts'

/** Name of the file, in the data folder. */
const FILE = 'journal-fin.json'

/** Keeps in the data folder where the chain of the log ends: written whole, on disk when it returns. */
export const createFileAnchor = (folder: string): AnchorStore => {
  const path = join(folder, FILE)
  let known: ChainEnd | null = null
  return {
    read: () => {
      known ??= existsSync(path) ? parsed(readFileSync(path, 'utf8')) : null
      return known
    },
    write(end) {
      const partial = `${path}.partial`
      const descriptor = openSync(partial, 'w', 0o600)
      try {
        writeFileSync(descriptor, `${JSON.stringify(end)}\n`)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
      renameSync(partial, path)
      known = end
    },
  }
}

/** Unreadable is as good as missing: the verification says so. */
const parsed = (text: string): ChainEnd | null => {
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told !== 'object' || told === null || !('position' in told) || !('seal' in told)) return null
    const { position, seal } = told
    return typeof position === 'number' && typeof seal === 'string' ? { position, seal } : null
  } catch {
    return null
  }
}
