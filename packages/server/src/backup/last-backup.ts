import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAST_BACKUP } from './names.ts'

/** What the last backup came to: `backup-last.json` in the data folder, for whoever watches over it. */
export interface LastBackup {
  /** When it ended, ISO 8601 in UTC. */
  readonly at: string
  readonly ok: boolean
  /** Its folder; null when it failed. */
  readonly path: string | null
  /** Of all its files; 0 when it failed. */
  readonly bytes: number
  readonly durationMs: number
  /** Why it failed, in French; empty when it did not. */
  readonly message: string
}

/** Whole or not at all. */
export const noteLastBackup = (dataFolder: string, last: LastBackup): void => {
  const path = join(dataFolder, LAST_BACKUP)
  writeFileSync(`${path}.partial`, `${JSON.stringify(last)}\n`, { mode: 0o600 })
  renameSync(`${path}.partial`, path)
}

/** Null when none was ever tried. @throws when the note can't be read. */
export const readLastBackup = async (dataFolder: string): Promise<LastBackup | null> => {
  try {
    return JSON.parse(await readFile(join(dataFolder, LAST_BACKUP), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
