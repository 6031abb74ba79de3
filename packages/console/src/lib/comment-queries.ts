import { type CommentKind, commentRoutes, GLOBAL_STREAM } from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './api.ts'
import { useHubEvent, useHubJoined } from './hub.ts'

/** Of all that shows comments. */
export const COMMENTED_KEY = ['comments'] as const
const LAST_KEY = [...COMMENTED_KEY, 'last'] as const

/** Page of what is commented. */
export const commentedPath = (kind: CommentKind, id: number): string =>
  kind === 'incident' ? `/dashboard/live-view/incident/${id}` : `/${kind}/${id}`

/** Hears which objects were written on, whoever wrote. */
const useCommented = (hear: (kind: CommentKind, ids: readonly number[]) => void): void => {
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

/** Has all that shows comments asked again. */
export const useRefreshComments = (): (() => Promise<void>) => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: COMMENTED_KEY })
}
