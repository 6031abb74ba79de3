import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The double-submit token: a nonce, the session that it was given to (0 before signing in) and their signature, so that
 * neither a cookie planted by another site nor the token of another session is worth anything (S22).
 */
export interface Csrf {
  issue(sessionId: number | null): string
  /** Whether it is one of ours, and this session's; `any` when the call has no session to protect. */
  valid(cookie: string | undefined, sessionId: number | 'any' | null): boolean
  /** True when cookie and header are the same valid token. */
  accepts(cookie: string | undefined, header: string | undefined, sessionId: number | 'any'): boolean
}

export const createCsrf = (key: Uint8Array): Csrf => {
  const sign = (nonce: string, session: string) =>
    createHmac('sha256', key).update(`csrf ${nonce} ${session}`).digest('base64url')
  const valid: Csrf['valid'] = (cookie, sessionId) => {
    const [nonce, session, signature] = cookie?.split('.') ?? []
    if (nonce === undefined || session === undefined || signature === undefined) return false
    return (sessionId === 'any' || session === String(sessionId ?? 0)) && same(signature, sign(nonce, session))
  }
  return {
    issue(sessionId) {
      const nonce = randomBytes(16).toString('base64url')
      const session = String(sessionId ?? 0)
      return `${nonce}.${session}.${sign(nonce, session)}`
    },
    valid,
    accepts: (cookie, header, sessionId) =>
      cookie !== undefined && header !== undefined && same(cookie, header) && valid(cookie, sessionId),
  }
}

const same = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
