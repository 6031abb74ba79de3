import { ACCESS_TOKEN_MS } from '@narval/contracts'
import { errors, jwtVerify, SignJWT } from 'jose'

/** What an access token says; nothing of rights, which are read at each request. */
export interface AccessClaims {
  readonly userId: number
  readonly sessionId: number
  readonly expiresMs: number
}

export interface AccessTokens {
  issue(userId: number, sessionId: number): Promise<string>
  /** Null when it is not one of ours or has expired; `ignoreExpiry` only to renew it. */
  verify(token: string, options?: { ignoreExpiry?: boolean }): Promise<AccessClaims | null>
}

const ISSUER = 'narval'
const AUDIENCE = 'narval-console'
const TYPE = 'at+jwt'
/** The only spelling that we write: three parts in base64url, unpadded, with 256 bits of signature. */
const COMPACT = /^[\w-]+\.[\w-]+\.([\w-]{43})$/
const FAR_PAST = new Date(0)

/** False for another spelling of the same bytes: a token has one. */
const isCanonical = (token: string): boolean => {
  const signature = COMPACT.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/** JWT of 10 minutes, HS256 only, typ, iss and aud checked (rule 11). */
export const createAccessTokens = (key: Uint8Array, now: () => number): AccessTokens => ({
  issue: (userId, sessionId) =>
    new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setSubject(String(userId))
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(Math.floor(now() / 1_000))
      .setExpirationTime(Math.floor((now() + ACCESS_TOKEN_MS) / 1_000))
      .sign(key),
  verify: async (token, options) => {
    if (!isCanonical(token)) return null
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub', 'sid'],
        currentDate: options?.ignoreExpiry === true ? FAR_PAST : new Date(now()),
      })
      const userId = Number(payload.sub)
      const sessionId = Number(payload.sid)
      if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(sessionId) || payload.exp === undefined) return null
      return { userId, sessionId, expiresMs: payload.exp * 1_000 }
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null
      throw error
    }
  },
})
