import type { ReplyOf, Route } from '@narval/contracts'
import { callAs, fileAs } from './call.ts'
import type { CallInput } from './http.ts'
import { session, transport } from './session.ts'

export { ApiError, type CallInput } from './http.ts'

/** Calls a route as the signed-in account; see `callAs`. Throws `ApiError`. */
export const call = <R extends Route>(route: R, input: CallInput<R> = {}): Promise<ReplyOf<R>> =>
  callAs(session, transport, route, input)

/** A file that a route gives for `accept`. Throws `ApiError`. */
export const fetchFile = <R extends Route>(route: R, input: CallInput<R>): Promise<Blob> =>
  fileAs(session, transport, route, input)
