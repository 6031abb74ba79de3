import { type CommentKind, commentRoutes } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { comment as words } from '../i18n/comment.ts'
import { call } from '../lib/api.ts'
import { useComments, useRefreshComments } from '../lib/comment-queries.ts'
import { keepDraft, readDraft } from '../lib/draft.ts'
import type { Place } from '../lib/rights.ts'
import { useSession } from '../lib/session.ts'
import { CommentEditor } from './comment-editor.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './comment-panel.module.css'
import { Card, ErrorState, LoadingState } from './page.tsx'

interface CommentPanelProps {
  readonly kind: CommentKind
  readonly id: number
  /** Where the incident is that is written about: that asks for the right there. */
  readonly on?: Place
  /** Without its card: in a dialog. */
  readonly bare?: boolean
}

/** What people wrote on an object, live, and a place to write. */
export const CommentPanel = ({ kind, id, on, bare = false }: CommentPanelProps) => {
  const { can, canOn } = useSession()
  const acts = on === undefined ? can('incident_write') : canOn(on, 'incident_write')
  const writes = kind !== 'incident' || acts
  const content = <Content key={`${kind}:${id}`} {...{ kind, id, writes }} focus={bare} />
  return bare ? content : <Card title={words.title}>{content}</Card>
}

interface ContentProps extends Pick<CommentPanelProps, 'kind' | 'id'> {
  readonly writes: boolean
  readonly focus: boolean
}

const Content = ({ kind, id, writes, focus }: ContentProps) => {
  const { data, error, refetch } = useComments(kind, id)
  return (
    <>
      {writes && <Writer kind={kind} id={id} focus={focus} />}
      {data === undefined && error === null && <LoadingState height={64} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={classes.empty}>{words.none}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.list} aria-label={words.title}>
          {data.map(one => (
            <CommentItem key={one.id} comment={one} writes={writes} />
          ))}
        </ul>
      )}
    </>
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
    <CommentEditor
      about={{ kind, id }}
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
