import { GLOBAL_STREAM, type HostCause, incidentRoutes } from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './api.ts'
import { useHubEvent, useHubJoined } from './hub.ts'

export const hostCausesQuery = (hostId: number) =>
  queryOptions({
    queryKey: ['host-causes', hostId],
    queryFn: ({ signal }) => call(incidentRoutes.causes, { query: { host: String(hostId) }, signal }),
  })

/** The open incidents that explain what is unknown of a host, asked again when it, or an incident, changes. */
export const useHostCauses = (hostId: number): readonly HostCause[] => {
  const client = useQueryClient()
  const again = (): void => void client.invalidateQueries({ queryKey: hostCausesQuery(hostId).queryKey })
  useHubEvent('host', GLOBAL_STREAM, ({ hosts }) => {
    if (hosts.some(({ id }) => id === hostId)) again()
  })
  useHubEvent('metric', GLOBAL_STREAM, ({ incidents = [] }) => {
    if (incidents.length > 0) again()
  })
  useHubJoined('host', again)
  return useQuery(hostCausesQuery(hostId)).data ?? NONE
}
const NONE: readonly HostCause[] = []
