import { Button } from '@mantine/core'
import { type DatatableInput, LOG_STREAM, type LogEntry, logRoutes } from '@narval/contracts'
import { IconPlayerPause, IconPlayerPlay, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { changedParams, idOf } from '../../lib/address.ts'
import { call, fetchFile } from '../../lib/api.ts'
import { withInstants } from '../../lib/day-range.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useSession } from '../../lib/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook } from '../../ui/data-table-types.ts'
import { useLiveRows } from '../../ui/live-rows.ts'
import { PageHeader } from '../../ui/page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { fr } from './fr.ts'
import classes from './log.module.css'
import { LOG_COLUMNS, LOG_FILTERS, objectOf } from './log-columns.tsx'
import { LogDrawer } from './log-drawer.tsx'
import { VerifyDialog } from './verify-dialog.tsx'

const LIST = 'log'
/** What came in within this time is tinted. */
const FRESH_MS = 10_000
const EXPORT = {
  name: 'journal',
  fetch: (body: DatatableInput) =>
    fetchFile(logRoutes.datatable.put, { body: withInstants(body), accept: 'text/csv', timeoutMs: 300_000 }),
}
const EMPTY = { title: fr.emptyTitle, text: fr.emptyText }
const newestId = async (signal?: AbortSignal): Promise<number> => {
  const page = await call(logRoutes.datatable.put, {
    body: { length: 1, columns: [{ data: 'message' }], order: [{ column: 0, dir: 'desc' }] },
    ...(signal && { signal }),
  })
  return page.data[0]?.id ?? 0
}

/** The last entry that is shown while the tail is paused; null: it runs. */
const useTail = () => {
  const [through, setThrough] = useState<number | null>(null)
  const { refetch } = useLiveRows<LogEntry>(LIST)
  const news = useQuery({
    queryKey: ['log-news', through],
    queryFn: async ({ signal }) => {
      const filters = { after: through ?? 0 }
      return (await call(logRoutes.datatable.put, { body: { length: 0, filters }, signal })).recordsFiltered
    },
    enabled: through !== null,
    staleTime: 0,
  })
  const heard = (): void => void (through === null ? refetch() : news.refetch())
  useHubEvent('service', LOG_STREAM, ({ log }) => {
    if (log === true) heard()
  })
  useHubJoined('service', heard)
  return {
    through,
    news: news.data ?? 0,
    pause: async () => setThrough(await newestId()),
    resume: () => {
      setThrough(null)
      refetch()
    },
  }
}

/** /log: what happened and what was done, the newest first, alive. */
export const LogPage = () => {
  const tail = useTail()
  const { params, put } = useAddress()
  const [shown, setShown] = useState<readonly number[]>([])
  const [verifying, setVerifying] = useState(false)
  const verifies = useSession().can('admin')
  const fetchPage = useCallback(async (body: DatatableInput, signal: AbortSignal) => {
    const reply = await call(logRoutes.datatable.put, { body: withInstants(body), signal })
    setShown(reply.data.map(entry => entry.id))
    return reply
  }, [])
  const look = useMemo<RowLook<LogEntry>>(
    () => ({
      key: entry => entry.id,
      name: entry => `${entry.actionText}, ${objectOf(entry)}`,
      href: entry => `?${changedParams(params, { entry: String(entry.id) })}`,
      edge: edgeOf,
      fresh: entry => Date.now() - Date.parse(entry.at) < FRESH_MS,
    }),
    [params],
  )
  const fixed = useMemo(() => (tail.through === null ? undefined : { through: tail.through }), [tail.through])
  return (
    <>
      <PageHeader
        actions={
          <>
            <TailButton tail={tail} />
            {verifies && (
              <Button
                variant="default"
                leftSection={<IconShieldCheck size={16} stroke={1.8} />}
                onClick={() => setVerifying(true)}
              >
                {fr.verify.open}
              </Button>
            )}
          </>
        }
      />
      <DataTable<LogEntry>
        list={LIST}
        fetchPage={fetchPage}
        columns={LOG_COLUMNS}
        filters={LOG_FILTERS}
        defaultSort={null}
        look={look}
        noun={fr.noun}
        searchLabel={fr.search}
        empty={EMPTY}
        keepsColumns="log"
        exports={EXPORT}
        {...(fixed === undefined ? { hub: 'service' as const } : { fixed })}
      />
      <LogDrawer
        id={idOf(params.get('entry'))}
        shown={shown}
        onShow={id => put({ entry: id === null ? null : String(id) })}
      />
      {verifying && <VerifyDialog onClose={() => setVerifying(false)} />}
    </>
  )
}

const edgeOf = ({ outcome, severity }: LogEntry) =>
  severity !== null ? severity : outcome === 'failure' ? 'error' : outcome === 'refused' ? 'warning' : null

const TailButton = ({ tail }: { readonly tail: ReturnType<typeof useTail> }) =>
  tail.through === null ? (
    <Button
      variant="default"
      leftSection={<IconPlayerPause size={16} stroke={1.8} />}
      onClick={() => void tail.pause()}
    >
      {fr.pause}
    </Button>
  ) : (
    <>
      <output className={classes.paused} aria-live="polite">
        {fr.paused(tail.news)}
      </output>
      <Button leftSection={<IconPlayerPlay size={16} stroke={1.8} />} onClick={tail.resume}>
        {fr.resume}
      </Button>
    </>
  )
