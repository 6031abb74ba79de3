import { Button } from '@mantine/core'
import {
  accountRoutes,
  HISTORY_PAGE,
  type HistoryEntry,
  type HistoryObject,
  historyRoutes,
  userGroupRoutes,
} from '@narval/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { history as words } from '../i18n/history.ts'
import { call } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'
import classes from './history-card.module.css'
import { Card, errorText } from './page.tsx'
import { Ago } from './time.tsx'

interface HistoryCardProps {
  readonly object: HistoryObject | 'account' | 'user-group'
  readonly id: number
  /** Changes with each version of the object, so that its own change is seen at once. */
  readonly version: string
}

/** Who changed what of an object, the newest first. Shown to those who may read the journal. */
export const HistoryCard = (props: HistoryCardProps) => (useSession().can('log_read') ? <History {...props} /> : null)

/** Accounts and groups are told by calls of their own. */
const read = (
  object: HistoryCardProps['object'],
  id: number,
  before: number | null,
  signal: AbortSignal,
): Promise<HistoryEntry[]> => {
  const older = before === null ? {} : { before: String(before) }
  if (object === 'account') return call(accountRoutes.history, { params: { id }, query: older, signal })
  if (object === 'user-group') return call(userGroupRoutes.history, { params: { id }, query: older, signal })
  return call(historyRoutes.list, { query: { object, id: String(id), ...older }, signal })
}

/** What is seen before one asks for more. */
const FIRST = 8

const History = ({ object, id, version }: HistoryCardProps) => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['history', object, id, version],
    queryFn: ({ pageParam, signal }) => read(object, id, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: page => (page.length < HISTORY_PAGE ? undefined : (page.at(-1)?.id ?? undefined)),
  })
  const [whole, setWhole] = useState(false)
  const entries = data?.pages.flat() ?? []
  const shown = whole ? entries : entries.slice(0, FIRST)
  if (data === undefined && error === null) return null
  return (
    <Card title={words.title}>
      {error !== null && <p className={classes.none}>{errorText(error)}</p>}
      {error === null && entries.length === 0 && <p className={classes.none}>{words.none}</p>}
      <ol className={classes.list}>
        {shown.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {(hasNextPage || shown.length < entries.length) && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={isFetchingNextPage}
          onClick={() => (whole ? void fetchNextPage() : setWhole(true))}
        >
          {words.more}
        </Button>
      )}
    </Card>
  )
}

const sentenceOf = (action: string): string => {
  const at = action.lastIndexOf('-')
  const [object, verb] = [action.slice(0, at), action.slice(at + 1)]
  const [, what] = Object.entries(words.objects).find(([name]) => name === object) ?? [null, object]
  const [, did] = Object.entries(words.actions).find(([name]) => name === verb) ?? [null, verb]
  return `${did} ${what}`
}

/** Of a creation what was given says less than that it was created. */
const FEW = 6

const Entry = ({ entry }: { readonly entry: HistoryEntry }) => {
  const isCreation = entry.action.endsWith('-create')
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <strong>{words.by(entry.actor)}</strong> {sentenceOf(entry.action)}
        <span className={classes.when}>
          <Ago at={entry.at} />
        </span>
      </div>
      {!isCreation && (
        <dl className={classes.changes}>
          {entry.changes.slice(0, FEW).map(change => (
            <div key={change.field}>
              <dt>{change.label}</dt>
              <dd>
                <del>{change.before === '' ? words.empty : change.before}</del>
                <span className={classes.becomes}> {words.becomes} </span>
                <ins>{change.after === '' ? words.empty : change.after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
