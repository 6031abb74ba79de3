import { authenticationRoutes, type ReplyOf, type Route } from '@narval/contracts'
import { ApiError, type CallInput, request, type Transport } from './http.ts'

/** Calls whose 401 means what it says: no refresh, no replay. */
const WITHOUT_RENEWAL: readonly Route[] = [
  authenticationRoutes.login,
  authenticationRoutes.refresh,
  authenticationRoutes.logout,
]

/** The part of a session that a call needs. */
export interface Renewal {
  token(): string | null
  /** False when there is no session any more. */
  refresh(): Promise<boolean>
}

/**
 * Calls a route as the account of a session. A 401 refreshes the session once, together with the other calls that got
 * one, and says the call again (spec §4). Throws `ApiError`.
 */
export const callAs = async <R extends Route>(
  session: Renewal,
  transport: Transport,
  route: R,
  input: CallInput<R>,
): Promise<ReplyOf<R>> => {
  const used = session.token()
  try {
    return await request(transport, route, input, used)
  } catch (error) {
    const renewable = error instanceof ApiError && error.status === 401 && !WITHOUT_RENEWAL.includes(route)
    if (!renewable || used === null) throw error
    // Another call may have refreshed while this one was under way.
    if (session.token() === used && !(await session.refresh())) throw error
    return request(transport, route, input, session.token())
  }
}
