import { Button, Group } from '@mantine/core'
import { COMMENT_MAX, type CommentKind } from '@narval/contracts'
import type { FormEvent } from 'react'
import { comment as words } from '../i18n/comment.ts'
import classes from './comment-panel.module.css'
import { MentionArea } from './mention-area.tsx'
import { errorText } from './page.tsx'

interface CommentEditorProps {
  readonly about: { readonly kind: CommentKind; readonly id: number }
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

/** A place to write; Ctrl + Enter sends, Escape cancels. */
export const CommentEditor = (props: CommentEditorProps) => {
  const { text, onSend, onCancel, busy, error } = props
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '' && !busy) onSend()
  }
  return (
    <form className={classes.form} onSubmit={send}>
      <MentionArea
        about={props.about}
        aria-label={props.label}
        placeholder={words.placeholder}
        text={text}
        onText={props.onText}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
          if (event.key === 'Escape' && onCancel !== undefined) onCancel()
        }}
        maxLength={COMMENT_MAX}
        autosize
        minRows={2}
        maxRows={12}
        {...(props.focus && { autoFocus: true, 'data-autofocus': true })}
        // What it stands in closes on Escape too, before it is heard here.
        data-mantine-stop-propagation={onCancel !== undefined || undefined}
      />
      {error !== null && (
        <p className={classes.error} role="alert">
          {errorText(error)} {words.kept}
        </p>
      )}
      <div className={classes.formFoot}>
        <span className={classes.keys}>
          {words.keys} · {words.mentionHelp}
        </span>
        <Group gap="xs">
          {onCancel !== undefined && (
            <Button size="compact-sm" variant="default" onClick={onCancel}>
              {words.cancel}
            </Button>
          )}
          <Button size="compact-sm" type="submit" loading={busy} disabled={text.trim() === ''}>
            {props.sendLabel}
          </Button>
        </Group>
      </div>
    </form>
  )
}
