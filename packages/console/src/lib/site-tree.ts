import { GLOBAL_STREAM, siteRoutes } from '@narval/contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from './api.ts'
import { useHubEvent, useHubJoined } from './hub.ts'

const TREE_KEY = ['site-tree'] as const
const TREE_FRESH_MS = 30_000
const REFETCH_MS = 1_000

/** Every site with its parent: the tree, the map, the choice of a parent. */
export const siteTreeQuery = queryOptions({
  queryKey: TREE_KEY,
  queryFn: ({ signal }) => call(siteRoutes.tree, { signal }),
  staleTime: TREE_FRESH_MS,
})

/** Keeps the tree as the hubs say: states at once; sites and equipment that came, went or moved are asked for. */
export const useLiveTree = (): void => {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const refetch = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      void client.invalidateQueries({ queryKey: TREE_KEY })
    }, REFETCH_MS)
  }
  useHubEvent('site', GLOBAL_STREAM, ({ sites, entities }) => {
    const changes = new Map(sites.map(({ id, severity, counts }) => [id, { severity, counts }]))
    if (changes.size > 0)
      client.setQueryData(siteTreeQuery.queryKey, nodes =>
        nodes?.map(node => (changes.has(node.id) ? { ...node, ...changes.get(node.id) } : node)),
      )
    if (entities !== undefined && entities.length > 0) refetch()
  })
  useHubEvent('host', GLOBAL_STREAM, ({ entities }) => {
    if (entities !== undefined && entities.length > 0) refetch()
  })
  useHubJoined('site', refetch)
}
