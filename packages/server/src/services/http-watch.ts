import type { FastifyInstance } from 'fastify'

export interface HttpFigures {
  /** Calls since the start; held-open ones (orders of probes, hubs) are counted and not timed. */
  readonly calls: () => number
  readonly underWay: () => number
  /** Answers since the start that say that the server failed: 500 and more, but for 503. */
  readonly failures: () => number
  /** Calls that were told to come back later (503). */
  readonly busy: () => number
  /** Half, and 95 in a hundred, of the last 500 calls took no longer, in ms; null: none yet. */
  readonly took: () => { readonly half: number; readonly most: number } | null
}

const KEPT = 500
/** Calls that wait on purpose. */
const isHeld = (path: string): boolean => /^\/(Hub\/|api\/Probe\/Orders)/i.test(path)

/** Counts calls as they begin and end: two additions a call. `onFailure` is told method and address of what failed. */
export const watchHttp = (http: FastifyInstance, onFailure: (what: string) => void): HttpFigures => {
  const took = new Float64Array(KEPT)
  let [calls, ended, underWay, failures, busy] = [0, 0, 0, 0, 0]
  http.addHook('onRequest', async request => {
    calls += 1
    if (!isHeld(request.url)) underWay += 1
  })
  http.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply
    if (statusCode === 503) busy += 1
    else if (statusCode >= 500) {
      failures += 1
      onFailure(`${request.method} ${request.routeOptions.url ?? 'adresse inconnue'} a répondu ${statusCode}`)
    }
    if (isHeld(request.url)) return
    underWay -= 1
    took[ended % KEPT] = reply.elapsedTime
    ended += 1
  })
  return {
    calls: () => calls,
    underWay: () => Math.max(0, underWay),
    failures: () => failures,
    busy: () => busy,
    took() {
      const known = took.slice(0, Math.min(ended, KEPT)).toSorted()
      if (known.length === 0) return null
      const at = (share: number): number => known[Math.min(known.length - 1, Math.floor(known.length * share))] ?? 0
      return { half: at(0.5), most: at(0.95) }
    },
  }
}
