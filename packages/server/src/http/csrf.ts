import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The double-submit token: a nonce and its signature, so that a cookie planted by another site is worth nothing. */
export interface Csrf {
  issue(): string
  /** True when both are the same token and it is one of ours. */
  accepts(cookie: string | undefined, header: string | undefined): boolean
  valid(cookie: string | undefined): boolean
}

export const createCsrf = (key: Uint8Array): Csrf => {
  const sign = (nonce: string) => createHmac('sha256', key).update(`csrf ${nonce}`).digest('base64url')
  const valid = (cookie: string | undefined): boolean => {
    const [nonce, signature] = cookie?.split('.') ?? []
    return nonce !== undefined && signature !== undefined && same(signature, sign(nonce))
  }
  return {
    issue() {
      const nonce = randomBytes(16).toString('base64url')
      return `${nonce}.${sign(nonce)}`
    },
    valid,
    accepts: (cookie, header) => cookie !== undefined && header !== undefined && same(cookie, header) && valid(cookie),
  }
}

const same = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
