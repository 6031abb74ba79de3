import { commentRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { CommentService } from './comment.service.ts'

export const commentHandlers = (comments: CommentService): Mounted[] => [
  on(commentRoutes.list, ({ query }, viewer) => comments.list(viewer, query.kind, query.id)),
  on(commentRoutes.last, (_, viewer) => comments.last(viewer)),
  on(commentRoutes.create, ({ body }, viewer) => comments.create(viewer, body)),
  on(commentRoutes.bulk, ({ body }, viewer) => comments.bulk(viewer, body)),
  on(commentRoutes.update, ({ params, body }, viewer) => comments.update(viewer, params.id, body)),
  on(commentRoutes.delete, ({ params }, viewer) => comments.delete(viewer, params.id)),
  on(commentRoutes.pin, ({ params, body }, viewer) => comments.pin(viewer, params.id, body.pinned)),
]
