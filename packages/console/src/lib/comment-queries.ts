import { type Comment, type CommentKind, commentRoutes, GLOBAL_STREAM } from '@narval/contracts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './api.ts'
import { instantText } from './chart-range.ts'
import { useHubEvent, useHubJoined } from './hub.ts'

/** Of all that shows comments. */
export const COMMENTED_KEY = ['comments'] as const
/** The list of all of them, among the lists of the console (`LIST_KEY`). */
export const COMMENT_LIST = 'comments'
const LIST_KEY = 'datatable'
const NEWS_KEY = [...COMMENTED_KEY, 'news'] as const
const LAST_KEY = [...COMMENTED_KEY, 'last'] as const

/** Page of what is commented. */
export const commentedPath = (kind: CommentKind, id: number): string =>
  kind === 'incident' ? `/dashboard/live-view/incident/${id}` : `/${kind}/${id}`

/** Around an instant that a comment is about, so much of the chart is shown on either side. */
const AROUND_MS = 1_800_000

/** The same of one comment: of a metric, its chart over the time that the comment is about. */
export const commentPath = ({ kind, objectId, from, to }: Comment): string => {
  const path = commentedPath(kind, objectId)
  if (kind !== 'metric' || from === null) return path
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to ?? from)]
  const aroundMs = Math.max(AROUND_MS, toMs - fromMs)
  const params = { from: instantText(fromMs - aroundMs), to: instantText(toMs + aroundMs) }
  return `${path}?${new URLSearchParams(params)}`
}

/** Hears which objects were written on, whoever wrote. */
export const useCommented = (hear: (kind: CommentKind, ids: readonly number[]) => void): void => {
  useHubEvent('site', GLOBAL_STREAM, ({ commented }) => {
    if (commented !== undefined) hear('site', commented)
  })
  useHubEvent('host', GLOBAL_STREAM, ({ commented }) => {
    if (commented !== undefined) hear('host', commented)
  })
  useHubEvent('metric', GLOBAL_STREAM, ({ commented }) => {
    if (commented?.metrics !== undefined) hear('metric', commented.metrics)
    if (commented?.incidents !== undefined) hear('incident', commented.incidents)
  })
}

export const commentsQuery = (kind: CommentKind, id: number) =>
  queryOptions({
    queryKey: [...COMMENTED_KEY, kind, id],
    queryFn: ({ signal }) => call(commentRoutes.list, { query: { kind, id: String(id) }, signal }),
  })

/** What was written on an object, live. */
export const useComments = (kind: CommentKind, id: number) => {
  const client = useQueryClient()
  const { queryKey } = commentsQuery(kind, id)
  const refresh = (): void => void client.invalidateQueries({ queryKey })
  useCommented((of, ids) => {
    if (of === kind && ids.includes(id)) refresh()
  })
  useHubJoined('metric', refresh)
  return useQuery(commentsQuery(kind, id))
}

/** The last comments on anything, asked for while the panel is open. */
export const useLastComments = () => {
  const client = useQueryClient()
  useCommented(() => void client.invalidateQueries({ queryKey: LAST_KEY }))
  return useQuery({ queryKey: LAST_KEY, queryFn: ({ signal }) => call(commentRoutes.last, { signal }), staleTime: 0 })
}

/** What is pinned on an object and on what it stands on, live. */
export const useInstructions = (kind: CommentKind, id: number) => {
  const client = useQueryClient()
  const queryKey = [...COMMENTED_KEY, 'instructions', kind, id]
  useCommented(() => void client.invalidateQueries({ queryKey }))
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(commentRoutes.instructions, { query: { kind, id: String(id) }, signal }),
  })
}

/** What is unread, live: how many, and how many name the reader. */
export const useCommentNews = () => {
  const client = useQueryClient()
  const refresh = (): void => void client.invalidateQueries({ queryKey: NEWS_KEY })
  useCommented(refresh)
  useHubJoined('metric', refresh)
  return useQuery({
    queryKey: NEWS_KEY,
    queryFn: ({ signal }) => call(commentRoutes.news, { signal }),
    // What was read in another tab is not told to this one.
    refetchOnWindowFocus: 'always',
  })
}

/** Says that all is read up to a comment. */
export const useReadComments = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (through: number) => call(commentRoutes.read, { body: { through } }),
    onSuccess: async news => {
      client.setQueryData(NEWS_KEY, news)
      await client.invalidateQueries({ queryKey: COMMENTED_KEY })
      await client.invalidateQueries({ queryKey: [LIST_KEY, COMMENT_LIST] })
    },
  })
}

/** Has all that shows comments asked again. */
export const useRefreshComments = (): (() => Promise<void>) => {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: COMMENTED_KEY })
    await client.invalidateQueries({ queryKey: [LIST_KEY, COMMENT_LIST] })
  }
}
