import { notificationChannelRoutes } from '@narval/contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

/** What channels did last changes with each delivery. */
const REFRESH_MS = 10_000

export const channelsQuery = queryOptions({
  queryKey: ['notification-channels'],
  queryFn: ({ signal }) => call(notificationChannelRoutes.list, { signal }),
  refetchInterval: REFRESH_MS,
})

/** Asks the channels again. */
export const useChannelsAgain = (): (() => void) => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: channelsQuery.queryKey })
}

/** A server that is away answers after 30 s at the latest; the test waits a little longer. */
export const TEST_TIMEOUT_MS = 45_000
