import { Button } from '@mantine/core'
import { COMMENT_KINDS, type Comment, commentRoutes, type DatatableInput } from '@narval/contracts'
import { IconChecks, IconMessagePlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { comment as words } from '../../i18n/comment.ts'
import { changedParams, idOf } from '../../lib/address.ts'
import { call, fetchFile } from '../../lib/api.ts'
import { COMMENT_LIST, useCommented, useCommentNews, useReadComments } from '../../lib/comment-queries.ts'
import { withInstants } from '../../lib/day-range.ts'
import { useHubJoined } from '../../lib/hub.ts'
import { hostOptions, metricOptions, siteOptions } from '../../lib/option-sources.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableFilter } from '../../ui/data-table-types.ts'
import { useLiveRows } from '../../ui/live-rows.ts'
import { PageHeader } from '../../ui/page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { COMMENT_COLUMNS } from './comment-columns.tsx'
import { CommentDrawer } from './comment-drawer.tsx'
import { CommentTabs } from './comment-tabs.tsx'
import { fr } from './fr.ts'
import { WriteDialog } from './write-dialog.tsx'

const { filters: labels } = fr
const YES_NO = [
  { value: 'true', label: labels.yes },
  { value: 'false', label: labels.no },
]
const FILTERS: readonly TableFilter[] = [
  { name: 'unread', label: labels.unread, single: true, choices: YES_NO },
  { name: 'mentionsMe', label: labels.mentionsMe, single: true, choices: YES_NO },
  { name: 'pinned', label: labels.pinned, single: true, choices: YES_NO },
  { name: 'kind', label: labels.kind, choices: COMMENT_KINDS.map(value => ({ value, label: words.kinds[value] })) },
  { name: 'siteId', label: labels.site, source: siteOptions },
  { name: 'hostId', label: labels.host, source: hostOptions },
  { name: 'metricId', label: labels.metric, source: metricOptions },
  { name: 'author', label: labels.author, typed: 'text' },
  { name: 'days', label: labels.days, typed: 'date' },
]
const EMPTY = { title: fr.emptyTitle, text: fr.emptyText }
const ALSO_SEARCHED = ['text', 'siteName']
const FRESH_MS = 15_000
const EXPORT = {
  name: 'commentaires',
  fetch: (body: DatatableInput) =>
    fetchFile(commentRoutes.datatable.put, { body: withInstants(body), accept: 'text/csv', timeoutMs: 120_000 }),
}
const fetchPage = (body: DatatableInput, signal: AbortSignal) =>
  call(commentRoutes.datatable.put, { body: withInstants(body), signal })

/** /comments: all that people wrote on what one may see, the newest first, live. */
export const CommentsPage = () => {
  const { params, put } = useAddress()
  const [writing, setWriting] = useState(false)
  const { refetch } = useLiveRows<Comment>(COMMENT_LIST)
  useCommented(refetch)
  useHubJoined('metric', refetch)
  const look = useMemo<RowLook<Comment>>(
    () => ({
      key: one => one.id,
      name: one => `${words.of(one.author)}, ${one.objectName}`,
      href: one => `?${changedParams(params, { entry: String(one.id) })}`,
      fresh: one => Date.now() - Date.parse(one.createdAt) < FRESH_MS,
    }),
    [params],
  )
  return (
    <>
      <PageHeader
        actions={
          <>
            <ReadAll />
            <Button leftSection={<IconMessagePlus size={16} stroke={1.8} />} onClick={() => setWriting(true)}>
              {fr.write}
            </Button>
          </>
        }
      />
      <CommentTabs current="comments" />
      <DataTable<Comment>
        list={COMMENT_LIST}
        fetchPage={fetchPage}
        columns={COMMENT_COLUMNS}
        filters={FILTERS}
        defaultSort={null}
        alsoSearched={ALSO_SEARCHED}
        look={look}
        noun={fr.noun}
        searchLabel={fr.search}
        empty={EMPTY}
        hub="metric"
        exports={EXPORT}
      />
      <CommentDrawer id={idOf(params.get('entry'))} onClose={() => put({ entry: null })} />
      {writing && <WriteDialog onClose={() => setWriting(false)} />}
    </>
  )
}

const ReadAll = () => {
  const { data } = useCommentNews()
  const reading = useReadComments()
  if (data === undefined || data.unread === 0) return null
  return (
    <Button
      variant="default"
      leftSection={<IconChecks size={16} stroke={1.8} />}
      loading={reading.isPending}
      onClick={() => reading.mutate(data.latest)}
    >
      {fr.readAllCount(data.unread)}
    </Button>
  )
}
