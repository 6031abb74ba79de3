import { forbidden } from './refusal.ts'

/** Where something is read or held: on sites with all that stands there, and on the hosts that bear one of these tags. */
export interface Place {
  readonly sites: ReadonlySet<number>
  /** Folded, each between its separators (`placeTags` in `store/visible.ts`). */
  readonly tags: ReadonlySet<string>
}

/** A signed-in account, as each request finds it: nothing of it comes from the client but the token. */
export interface Viewer {
  readonly userId: number
  readonly login: string
  /** Null when an API token was shown instead of a session's. */
  readonly sessionId: number | null
  /** Whom the rate limits count: one session, or one API token. */
  readonly credential: string
  readonly firstConnection: boolean
  /** When the present sign-in took place, epoch ms. */
  readonly signedInMs: number
  readonly claims: ReadonlySet<string>
  /** Where it reads; null: everywhere. On a route that asks for a claim: where it holds this claim. */
  readonly place: Place | null
  /** Claims that it holds in some places only; any other holds wherever it reads. */
  readonly limits: ReadonlyMap<string, Place>
}

/** The same account where it holds a claim: what a route of this claim sees of it. */
export const where = (viewer: Viewer, claim: string): Viewer => {
  const place = viewer.limits.get(claim)
  return place === undefined ? viewer : { ...viewer, place }
}

/** The session of who calls a route that API tokens may not call. */
export const sessionOf = (viewer: Viewer): number => {
  if (viewer.sessionId === null) throw forbidden('Cette action demande une session : un jeton d’API ne suffit pas.')
  return viewer.sessionId
}

/** An unattended screen that showed its token: no account, it may call the routes of the wall alone. */
export interface DisplayCaller {
  readonly displayId: number
  readonly name: string
  /** The only site that it sees, with its name; null: it sees all. */
  readonly site: { readonly id: number; readonly name: string } | null
}

/** Turns a display token into the screen that it is for; null when it is unknown, over or revoked. */
export interface DisplayGuard {
  authenticate(token: string, address: string): Promise<DisplayCaller | null>
}

/** A probe whose signature was verified. */
export interface ProbeCaller {
  readonly probeId: number
  readonly state: 'pending' | 'approved' | 'revoked'
  readonly local: boolean
  /** Nonce of the request, over which the answer is signed. */
  readonly nonce: string
}

/** What a guard sees of a request signed by a probe. */
export interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
  /** Where it came from. */
  readonly address: string
}

/** Turns a bearer token into the account that holds it, checking its session now; null when it is not valid. */
export interface SessionGuard {
  authenticate(token: string): Promise<Viewer | null>
}

export interface ProbeGuard {
  authenticate(request: SignedRequest): Promise<ProbeCaller | null>
  /** Signature of an answer, in base64, by the key that probes have pinned. */
  sign(nonce: string, status: number, body: Uint8Array): string
}
