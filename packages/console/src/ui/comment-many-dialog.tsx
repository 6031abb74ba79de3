import { Modal, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type BulkReply, COMMENT_MAX, commentRoutes } from '@narval/contracts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { acting as words } from '../i18n/acting.ts'
import { comment } from '../i18n/comment.ts'
import { call } from '../lib/api.ts'
import { useRefreshComments } from '../lib/comment-queries.ts'
import { keepDraft, readDraft } from '../lib/draft.ts'
import { useSession } from '../lib/session.ts'
import type { ActTargets } from './acting.ts'
import { BULK_TIMEOUT_MS } from './bulk-actions.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { errorText } from './page.tsx'

interface CommentManyProps {
  readonly targets: ActTargets
  /** « 12 équipements ». */
  readonly noun: (count: number) => string
  readonly onClose: () => void
  readonly onDone: () => void
}

const writeOn = ({ of, target }: ActTargets, text: string, plan: boolean): Promise<BulkReply> =>
  call(commentRoutes.bulk, { body: { of, ...target, text, plan }, timeoutMs: BULK_TIMEOUT_MS })

/** One text for all rows that are meant; what was typed stays with the tab until it is published. */
export const CommentManyDialog = ({ targets, noun, onClose, onDone }: CommentManyProps) => {
  const name = `${useSession().user?.login ?? ''}:many:${targets.of}`
  const refresh = useRefreshComments()
  const [text, setText] = useState(() => readDraft(name))
  const write = (next: string): void => {
    setText(next)
    keepDraft(name, next)
  }
  const sending = useMutation({
    mutationFn: () => writeOn(targets, text.trim(), false),
    onSuccess: async ({ changed, refused }) => {
      const message = refused > 0 ? words.commentGone(refused) : ''
      notifications.show({ title: words.commented(changed), message, color: changed > 0 ? 'green' : 'gray' })
      write('')
      await refresh()
      onDone()
    },
  })
  const isEmpty = text.trim() === ''
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (!isEmpty && !sending.isPending) sending.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={<strong>{words.commentTitle(targets.what)}</strong>} centered>
      <form onSubmit={send} noValidate>
        <Stack gap="sm">
          <Planned targets={targets} noun={noun} />
          <Textarea
            label={words.commentManyLabel}
            description={comment.keys}
            placeholder={comment.placeholder}
            value={text}
            onChange={event => write(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
            }}
            error={sending.error === null ? undefined : `${errorText(sending.error)} ${comment.kept}`}
            maxLength={COMMENT_MAX}
            autosize
            minRows={3}
            maxRows={12}
            data-autofocus
          />
          <DialogActions
            onCancel={onClose}
            submit={words.commentSend}
            busy={sending.isPending}
            disabled={isEmpty}
            mt="xs"
          />
        </Stack>
      </form>
    </Modal>
  )
}

/** On how many rows it would be written. */
const Planned = ({ targets, noun }: Pick<CommentManyProps, 'targets' | 'noun'>) => {
  const { data, error } = useQuery({
    queryKey: ['comment-plan', targets],
    queryFn: () => writeOn(targets, '-', true),
    staleTime: 0,
    gcTime: 0,
  })
  if (data === undefined) return <p role="status">{error === null ? words.commentCounting : errorText(error)}</p>
  const { changed, refused } = data
  return (
    <p role="status">
      {changed === 0 ? words.commentNone : words.commentMany(noun(changed))}{' '}
      {changed > 0 && refused > 0 && words.commentGone(refused)}
    </p>
  )
}
