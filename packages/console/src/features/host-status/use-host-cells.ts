import { dashboardRoutes, GLOBAL_STREAM, type HostChanged } from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { type HostCell, readGrid, withChanges } from '../../lib/host-cells.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'

const KEY = ['dashboard', 'hosts'] as const
/** Messages of so many ms are shown together. */
const TURN_MS = 100
/** What no message says (acknowledgements, names, hosts that come and go) is asked again at most this often. */
const AGAIN_MS = 3_000

/** Every host, as it is now: the grid is asked once, then the host hub says what changes. */
export const useHostCells = () => {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => readGrid(await call(dashboardRoutes.hosts, { signal })),
    staleTime: 0,
  })
  const heard = useRef(new Map<number, HostChanged['hosts'][number]>())
  const timers = useRef<{ turn?: ReturnType<typeof setTimeout>; again?: ReturnType<typeof setTimeout> }>({})
  const show = useEffectEvent(() => {
    delete timers.current.turn
    const changed = [...heard.current.values()]
    heard.current.clear()
    client.setQueryData<readonly HostCell[]>(KEY, hosts => (hosts === undefined ? hosts : withChanges(hosts, changed)))
  })
  const again = (): void => {
    timers.current.again ??= setTimeout(() => {
      delete timers.current.again
      void client.invalidateQueries({ queryKey: KEY })
    }, AGAIN_MS)
  }
  useHubEvent('host', GLOBAL_STREAM, ({ hosts, entities }) => {
    for (const host of hosts) heard.current.set(host.id, host)
    if (hosts.length > 0) timers.current.turn ??= setTimeout(() => show(), TURN_MS)
    if ((entities?.length ?? 0) > 0) again()
  })
  useHubEvent('metric', GLOBAL_STREAM, ({ incidents = [] }) => {
    if (incidents.length > 0) again()
  })
  useHubJoined('host', again)
  useEffect(() => {
    const held = timers.current
    return () => {
      clearTimeout(held.turn)
      clearTimeout(held.again)
    }
  }, [])
  return query
}
