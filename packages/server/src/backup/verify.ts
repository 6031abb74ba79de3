import { join } from 'node:path'
import { hashFile, lookAt } from './files.ts'
import { type BackupFile, type Manifest, readManifest } from './manifest.ts'
import { SQLITE_FILE } from './names.ts'
import { BackupRefused } from './refused.ts'

const TOLD = 10

/**
 * Reads all of a backup and compares it with its manifest; nothing is written.
 * @throws {BackupRefused} that names what is missing, cut or damaged.
 */
export const verifyBackup = async (backup: string): Promise<Manifest> => {
  const manifest = readManifest(backup)
  const faults: string[] = []
  for (const file of manifest.files) {
    const fault = await faultOf(backup, file)
    if (fault !== null) faults.push(`${file.path}\u202f: ${fault}`)
  }
  if (manifest.database.dialect === 'sqlite' && !manifest.files.some(file => file.path === SQLITE_FILE))
    faults.push(`${SQLITE_FILE}\u202f: absent du manifeste`)
  if (faults.length === 0) return manifest
  const more = faults.length > TOLD ? [`… et ${faults.length - TOLD} autres`] : []
  throw new BackupRefused(
    ['Cette sauvegarde est abîmée\u202f:', ...[...faults.slice(0, TOLD), ...more].map(line => `  - ${line}`)].join(
      '\n',
    ),
  )
}

const faultOf = async (backup: string, { path, bytes, sha256 }: BackupFile): Promise<string | null> => {
  const found = await lookAt(join(backup, path))
  if (found === null) return 'manque'
  if (!found.isFile()) return 'n’est pas un fichier ordinaire'
  if (found.size !== bytes) return `${found.size} octets au lieu de ${bytes}`
  return (await hashFile(join(backup, path))).sha256 === sha256 ? null : 'contenu modifié (SHA-256)'
}
