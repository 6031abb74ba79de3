import { ActionIcon, Button, Group, Textarea } from '@mantine/core'
import { COMMENT_MAX, type Comment, type CommentKind, commentRoutes } from '@narval/contracts'
import { IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { comment as words } from '../i18n/comment.ts'
import { call } from '../lib/api.ts'
import { useComments, useRefreshComments } from '../lib/comment-queries.ts'
import { keepDraft, readDraft } from '../lib/draft.ts'
import { formatDateTime } from '../lib/format.ts'
import { useSession } from '../lib/session.ts'
import classes from './comment-panel.module.css'
import { Card, ErrorState, errorText, LoadingState } from './page.tsx'
import { Ago } from './time.tsx'

interface CommentPanelProps {
  readonly kind: CommentKind
  readonly id: number
  /** Without its card: in a dialog. */
  readonly bare?: boolean
}

/** What people wrote on an object, live, and a place to write. */
export const CommentPanel = ({ kind, id, bare = false }: CommentPanelProps) => {
  const content = <Content key={`${kind}:${id}`} kind={kind} id={id} focus={bare} />
  return bare ? content : <Card title={words.title}>{content}</Card>
}

const Content = ({ kind, id, focus }: { readonly kind: CommentKind; readonly id: number; readonly focus: boolean }) => {
  const { data, error, refetch } = useComments(kind, id)
  const writes = useSession().can('incident_write') || kind !== 'incident'
  return (
    <>
      {writes && <Writer kind={kind} id={id} focus={focus} />}
      {data === undefined && error === null && <LoadingState height={64} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={classes.empty}>{words.none}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.list} aria-label={words.title}>
          {data.map(one => (
            <Item key={one.id} comment={one} writes={writes} />
          ))}
        </ul>
      )}
    </>
  )
}

interface EditorProps {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSend: () => void
  readonly onCancel?: () => void
  readonly busy: boolean
  readonly error: Error | null
  readonly sendLabel: string
  readonly focus: boolean
}

const Editor = ({ label, text, onText, onSend, onCancel, busy, error, sendLabel, focus }: EditorProps) => {
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '' && !busy) onSend()
  }
  return (
    <form className={classes.form} onSubmit={send}>
      <Textarea
        aria-label={label}
        placeholder={words.placeholder}
        value={text}
        onChange={event => onText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
          if (event.key === 'Escape' && onCancel !== undefined) onCancel()
        }}
        maxLength={COMMENT_MAX}
        autosize
        minRows={2}
        maxRows={12}
        {...(focus && { 'data-autofocus': true })}
      />
      {error !== null && (
        <p className={classes.error} role="alert">
          {errorText(error)} {words.kept}
        </p>
      )}
      <div className={classes.formFoot}>
        <span className={classes.keys}>{words.keys}</span>
        <Group gap="xs">
          {onCancel !== undefined && (
            <Button size="compact-sm" variant="default" onClick={onCancel}>
              {words.cancel}
            </Button>
          )}
          <Button size="compact-sm" type="submit" loading={busy} disabled={text.trim() === ''}>
            {sendLabel}
          </Button>
        </Group>
      </div>
    </form>
  )
}

/** The draft stays with the tab until it is published. */
const Writer = ({ kind, id, focus }: { readonly kind: CommentKind; readonly id: number; readonly focus: boolean }) => {
  const login = useSession().user?.login ?? ''
  const name = `${login}:${kind}:${id}`
  const refresh = useRefreshComments()
  const [text, setText] = useState(() => readDraft(name))
  const write = (next: string): void => {
    setText(next)
    keepDraft(name, next)
  }
  const sending = useMutation({
    mutationFn: () => call(commentRoutes.create, { body: { kind, id, text: text.trim() } }),
    onSuccess: () => {
      write('')
      return refresh()
    },
  })
  return (
    <Editor
      label={words.label}
      text={text}
      onText={write}
      onSend={() => sending.mutate()}
      busy={sending.isPending}
      error={sending.error}
      sendLabel={words.send}
      focus={focus}
    />
  )
}

const Item = ({ comment, writes }: { readonly comment: Comment; readonly writes: boolean }) => {
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
    onSuccess: refresh,
  })
  return (
    <li className={classes.item} aria-label={words.of(comment.author)}>
      <div className={classes.head}>
        <span className={classes.author}>{comment.author}</span>
        <span className={classes.meta}>
          <Ago at={comment.createdAt} />
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
        <p className={classes.text}>{comment.text}</p>
      ) : (
        <Editor
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
    </li>
  )
}
