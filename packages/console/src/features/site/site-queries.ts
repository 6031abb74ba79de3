import { GLOBAL_STREAM, type Site, type SiteInput, siteRoutes } from '@narval/contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
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
