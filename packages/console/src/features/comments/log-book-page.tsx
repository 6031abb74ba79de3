import { Button } from '@mantine/core'
import { IconClipboardText, IconDownload, IconFileCheck, IconPrinter } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { idOf } from '../../lib/address.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useSession } from '../../lib/session.ts'
import { FreshnessSign, LivePart } from '../../ui/freshness.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, EmptyState, ErrorState, errorText, LoadingState, PageHeader } from '../../ui/page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { BookControls } from './book-controls.tsx'
import { BookLines } from './book-lines.tsx'
import { BookSheet } from './book-sheet.tsx'
import { bookKind } from './book-words.ts'
import { CommentTabs } from './comment-tabs.tsx'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import { type BookFilter, fetchBookFile, readBook, useBook, useHandovers, useShiftPlan } from './log-book-queries.ts'
import { NoteWriter } from './note-writer.tsx'
import { addDays, dayName, dayOf, dayText, type ShiftPlan, shiftsOf, shiftText } from './shift.ts'

const PLAN: ShiftPlan = { startHour: 6, perDay: 3 }

/** What the address asks of the book: a day, or one of its shifts. */
const useFilter = () => {
  const { params, put } = useAddress()
  const plan = useShiftPlan().data ?? PLAN
  const today = dayOf(dayText(new Date())) ?? new Date()
  const day = dayOf(params.get('day')) ?? today
  const shifts = shiftsOf(day, plan)
  const place = Number(params.get('shift') ?? '0')
  const shift = place > 0 ? shifts[place - 1] : undefined
  const period = shift ?? { from: day, to: addDays(day, 1) }
  const filter: BookFilter = { period, site: idOf(params.get('site')), kind: bookKind(params.get('kind')) }
  return { filter, day, today, shifts, place: shift === undefined ? 0 : place, put }
}

/** /comments/log-book: what happened in a day or a shift, live, and what operators write beside it. */
export const LogBookPage = () => {
  const choice = useFilter()
  const { filter } = choice
  const book = useBook(filter)
  const writes = useSession().can('incident_write')
  const entries = book.data?.pages.flatMap(page => page.entries)
  return (
    <>
      <PageHeader
        meta={<FreshnessSign hub="service" held />}
        actions={
          <>
            <Exports filter={filter} />
            {writes && (
              <Button
                component={Link}
                to="/comments/log-book/handover/new"
                leftSection={<IconFileCheck size={16} stroke={1.8} />}
              >
                {fr.writeHandover}
              </Button>
            )}
          </>
        }
      />
      <CommentTabs current="log-book" />
      <ToRead />
      <BookControls {...choice} />
      {writes && <NoteWriter site={filter.site} />}
      <LivePart hub="service">
        <Card
          flush
          title={<span className={classes.dayName}>{titleOf(choice)}</span>}
          aside={
            entries !== undefined && <span className={classes.meta}>{countOf(entries.length, book.hasNextPage)}</span>
          }
        >
          {entries === undefined && book.error === null && <LoadingState />}
          {entries === undefined && book.error !== null && (
            <ErrorState error={book.error} onRetry={() => void book.refetch()} />
          )}
          {entries?.length === 0 && (
            <EmptyState title={fr.emptyTitle} icon={<IconClipboardText size={28} stroke={1.6} />}>
              {fr.emptyText}
            </EmptyState>
          )}
          {entries !== undefined && entries.length > 0 && <BookLines entries={entries} />}
          {book.hasNextPage && (
            <div className={classes.more}>
              <Button variant="default" loading={book.isFetchingNextPage} onClick={() => void book.fetchNextPage()}>
                {fr.more}
              </Button>
            </div>
          )}
        </Card>
      </LivePart>
    </>
  )
}

const titleOf = ({ day, shifts, place }: ReturnType<typeof useFilter>): string => {
  const shift = shifts[place - 1]
  return shift === undefined ? dayName(day) : shiftText(shift)
}
/** How many lines are shown; « + » where there are older ones. */
const countOf = (count: number, isMore: boolean): string => `${fr.count(count)}${isMore ? '\u202f+' : ''}`

/** The last note, as long as nobody has said that it was read and the reader may. */
const ToRead = () => {
  const { data } = useHandovers()
  const last = data?.pages[0]?.[0]
  if (last === undefined || !last.mayRead || last.readers.length > 0) return null
  return (
    <Notice tone="neutral" icon={<IconFileCheck size={18} />} title={fr.toRead(last.author)}>
      <div className={classes.toRead}>
        <span>{fr.toReadText}</span>
        <Button component={Link} to={`/comments/log-book/handover/${last.id}`} size="compact-sm">
          {fr.read}
        </Button>
      </div>
    </Notice>
  )
}

/** The period as a file, and on paper: there with all its lines. */
const Exports = ({ filter }: { readonly filter: BookFilter }) => {
  const [printed, setPrinted] = useState<Awaited<ReturnType<typeof readBook>> | null>(null)
  const saving = useMutation({
    mutationFn: () => fetchBookFile(filter),
    onSuccess: file => saveFile(`main-courante-${dayText(filter.period.from)}.csv`, file),
  })
  const printing = useMutation({
    mutationFn: () => readBook(filter),
    onSuccess: entries => {
      flushSync(() => setPrinted(entries))
      window.print()
      setPrinted(null)
    },
  })
  const error = saving.error ?? printing.error
  return (
    <>
      {error !== null && (
        <span className={classes.error} role="alert">
          {errorText(error)}
        </span>
      )}
      <Button
        variant="default"
        loading={saving.isPending}
        leftSection={<IconDownload size={16} stroke={1.8} />}
        onClick={() => saving.mutate()}
      >
        {fr.export}
      </Button>
      <Button
        variant="default"
        loading={printing.isPending}
        leftSection={<IconPrinter size={16} stroke={1.8} />}
        onClick={() => printing.mutate()}
      >
        {fr.print}
      </Button>
      {printed !== null && <BookSheet period={filter.period} entries={printed} />}
    </>
  )
}
