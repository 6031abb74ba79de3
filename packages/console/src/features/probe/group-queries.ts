import { GLOBAL_STREAM, probeGroupRoutes } from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'

const REFRESH_MS = 10_000

export const groupsQuery = queryOptions({
  queryKey: ['probe-groups'],
  queryFn: ({ signal }) => call(probeGroupRoutes.list, { signal }),
  refetchInterval: REFRESH_MS,
})

/** The groups with who runs for whom, asked again when the hub says that a probe changed. */
export const useProbeGroups = () => {
  const again = useGroupsAgain()
  useHubEvent('service', GLOBAL_STREAM, ({ probes }) => {
    if (probes !== undefined && probes.length > 0) again()
  })
  useHubJoined('service', again)
  return useQuery(groupsQuery)
}

/** Asks the groups again. */
export const useGroupsAgain = (): (() => void) => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: groupsQuery.queryKey })
}
