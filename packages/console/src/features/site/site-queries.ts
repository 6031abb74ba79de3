import { GLOBAL_STREAM, type Site, type SiteInput, siteRoutes } from '@narval/contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useLiveRows } from '../../ui/live-rows.ts'

export const SITE_LIST = 'site'

export const siteQuery = (id: number) =>
  queryOptions({ queryKey: ['site', id], queryFn: ({ signal }) => call(siteRoutes.get, { params: { id }, signal }) })

/** Creates, or changes the version of `basedOn`. */
export const saveSite = (id: number | null, input: SiteInput, basedOn: string | null): Promise<Site> =>
  id === null || basedOn === null
    ? call(siteRoutes.create, { body: input })
    : call(siteRoutes.update, { params: { id }, body: { ...input, updatedAt: basedOn } })

/** Keeps the rows of the list as the hub says; what was missed while away is asked for. */
export const useLiveSites = (): void => {
  const rows = useLiveRows<Site>(SITE_LIST)
  useHubEvent('site', GLOBAL_STREAM, ({ sites, entities }) => {
    rows.patch(new Map(sites.map(({ id, severity, counts }) => [id, { severity, counts }])))
    if (entities !== undefined && entities.length > 0) rows.refetch()
  })
  useHubJoined('site', rows.refetch)
}

/** The same for one site. */
export const useLiveSite = (id: number): void => {
  const client = useQueryClient()
  const { queryKey } = siteQuery(id)
  useHubEvent('site', String(id), ({ sites, entities }) => {
    const change = sites.find(site => site.id === id)
    if (change !== undefined)
      client.setQueryData(queryKey, site => site && { ...site, severity: change.severity, counts: change.counts })
    if (entities?.includes(id)) void client.invalidateQueries({ queryKey })
  })
}

const TREE_KEY = ['site-tree'] as const
const TREE_FRESH_MS = 30_000
const REFETCH_MS = 1_000

/** Every site with its parent: the tree, the map's other points, the choice of a parent. */
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
