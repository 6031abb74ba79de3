import { Button, Group, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { COMMENT_MAX, commentRoutes } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { chart as words } from '../../i18n/chart.ts'
import { comment } from '../../i18n/comment.ts'
import { call } from '../../lib/api.ts'
import { useRefreshComments } from '../../lib/comment-queries.ts'
import { fromLocalInput, toLocalInput } from '../../lib/local-time.ts'
import { errorText } from '../page.tsx'
import classes from './chart.module.css'

interface CommentDialogProps {
  /** Those that can be written on. */
  readonly metrics: readonly { readonly id: number; readonly name: string }[]
  readonly fromMs: number
  /** Null: an instant. */
  readonly toMs: number | null
  readonly onClose: () => void
}

/** Writes on a metric about a time of it: seen on the curve at once. */
export const CommentDialog = (props: CommentDialogProps) => (
  <Modal opened onClose={props.onClose} title={words.commentTitle} size="lg">
    <CommentForm {...props} />
  </Modal>
)

const CommentForm = ({ metrics, fromMs, toMs, onClose }: CommentDialogProps) => {
  const refresh = useRefreshComments()
  const [metricId, setMetricId] = useState(metrics[0]?.id ?? 0)
  const [text, setText] = useState('')
  const [from, setFrom] = useState(toLocalInput(fromMs))
  const [to, setTo] = useState(toMs === null ? '' : toLocalInput(toMs))
  // A field holds whole minutes: what was chosen to the second stays so unless it is changed.
  const fromIso = from === toLocalInput(fromMs) ? new Date(fromMs).toISOString() : fromLocalInput(from)
  const toIso = toMs !== null && to === toLocalInput(toMs) ? new Date(toMs).toISOString() : fromLocalInput(to)
  const fault = fromIso === null ? words.faults.missing : toIso !== null && toIso < fromIso ? words.faults.order : null
  const sending = useMutation({
    mutationFn: () =>
      call(commentRoutes.create, {
        body: { kind: 'metric', id: metricId, text: text.trim(), from: fromIso, to: toIso },
      }),
    onSuccess: async () => {
      await refresh()
      notifications.show({ title: words.commented, message: words.commentedText, color: 'green' })
      onClose()
    },
  })
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '' && fault === null && !sending.isPending) sending.mutate()
  }
  return (
    <form onSubmit={send} className={classes.commentForm}>
      {metrics.length > 1 && (
        <Select
          label={words.commentMetric}
          data={metrics.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(metricId)}
          onChange={value => setMetricId(Number(value))}
          allowDeselect={false}
        />
      )}
      <Textarea
        label={comment.label}
        placeholder={comment.placeholder}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        maxLength={COMMENT_MAX}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
      />
      <Group grow align="flex-start">
        <TextInput
          type="datetime-local"
          label={words.commentFrom}
          value={from}
          onChange={event => setFrom(event.currentTarget.value)}
          error={fault}
        />
        <TextInput
          type="datetime-local"
          label={words.commentTo}
          value={to}
          onChange={event => setTo(event.currentTarget.value)}
        />
      </Group>
      {sending.error !== null && (
        <p className={classes.error} role="alert">
          {errorText(sending.error)} {comment.kept}
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {comment.cancel}
        </Button>
        <Button type="submit" loading={sending.isPending} disabled={text.trim() === '' || fault !== null}>
          {comment.send}
        </Button>
      </Group>
    </form>
  )
}
