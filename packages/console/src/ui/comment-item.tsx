import { ActionIcon, Button } from '@mantine/core'
import { type Comment, commentRoutes } from '@narval/contracts'
import { IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { comment as words } from '../i18n/comment.ts'
import { call } from '../lib/api.ts'
import { useRefreshComments } from '../lib/comment-queries.ts'
import { formatDateTime } from '../lib/format.ts'
import { CommentEditor } from './comment-editor.tsx'
import classes from './comment-panel.module.css'
import { CommentText } from './comment-text.tsx'
import { errorText } from './page.tsx'
import { Ago } from './time.tsx'

interface CommentItemProps {
  readonly comment: Comment
  /** Whether whoever reads may write on its object. */
  readonly writes: boolean
  /** As a part of something else than a list. */
  readonly alone?: boolean
  readonly onDeleted?: () => void
}

/** One comment, with what may be done with it. */
export const CommentItem = ({ comment, writes, alone = false, onDeleted }: CommentItemProps) => {
  const refresh = useRefreshComments()
  const [text, setText] = useState<string | null>(null)
  const [armed, setArmed] = useState(false)
  const params = { id: String(comment.id) }
  const { from, to, updatedAt } = comment
  const saving = useMutation({
    mutationFn: () => call(commentRoutes.update, { params, body: { text: (text ?? '').trim(), from, to, updatedAt } }),
    onSuccess: () => {
      setText(null)
      return refresh()
    },
  })
  const doing = useMutation({
    mutationFn: async (what: 'pin' | 'delete') => {
      if (what === 'delete') await call(commentRoutes.delete, { params })
      else await call(commentRoutes.pin, { params, body: { pinned: !comment.pinned } })
    },
    onSuccess: async (_, what) => {
      if (what === 'delete') onDeleted?.()
      await refresh()
    },
  })
  const Root = alone ? 'article' : 'li'
  return (
    <Root className={classes.item} data-mine={comment.mentionsMe || undefined} aria-label={words.of(comment.author)}>
      <div className={classes.head}>
        <span className={classes.author}>{comment.author}</span>
        <span className={classes.meta}>
          <Ago at={comment.createdAt} />
          {comment.unread && ` · ${words.unread.toLowerCase()}`}
          {comment.edited && ` · ${words.edited}`}
        </span>
        {comment.pinned && (
          <span className={classes.pinned}>
            <IconPin size={14} aria-hidden="true" /> {words.pinned}
          </span>
        )}
        {writes && text === null && (
          <div className={classes.tools}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={comment.pinned ? words.unpin : words.pin}
              title={comment.pinned ? words.unpin : words.pin}
              loading={doing.isPending && doing.variables === 'pin'}
              onClick={() => doing.mutate('pin')}
            >
              {comment.pinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
            </ActionIcon>
            {comment.mayEdit && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.edit}
                title={words.edit}
                onClick={() => setText(comment.text)}
              >
                <IconPencil size={15} />
              </ActionIcon>
            )}
            {comment.mayEdit &&
              (armed ? (
                <Button
                  size="compact-sm"
                  color="red"
                  loading={doing.isPending}
                  onClick={() => doing.mutate('delete')}
                  onBlur={() => setArmed(false)}
                  autoFocus
                >
                  {words.confirm}
                </Button>
              ) : (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={words.delete}
                  title={words.delete}
                  onClick={() => setArmed(true)}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              ))}
          </div>
        )}
      </div>
      {comment.from !== null && (
        <p className={classes.meta}>
          {words.about} {formatDateTime(comment.from)}
          {comment.to !== null && ` – ${formatDateTime(comment.to)}`}
        </p>
      )}
      {text === null ? (
        <div className={classes.text}>
          <CommentText text={comment.text} mentions={comment.mentions} />
        </div>
      ) : (
        <CommentEditor
          about={{ kind: comment.kind, id: comment.objectId }}
          label={words.edit}
          text={text}
          onText={setText}
          onSend={() => saving.mutate()}
          onCancel={() => setText(null)}
          busy={saving.isPending}
          error={saving.error}
          sendLabel={words.save}
          focus
        />
      )}
      {doing.error !== null && (
        <p className={classes.error} role="alert">
          {errorText(doing.error)}
        </p>
      )}
    </Root>
  )
}
