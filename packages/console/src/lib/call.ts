import { authenticationRoutes, type ReplyOf, type Route } from '@narval/contracts'
import { ApiError, type CallInput, request, requestFile, type Transport } from './http.ts'

/** Calls whose 401 means what it says: no refresh, no replay. */
const WITHOUT_RENEWAL: readonly Route[] = [
  authenticationRoutes.login,
  authenticationRoutes.secondFactor,
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
export const callAs = <R extends Route>(
  session: Renewal,
  transport: Transport,
  route: R,
  input: CallInput<R>,
): Promise<ReplyOf<R>> => renewing(session, route, token => request(transport, route, input, token))

/** The same for an answer that is a file. */
export const fileAs = <R extends Route>(
  session: Renewal,
  transport: Transport,
  route: R,
  input: CallInput<R>,
): Promise<Blob> => renewing(session, route, token => requestFile(transport, route, input, token))

const renewing = async <T>(session: Renewal, route: Route, say: (token: string | null) => Promise<T>): Promise<T> => {
  const used = session.token()
  try {
    return await say(used)
  } catch (error) {
    const renewable = error instanceof ApiError && error.status === 401 && !WITHOUT_RENEWAL.includes(route)
    if (!renewable || used === null) throw error
    // Another call may have refreshed while this one was under way.
    if (session.token() === used && !(await session.refresh())) throw error
    return say(session.token())
  }
}
