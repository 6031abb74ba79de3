import { type Comment, type CommentKind, commentRoutes } from '@narval/contracts'
import { type ExportColumn, exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { CommentService } from './comment.service.ts'

const KINDS: Readonly<Record<CommentKind, string>> = {
  ...{ site: 'Site', host: 'Équipement', metric: 'Métrique', incident: 'Incident' },
}
/** Columns of comments as a file. */
const EXPORT: readonly ExportColumn<Comment>[] = [
  { header: 'Identifiant', cell: one => one.id },
  { header: 'Écrit le (UTC)', cell: one => one.createdAt },
  { header: 'Auteur', cell: one => one.author },
  { header: 'Genre', cell: one => KINDS[one.kind] },
  { header: 'Objet', cell: one => one.objectName },
  { header: 'Site', cell: one => one.siteName },
  { header: 'Texte', cell: one => one.text },
  { header: 'À propos de, début (UTC)', cell: one => one.from },
  { header: 'À propos de, fin (UTC)', cell: one => one.to },
  { header: 'Épinglé', cell: one => (one.pinned ? 'oui' : 'non') },
]

export const commentHandlers = (comments: CommentService): Mounted[] => [
  on(commentRoutes.list, ({ query }, viewer) => comments.list(viewer, query.kind, query.id)),
  on(commentRoutes.last, (_, viewer) => comments.last(viewer)),
  on(commentRoutes.datatable.get, (_, viewer) => comments.datatable(viewer, FIRST_PAGE)),
  on(commentRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? comments.datatable(viewer, body)
      : exported(format, { name: 'commentaires', columns: EXPORT, slices: await comments.everything(viewer, body) }),
  ),
  on(commentRoutes.instructions, ({ query }, viewer) => comments.instructions(viewer, query.kind, query.id)),
  on(commentRoutes.mentionable, ({ query }, viewer) => comments.mentionable(viewer, query.kind, query.id, query.term)),
  on(commentRoutes.news, (_, viewer) => comments.news(viewer)),
  on(commentRoutes.read, ({ body }, viewer) => comments.read(viewer, body.through)),
  on(commentRoutes.create, ({ body }, viewer) => comments.create(viewer, body)),
  on(commentRoutes.bulk, ({ body }, viewer) => comments.bulk(viewer, body)),
  on(commentRoutes.update, ({ params, body }, viewer) => comments.update(viewer, params.id, body)),
  on(commentRoutes.delete, ({ params }, viewer) => comments.delete(viewer, params.id)),
  on(commentRoutes.pin, ({ params, body }, viewer) => comments.pin(viewer, params.id, body.pinned)),
]
