import { type LastBackup, readLastBackup } from '../backup/last-backup.ts'
import { faultText } from './fault-text.ts'
import type { ServicePart, Status } from './service-registry.ts'

const EVERY_MS = 30_000
/** A night's backup that is missing shows by the second one. */
const OLD_MS = 2 * 86_400_000
const WHEN = new Intl.DateTimeFormat('fr-FR', {
  ...{ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Paris' },
})

export interface BackupPartDeps {
  /** Null: it is not known where the data lie. */
  readonly dataFolder: string | null
  readonly failed: (text: string) => void
  readonly now: () => number
}

/** What the last backup came to, as the command that made it has noted beside the data. */
export const backupPart = ({ dataFolder, failed, now }: BackupPartDeps): ServicePart => {
  let last: LastBackup | null = null
  let isRead = false
  /** Those before the start are no error of this server's. */
  let notedMs = now()
  const run = async (): Promise<void> => {
    if (dataFolder === null) return
    last = await readLastBackup(dataFolder)
    isRead = true
    if (last === null || last.ok || Date.parse(last.at) <= notedMs) return
    notedMs = Date.parse(last.at)
    failed(faultText(last.message))
  }
  const judge = (nowMs: number): Status => {
    if (dataFolder === null) return { state: 'unknown', reason: 'Le dossier des données n’est pas connu.' }
    if (!isRead) return { state: 'unknown', reason: 'Pas encore lu.' }
    if (last === null) return { state: 'unknown', reason: 'Aucune n’a encore été faite.' }
    const when = WHEN.format(Date.parse(last.at))
    if (!last.ok) return { state: 'warning', reason: `A échoué le ${when}\u202f: ${faultText(last.message)}` }
    if (nowMs - Date.parse(last.at) > OLD_MS)
      return { state: 'warning', reason: `La dernière a plus de deux jours\u202f: ${when}.` }
    return { state: 'ok', reason: `Faite et vérifiée le ${when}.` }
  }
  return {
    refresh: { everyMs: EVERY_MS, run },
    status: nowMs => ({
      ...judge(nowMs),
      figures: [
        { label: 'Dernière', value: last?.at ?? null, unit: 'instant' },
        { label: 'Durée', value: last?.durationMs ?? null, unit: 'ms' },
        { label: 'Taille', value: last?.ok === true ? last.bytes : null, unit: 'bytes' },
        { label: 'Dossier', value: last?.path ?? null, unit: 'text' },
      ],
    }),
  }
}
