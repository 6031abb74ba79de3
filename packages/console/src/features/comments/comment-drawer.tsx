import { Button, Drawer } from '@mantine/core'
import { type Comment, commentRoutes } from '@narval/contracts'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { comment as words } from '../../i18n/comment.ts'
import { call } from '../../lib/api.ts'
import { COMMENTED_KEY, commentPath } from '../../lib/comment-queries.ts'
import { useSession } from '../../lib/session.ts'
import { CommentItem } from '../../ui/comment-item.tsx'
import { ErrorState, LoadingState } from '../../ui/page.tsx'
import classes from './comments.module.css'
import { fr } from './fr.ts'

interface CommentDrawerProps {
  /** The comment that is open; null: none. */
  readonly id: number | null
  readonly onClose: () => void
}

/** One comment whole, with what may be done with it, and the way to what it is about. */
export const CommentDrawer = ({ id, onClose }: CommentDrawerProps) => (
  <Drawer opened={id !== null} onClose={onClose} position="right" size={480} title={<strong>{fr.drawer}</strong>}>
    {id !== null && <Content key={id} id={id} onClose={onClose} />}
  </Drawer>
)

const Content = ({ id, onClose }: { readonly id: number; readonly onClose: () => void }) => {
  const { data, error, refetch } = useQuery({
    queryKey: [...COMMENTED_KEY, 'one', id],
    queryFn: async ({ signal }) =>
      (await call(commentRoutes.datatable.put, { body: { length: 1, filters: { id } }, signal })).data[0] ?? null,
  })
  if (data === undefined)
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return data === null ? <p>{fr.gone}</p> : <Detail comment={data} onClose={onClose} />
}

const Detail = ({ comment, onClose }: { readonly comment: Comment; readonly onClose: () => void }) => {
  const writes = useSession().can('incident_write') || comment.kind !== 'incident'
  return (
    <div className={classes.detail}>
      <p className={classes.about}>
        <span>
          {words.kinds[comment.kind]}
          {comment.siteName !== null && comment.kind !== 'site' && ` · ${comment.siteName}`}
        </span>
        <strong>{comment.objectName}</strong>
      </p>
      <CommentItem comment={comment} writes={writes} onDeleted={onClose} alone />
      <Button component={Link} to={commentPath(comment)} variant="default" rightSection={<IconArrowRight size={16} />}>
        {fr.open}
      </Button>
    </div>
  )
}
