import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/http.ts'
import { session } from '../lib/session.ts'

/** A refusal stays one; no answer, too many calls or a server's fault may pass. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500

/**
 * What is on the screen is refreshed by the hubs; a return to the tab asks again after 30 s. A browser without internet
 * takes itself for offline, though the server may be this machine or a neighbour: `always` asks all the same.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
      retryDelay: attempt => Math.min(1_000 * 2 ** attempt, 10_000),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Nothing of one account is shown to the next. */
let owner: number | null = null
session.subscribe(() => {
  const { phase, user } = session.state()
  if (phase === 'signedIn' && user === null) return
  const next = user?.idUser ?? null
  if (owner !== null && owner !== next) queryClient.clear()
  owner = next
})
