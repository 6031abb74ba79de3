/** What the console reads of a session token; the signature is the server's business. */
export interface TokenTimes {
  readonly issuedAtMs: number | null
  readonly expiresAtMs: number
}

/** The times of a JWT, or null when it is not one. */
export const tokenTimes = (token: string): TokenTimes | null => {
  const payload = token.split('.')[1]
  if (payload === undefined) return null
  try {
    const claims: unknown = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
    const expiresAt = secondsOf(claims, 'exp')
    if (expiresAt === null) return null
    const issuedAt = secondsOf(claims, 'iat')
    return { issuedAtMs: issuedAt === null ? null : issuedAt * 1000, expiresAtMs: expiresAt * 1000 }
  } catch {
    return null
  }
}

const secondsOf = (claims: unknown, name: 'exp' | 'iat'): number | null => {
  if (typeof claims !== 'object' || claims === null || !(name in claims)) return null
  const value = Object.entries(claims).find(([key]) => key === name)?.[1]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/**
 * When a token just received ends, on this machine's clock: the lifetime counts from the reception, so that a clock
 * that is wrong by minutes does not end every session at once.
 */
export const localExpiry = (times: TokenTimes, receivedAtMs: number): number =>
  times.issuedAtMs === null ? times.expiresAtMs : receivedAtMs + (times.expiresAtMs - times.issuedAtMs)
