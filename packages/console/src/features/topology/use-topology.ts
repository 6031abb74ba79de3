import { GLOBAL_STREAM, type HostChanged, type Topology, topologyRoutes } from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useAskAgain } from '../../ui/use-ask-again.ts'

const topologyQuery = (siteId: number | null) =>
  queryOptions({
    queryKey: ['topology', siteId],
    queryFn: ({ signal }) =>
      call(topologyRoutes.get, { query: siteId === null ? {} : { site: String(siteId) }, signal }),
  })

const TURN_MS = 500
type Change = HostChanged['hosts'][number]

const patched = (topology: Topology, changes: ReadonlyMap<number, Change>): Topology =>
  topology.hosts.some(({ id }) => changes.has(id))
    ? {
        ...topology,
        hosts: topology.hosts.map(host => {
          const change = changes.get(host.id)
          if (change === undefined) return host
          const { state, severity, since, inMaintenance } = change
          return { ...host, state, severity, since, inMaintenance }
        }),
      }
    : topology

/** The dependencies of a site's equipment, or of all: states as the hub says them, twice a second at most. */
export const useTopology = (siteId: number | null) => {
  const client = useQueryClient()
  const { queryKey } = topologyQuery(siteId)
  const again = useAskAgain(() => void client.invalidateQueries({ queryKey }))
  const changes = useRef(new Map<number, Change>())
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const apply = (): void => {
    timer.current = null
    const told = changes.current
    changes.current = new Map()
    client.setQueryData(queryKey, known => known && patched(known, told))
  }
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
  useHubEvent('host', GLOBAL_STREAM, ({ hosts, entities = [] }) => {
    for (const host of hosts) changes.current.set(host.id, host)
    if (hosts.length > 0) timer.current ??= setTimeout(apply, TURN_MS)
    if (entities.length > 0) again()
  })
  useHubEvent('service', GLOBAL_STREAM, ({ probes = [] }) => {
    if (probes.length > 0) again()
  })
  useHubJoined('host', again)
  return useQuery(topologyQuery(siteId))
}
