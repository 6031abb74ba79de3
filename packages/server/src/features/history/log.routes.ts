import { LOG_OBJECTS, type LogDetail, type LogKind, type LogOutcome, logRoutes } from '@narval/contracts'
import { type ExportColumn, exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { oneLine } from '../../store/audit.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { LogService } from './log.service.ts'

const KINDS: Readonly<Record<LogKind, string>> = { audit: 'Audit', event: 'Évènement' }
const OUTCOMES: Readonly<Record<LogOutcome, string>> = {
  success: 'Réussi',
  refused: 'Refusé',
  failure: 'Échec',
  received: 'Reçu',
}

/** Columns of the log as a file. */
const LOG_EXPORT: readonly ExportColumn<LogDetail>[] = [
  { header: 'Identifiant', cell: entry => entry.id },
  { header: 'Instant (UTC)', cell: entry => entry.at },
  { header: 'Nature', cell: entry => KINDS[entry.kind] },
  { header: 'Action', cell: entry => entry.actionText },
  { header: 'Auteur', cell: entry => entry.actor },
  { header: 'Adresse', cell: entry => entry.address },
  { header: 'Genre d’objet', cell: entry => LOG_OBJECTS[entry.objectKind] ?? entry.objectKind },
  { header: 'N° de l’objet', cell: entry => entry.objectId },
  { header: 'Objet', cell: entry => entry.objectName },
  { header: 'Issue', cell: entry => OUTCOMES[entry.outcome] },
  { header: 'Message', cell: entry => entry.message },
  {
    header: 'Changements',
    cell: entry =>
      oneLine(
        entry.changes
          .map(({ label, before, after }) => `${label}\u202f: ${before || 'vide'} → ${after || 'vide'}`)
          .join(' | '),
      ),
  },
  { header: 'N° de scellé', cell: entry => entry.position },
]

export const logHandlers = (log: LogService): Mounted[] => [
  on(logRoutes.get, ({ params }, viewer) => log.get(viewer, params.id)),
  on(logRoutes.verify, (_, viewer) => log.verify(viewer)),
  on(logRoutes.datatable.get, (_, viewer) => log.datatable(viewer, FIRST_PAGE)),
  on(logRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? log.datatable(viewer, body)
      : exported(format, { name: 'journal', columns: LOG_EXPORT, slices: await log.everything(viewer, body) }),
  ),
]
