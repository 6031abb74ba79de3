import type { Comment } from '@narval/contracts'
import { IconAt, IconPinFilled } from '@tabler/icons-react'
import { comment as words } from '../../i18n/comment.ts'
import { CommentText } from '../../ui/comment-text.tsx'
import type { TableColumn } from '../../ui/data-table-types.ts'
import { Ago } from '../../ui/time.tsx'
import classes from './comments.module.css'
import { fr } from './fr.ts'

const { columns } = fr

/** What is said before the words: unread, names the reader, pinned. */
const Marks = ({ comment: { unread, mentionsMe, pinned } }: { readonly comment: Comment }) => (
  <>
    {unread && <span className={classes.dot} role="img" aria-label={words.unread} title={words.unread} />}
    {mentionsMe && (
      <span className={classes.mark} role="img" aria-label={fr.mention} title={fr.mention}>
        <IconAt size={15} aria-hidden="true" />
      </span>
    )}
    {pinned && (
      <span className={classes.mark} role="img" aria-label={fr.pinned} title={fr.pinned}>
        <IconPinFilled size={14} aria-hidden="true" />
      </span>
    )}
  </>
)

export const COMMENT_COLUMNS: readonly TableColumn<Comment>[] = [
  {
    id: 'text',
    header: columns.text,
    grow: 3,
    card: 'title',
    cell: one => (
      <span className={classes.said} data-unread={one.unread || undefined}>
        <Marks comment={one} />
        <CommentText text={one.text} mentions={one.mentions} inline />
      </span>
    ),
  },
  { id: 'kind', header: columns.kind, width: 116, cell: one => words.kinds[one.kind] },
  { id: 'objectName', header: columns.objectName, grow: 1.4, cell: one => one.objectName },
  { id: 'siteName', header: columns.siteName, grow: 0.9, cell: one => one.siteName ?? '' },
  { id: 'author', header: columns.author, grow: 0.8, cell: one => one.author },
  { id: 'createdAt', header: columns.createdAt, width: 124, card: 'corner', cell: one => <Ago at={one.createdAt} /> },
]
