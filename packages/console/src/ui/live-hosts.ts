import { GLOBAL_STREAM, type Host } from '@narval/contracts'
import { useHubEvent, useHubJoined } from '../lib/hub.ts'
import { useLiveRows } from './live-rows.ts'

/** Keeps the rows of a list of hosts as the hub says; what was missed while away is asked for. */
export const useLiveHosts = (list: string): void => {
  const rows = useLiveRows<Host>(list)
  useHubEvent('host', GLOBAL_STREAM, ({ hosts, entities }) => {
    rows.patch(new Map(hosts.map(({ id, siteId: _site, ...live }) => [id, live])))
    if (entities !== undefined && entities.length > 0) rows.refetch()
  })
  useHubJoined('host', rows.refetch)
}
