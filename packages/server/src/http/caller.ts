/** A signed-in account, as each request finds it: nothing of it comes from the client but the token. */
export interface Viewer {
  readonly userId: number
  readonly login: string
  readonly sessionId: number
  readonly firstConnection: boolean
  /** When the present sign-in took place, epoch ms. */
  readonly signedInMs: number
  readonly claims: ReadonlySet<string>
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
