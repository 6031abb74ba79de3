import { CHECKS, type DatatableRequest, type Scanner } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import type { ExportColumn } from '../../http/exported.ts'
import { type ScannerRow, scannerList, toScanner } from '../../monitoring/run/scanner-list.ts'
import { everyMatch } from '../../store/matching.ts'
import { modelsOf } from '../../store/model-changes.ts'
import type { ScannerDeps } from './scanner.service.ts'

/** Columns of scanners as a file: their settings, figures as they are in force, then what is known of them now. */
export const SCANNER_EXPORT: readonly ExportColumn<Scanner>[] = [
  { header: 'Identifiant', cell: scanner => scanner.id },
  { header: 'Équipement', cell: scanner => scanner.hostName },
  { header: 'Adresse', cell: scanner => scanner.hostAddress },
  { header: 'Site', cell: scanner => scanner.siteName },
  { header: 'Nom', cell: scanner => scanner.name },
  { header: 'Genre', cell: scanner => CHECKS[scanner.kind].label },
  { header: 'Sonde', cell: scanner => scanner.probeName },
  { header: 'Modèle de supervision', cell: scanner => scanner.modelName },
  { header: 'Scanner actif', cell: scanner => scanner.enabled },
  { header: 'Intervalle (s)', cell: scanner => scanner.effective.intervalSeconds },
  { header: 'Intervalle entre deux tentatives (s)', cell: scanner => scanner.effective.retryIntervalSeconds },
  { header: 'Délai d’attente (ms)', cell: scanner => scanner.effective.timeoutMs },
  { header: 'Tentatives', cell: scanner => scanner.effective.attempts },
  { header: 'Paramètres (JSON)', cell: scanner => JSON.stringify(scanner.parameters) },
  { header: 'Métriques', cell: scanner => scanner.metrics },
  { header: 'Dernière exécution', cell: scanner => scanner.lastRun },
  { header: 'Durée (ms)', cell: scanner => scanner.lastDurationMs },
  { header: 'Prochaine exécution', cell: scanner => scanner.nextRun },
  { header: 'Dernier échec', cell: scanner => scanner.lastError },
  { header: 'Modifié le', cell: scanner => scanner.updatedAt },
  { header: 'Modifié par', cell: scanner => scanner.updatedBy },
]

/** Every scanner that a request matches, slice by slice. */
export const createScannerExport =
  ({ database, monitoring, settings }: ScannerDeps) =>
  (viewer: Viewer, request: DatatableRequest): Promise<AsyncIterable<readonly Scanner[]>> =>
    everyMatch<ScannerRow, Scanner>(database, scannerList(viewer), request, async rows => {
      const models = await modelsOf(database.db, rows)
      return rows.map(row => toScanner(row, monitoring, settings(), models))
    })
export type ScannerExport = ReturnType<typeof createScannerExport>
