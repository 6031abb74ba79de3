import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { audit } from '../store/audit.ts'
import type { Db } from '../store/database.ts'
import { writeSynced } from './files.ts'
import { RESTORED } from './names.ts'

const DATE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'medium' })

/** Leaves word, among what is staged, of which backup it is: no server runs that could write it in the log. */
export const noteRestore = (staged: string, backup: string, at: string): Promise<void> =>
  writeSynced(
    join(staged, RESTORED),
    JSON.stringify({ name: `Sauvegarde du ${DATE.format(new Date(at))}`, file: basename(backup) }),
  )

/** Writes in the log, at the first start after it, that a backup was restored. */
export const auditRestore = async (db: Db, dataFolder: string, nowMs: number): Promise<void> => {
  const path = join(dataFolder, RESTORED)
  if (!existsSync(path)) return
  const detail: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'))
  const entry = { kind: 'audit', outcome: 'success', actor: null, address: '', object: 'backup' } as const
  await audit(db, { ...entry, action: 'server-restore', detail }, nowMs)
  rmSync(path)
}
