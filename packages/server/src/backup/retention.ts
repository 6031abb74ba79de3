import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './manifest.ts'
import { isBackupName, partialName } from './names.ts'

/**
 * Keeps the newest backups of an installation in a folder, deletes its older ones; those of others, and what has no sound
 * manifest, are left alone. @returns the names deleted.
 */
export const keepNewest = (destination: string, installation: string | null, keep: number): string[] => {
  const own = readdirSync(destination)
    .filter(name => isBackupName(name) && installationIn(join(destination, name)) === installation)
    .sort()
  const old = own.slice(0, Math.max(0, own.length - keep))
  for (const name of old) {
    // Half deleted it must not be taken for a backup.
    const going = join(destination, partialName(name))
    renameSync(join(destination, name), going)
    rmSync(going, { recursive: true, force: true })
  }
  return old
}

const installationIn = (backup: string): string | null | undefined => {
  try {
    return readManifest(backup).installation
  } catch {
    return undefined
  }
}
