import {
  handoverRoutes,
  LOG_BOOK_EVENT_TEXTS,
  LOG_BOOK_KIND_TEXTS,
  type LogBookEntry,
  logBookRoutes,
} from '@narval/contracts'
import { type ExportColumn, exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import type { HandoverService } from './handover.service.ts'
import type { LogBookService } from './log-book.service.ts'

/** Columns of the log book as a file. */
const EXPORT: readonly ExportColumn<LogBookEntry>[] = [
  { header: 'Instant (UTC)', cell: entry => entry.at },
  { header: 'Genre', cell: entry => LOG_BOOK_KIND_TEXTS[entry.kind] },
  { header: 'Évènement', cell: entry => LOG_BOOK_EVENT_TEXTS[entry.event] },
  { header: 'Objet', cell: entry => entry.title },
  { header: 'Site', cell: entry => entry.siteName },
  { header: 'Texte', cell: entry => entry.text },
  { header: 'Auteur', cell: entry => entry.author ?? 'Narval' },
]

export const logBookHandlers = (book: LogBookService, handovers: HandoverService): Mounted[] => [
  on(logBookRoutes.list, ({ query, format }, viewer) =>
    format === null
      ? book.list(viewer, query)
      : exported(format, { name: 'main-courante', columns: EXPORT, slices: book.everything(viewer, query) }),
  ),
  on(logBookRoutes.shifts, () => book.shifts()),
  on(logBookRoutes.create, ({ body }, viewer) => book.create(viewer, body)),
  on(logBookRoutes.update, ({ params, body }, viewer) => book.update(viewer, params.id, body)),
  on(logBookRoutes.delete, ({ params }, viewer) => book.delete(viewer, params.id)),
  on(handoverRoutes.list, ({ query }, viewer) => handovers.list(viewer, query.before)),
  on(handoverRoutes.summary, ({ query }, viewer) => handovers.summary(viewer, query)),
  on(handoverRoutes.get, ({ params }, viewer) => handovers.get(viewer, params.id)),
  on(handoverRoutes.create, ({ body }, viewer) => handovers.create(viewer, body)),
  on(handoverRoutes.read, ({ params }, viewer) => handovers.read(viewer, params.id)),
]
