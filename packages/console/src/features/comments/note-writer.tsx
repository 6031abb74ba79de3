import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { type LogBookEntry, logBookRoutes, NOTE_MAX } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { keepDraft, readDraft } from '../../lib/draft.ts'
import { fromLocalInput, toLocalInput } from '../../lib/local-time.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { Card, errorText } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import { useRefreshBook } from './log-book-queries.ts'

/** A place to write in the book; the draft stays with the tab. */
export const NoteWriter = ({ site }: { readonly site: number | null }) => {
  const name = `${useSession().user?.login ?? ''}:log-book`
  const refresh = useRefreshBook()
  const [text, setText] = useState(() => readDraft(name))
  const [at, setAt] = useState('')
  const [siteId, setSiteId] = useState(site)
  const write = (next: string): void => {
    setText(next)
    keepDraft(name, next)
  }
  const sending = useMutation({
    mutationFn: () => {
      const when = fromLocalInput(at)
      return call(logBookRoutes.create, { body: { text: text.trim(), siteId, ...(when !== null && { at: when }) } })
    },
    onSuccess: () => {
      write('')
      setAt('')
      refresh()
    },
  })
  return (
    <Card className={classes.writer}>
      <NoteFields
        label={fr.write}
        {...{ text, at, siteId }}
        onText={write}
        onAt={setAt}
        onSite={setSiteId}
        folded={text === ''}
        busy={sending.isPending}
        error={sending.error}
        sendLabel={fr.add}
        onSend={() => sending.mutate()}
      />
    </Card>
  )
}

/** The same for a note that is there. */
export const NoteForm = ({ entry, onDone }: { readonly entry: LogBookEntry; readonly onDone: () => void }) => {
  const refresh = useRefreshBook()
  const [text, setText] = useState(entry.text)
  const [at, setAt] = useState(toLocalInput(Date.parse(entry.at)))
  const [siteId, setSiteId] = useState(entry.siteId)
  const saving = useMutation({
    mutationFn: () => {
      const isMoved = at !== toLocalInput(Date.parse(entry.at))
      const when = isMoved ? fromLocalInput(at) : null
      const body = { text: text.trim(), siteId, ...(when !== null && { at: when }) }
      return call(logBookRoutes.update, { params: { id: entry.id }, body })
    },
    onSuccess: () => {
      refresh()
      onDone()
    },
  })
  return (
    <NoteFields
      label={fr.edit}
      {...{ text, at, siteId }}
      onText={setText}
      onAt={setAt}
      onSite={setSiteId}
      folded={false}
      busy={saving.isPending}
      error={saving.error}
      sendLabel={fr.save}
      onSend={() => saving.mutate()}
      onCancel={onDone}
    />
  )
}

interface NoteFieldsProps {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly at: string
  readonly onAt: (at: string) => void
  readonly siteId: number | null
  readonly onSite: (id: number | null) => void
  /** One line alone, until something is written. */
  readonly folded: boolean
  readonly busy: boolean
  readonly error: Error | null
  readonly sendLabel: string
  readonly onSend: () => void
  readonly onCancel?: () => void
}

const NoteFields = (props: NoteFieldsProps) => {
  const { text, folded, busy, error, onSend, onCancel } = props
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '' && !busy) onSend()
  }
  return (
    <form className={classes.form} onSubmit={send}>
      <Textarea
        aria-label={props.label}
        placeholder={fr.placeholder}
        value={text}
        onChange={event => props.onText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
        }}
        maxLength={NOTE_MAX}
        autosize
        minRows={folded ? 1 : 2}
        maxRows={10}
        autoFocus={onCancel !== undefined}
      />
      {!folded && (
        <div className={classes.formFoot}>
          <TextInput
            type="datetime-local"
            aria-label={fr.at}
            title={fr.at}
            value={props.at}
            onChange={event => props.onAt(event.currentTarget.value)}
          />
          <div className={classes.narrow}>
            <RemoteSelect
              label={fr.site}
              quiet
              placeholder={fr.site}
              source={siteOptions}
              value={props.siteId}
              onChange={props.onSite}
            />
          </div>
          <Group gap="xs" ml="auto">
            {onCancel !== undefined && (
              <Button size="compact-sm" variant="default" onClick={onCancel}>
                {fr.cancel}
              </Button>
            )}
            <Button size="compact-sm" type="submit" loading={busy} disabled={text.trim() === ''}>
              {props.sendLabel}
            </Button>
          </Group>
        </div>
      )}
      {error !== null && (
        <p className={classes.error} role="alert">
          {errorText(error)} {fr.kept}
        </p>
      )}
    </form>
  )
}
