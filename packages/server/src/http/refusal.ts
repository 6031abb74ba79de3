import type { SecondFactorChallenge } from '@narval/contracts'

/**
 * The closed family of errors that a caller may see. Services throw them; `problem.ts` maps them once to problem+json.
 * Anything else is an unknown fault: 500 with a reference, no detail.
 */
export const REFUSAL_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  'unsupported-type': 415,
  'too-many': 429,
  unavailable: 503,
} as const
export type RefusalKind = keyof typeof REFUSAL_STATUS

export interface RefusalDetail {
  /** Field path → French sentence. */
  readonly fields?: Readonly<Record<string, string>>
  /** The newer version of what an update was based on. */
  readonly current?: unknown
  readonly retryAfterMs?: number
  /** A code of the second factor is asked for. */
  readonly challenge?: SecondFactorChallenge
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  readonly errors: readonly string[]
  readonly detail: RefusalDetail
  constructor(kind: RefusalKind, errors: readonly string[], detail: RefusalDetail = {}) {
    super(errors.join(' '))
    this.kind = kind
    this.errors = errors
    this.detail = detail
  }
}

export const invalid = (errors: readonly string[], fields: Readonly<Record<string, string>> = {}): Refusal =>
  new Refusal('invalid', errors, { fields })
/** One field, one sentence. */
export const invalidField = (field: string, message: string): Refusal => invalid([message], { [field]: message })
export const notFound = (what: string): Refusal => new Refusal('not-found', [what])
export const forbidden = (why: string): Refusal => new Refusal('forbidden', [why])
export const conflict = (why: string, detail: RefusalDetail = {}): Refusal => new Refusal('conflict', [why], detail)
export const unauthenticated = (): Refusal => new Refusal('unauthenticated', ['Il faut se connecter.'])
export const tooMany = (retryAfterMs: number): Refusal =>
  new Refusal('too-many', ['Trop de demandes : réessayez dans un moment.'], { retryAfterMs })
export const unavailable = (why: string, retryAfterMs = 1_000): Refusal =>
  new Refusal('unavailable', [why], { retryAfterMs })

/** The version on which an update was based is no longer the last one. */
export const stale = (current: unknown, by: string | null): Refusal =>
  conflict(
    by === null ? 'Cette fiche a été modifiée entre-temps.' : `Cette fiche a été modifiée entre-temps par ${by}.`,
    { current },
  )
