import { ActionIcon, Button } from '@mantine/core'
import { type LogBookEntry, type LogBookKind, logBookRoutes } from '@narval/contracts'
import {
  IconAlertCircle,
  IconClipboardText,
  IconFileCheck,
  IconMessage,
  IconPencil,
  IconRouter,
  IconTool,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { internalLink } from '../../lib/safe-link.ts'
import { errorText } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { eventText } from './book-words.ts'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import { useRefreshBook } from './log-book-queries.ts'
import { NoteForm } from './note-writer.tsx'

const ICONS: Readonly<Record<LogBookKind, typeof IconMessage>> = {
  incident: IconAlertCircle,
  acknowledgement: IconUserCheck,
  maintenance: IconTool,
  probe: IconRouter,
  comment: IconMessage,
  note: IconClipboardText,
  handover: IconFileCheck,
}
const clock = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })

/** The lines of the book, each with its time, what it is and who did it. */
export const BookLines = ({ entries }: { readonly entries: readonly LogBookEntry[] }) => (
  <ol className={classes.lines}>
    {entries.map(entry => (
      <BookLine key={entry.key} entry={entry} />
    ))}
  </ol>
)

const BookLine = ({ entry }: { readonly entry: LogBookEntry }) => {
  const [editing, setEditing] = useState(false)
  return (
    <li className={classes.line} data-kind={entry.kind}>
      <time className={classes.time} dateTime={entry.at} title={formatDateTime(entry.at)}>
        {clock.format(new Date(entry.at))}
      </time>
      <span className={classes.icon}>
        <Mark entry={entry} />
      </span>
      <div className={classes.body}>
        <p className={classes.what}>
          <span className={classes.event}>{eventText(entry)}</span>
          <Title entry={entry} />
          {entry.edited && <span className={classes.meta}>({fr.edited})</span>}
        </p>
        {editing ? (
          <NoteForm entry={entry} onDone={() => setEditing(false)} />
        ) : (
          entry.text !== '' && entry.kind !== 'handover' && <p className={classes.text}>{entry.text}</p>
        )}
      </div>
      <span className={classes.who}>
        {[entry.author ?? fr.narval, entry.siteName].filter(Boolean).join(' · ')}
        {entry.mayEdit && !editing && <Tools entry={entry} onEdit={() => setEditing(true)} />}
      </span>
    </li>
  )
}

const Mark = ({ entry: { kind, event, severity } }: { readonly entry: LogBookEntry }) => {
  if (event === 'closed') return <SeverityIcon severity="ok" size={17} label={common.severity.ok} />
  if (severity !== null && (kind === 'incident' || kind === 'probe'))
    return <SeverityIcon severity={severity} size={17} label={common.severity[severity]} />
  const Icon = ICONS[kind]
  return <Icon size={17} stroke={1.7} aria-hidden="true" />
}

const Title = ({ entry: { title, link, event, kind } }: { readonly entry: LogBookEntry }) => {
  const text = kind === 'handover' ? (event === 'taken-over' ? fr.handoverOf(title) : fr.read) : title
  const to = internalLink(link ?? undefined)
  if (text === '') return null
  return to === null ? <span className={classes.title}>{text}</span> : <Link to={to}>{text}</Link>
}

const Tools = ({ entry, onEdit }: { readonly entry: LogBookEntry; readonly onEdit: () => void }) => {
  const refresh = useRefreshBook()
  const [armed, setArmed] = useState(false)
  const deleting = useMutation({
    mutationFn: () => call(logBookRoutes.delete, { params: { id: entry.id } }),
    onSuccess: refresh,
  })
  return (
    <span className={classes.tools}>
      <ActionIcon variant="subtle" color="gray" aria-label={fr.edit} title={fr.edit} onClick={onEdit}>
        <IconPencil size={15} />
      </ActionIcon>
      {armed ? (
        <Button
          size="compact-sm"
          color="red"
          loading={deleting.isPending}
          onClick={() => deleting.mutate()}
          onBlur={() => setArmed(false)}
          autoFocus
        >
          {fr.confirm}
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={fr.delete}
          title={fr.delete}
          onClick={() => setArmed(true)}
        >
          <IconTrash size={15} />
        </ActionIcon>
      )}
      {deleting.error !== null && (
        <span className={classes.error} role="alert">
          {errorText(deleting.error)}
        </span>
      )}
    </span>
  )
}
