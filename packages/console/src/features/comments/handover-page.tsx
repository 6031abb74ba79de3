import { Button } from '@mantine/core'
import { IconCheck, IconFileCheck, IconPrinter } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatDateTime } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { Card, EmptyState, errorText, PageHeader } from '../../ui/page.tsx'
import { PaperSheet } from '../../ui/paper-sheet.tsx'
import { RecordView } from '../../ui/record.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { CommentTabs } from './comment-tabs.tsx'
import { noteParts } from './handover-text.ts'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import { useHandover, useTakeOver } from './log-book-queries.ts'
import sheet from './sheet.module.css'
import { shiftText } from './shift.ts'

const { note: words } = fr
type Handover = NonNullable<ReturnType<typeof useHandover>['data']>

const MISSING = (
  <EmptyState title={words.gone} icon={<IconFileCheck size={28} stroke={1.6} />}>
    <Link to="/comments/log-book/handover">{fr.handovers}</Link>
  </EmptyState>
)

/** /comments/log-book/handover/:id: a note as it was signed, and who has read it. */
export const HandoverPage = () => {
  const id = useIdParam()
  return id === null ? MISSING : <One key={id} id={id} />
}

const One = ({ id }: { readonly id: number }) => {
  const query = useHandover(id)
  return (
    <RecordView query={query} height={500} missing={MISSING}>
      {handover => (
        <>
          <PageHeader
            title={fr.ofShift(shiftOf(handover))}
            actions={
              <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
                {fr.print}
              </Button>
            }
          />
          <CommentTabs current="handover" />
          <Card>
            <p className={classes.meta}>{signedText(handover)}</p>
            <Note text={handover.text} />
          </Card>
          <Readers handover={handover} />
          <PaperSheet>
            <h1>{fr.ofShift(shiftOf(handover))}</h1>
            <p className={sheet.about}>{signedText(handover)}</p>
            <div className={sheet.note}>{handover.text}</div>
          </PaperSheet>
        </>
      )}
    </RecordView>
  )
}

const shiftOf = ({ from, to }: Handover): string => shiftText({ from: new Date(from), to: new Date(to) })
const signedText = ({ author, signedAt, sites }: Handover): string =>
  [
    words.signedBy(author, formatDateTime(signedAt)),
    sites === null ? words.everywhere : sites.map(({ name }) => name).join(', '),
  ].join(' · ')

/** Its words as text, whatever they hold; incidents that they name are links. */
const Note = ({ text }: { readonly text: string }) => (
  <div className={classes.note}>
    {noteParts(text).map(({ text: piece, incidentId }, place) =>
      incidentId === null ? (
        piece
      ) : (
        <Link key={`${place}:${incidentId}`} to={`/dashboard/live-view/incident/${incidentId}`}>
          {piece.slice(1, -1)}
        </Link>
      ),
    )}
  </div>
)

const Readers = ({ handover: { id, readers, mayRead } }: { readonly handover: Handover }) => {
  const taking = useTakeOver(id)
  const isOwn = useSession().user !== null && !mayRead && readers.length === 0
  return (
    <Card title={words.readers} className={classes.readers}>
      {readers.length === 0 && <p className={classes.meta}>{isOwn ? words.own : `${words.unread}.`}</p>}
      {readers.length > 0 && (
        <ul className={classes.readerList}>
          {readers.map(({ name, at }) => (
            <li key={`${name} ${at}`}>
              <IconCheck size={15} aria-hidden="true" /> {name}, {formatDateTime(at)}
            </li>
          ))}
        </ul>
      )}
      {mayRead && (
        <Button loading={taking.isPending} leftSection={<IconCheck size={16} />} onClick={() => taking.mutate()}>
          {words.take}
        </Button>
      )}
      {taking.error !== null && (
        <p className={classes.error} role="alert">
          {errorText(taking.error)}
        </p>
      )}
    </Card>
  )
}
