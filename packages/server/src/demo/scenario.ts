/**
 * How the demonstration's responders behave: a pure function of the address and the time, so that nothing has to be kept
 * and two looks at the same second agree. What is measured of it is measured for real.
 */
export type Behaviour =
  | { readonly kind: 'answer'; readonly delayMs: number }
  /** Accepts and says nothing: the check times out. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'error' }

/** What a TCP responder that answers begins with. */
export const DEMO_BANNER = 'NARVAL-DEMO'

/** FNV-1a over the text, mixed: uniform enough to spread phases. */
const hash = (text: string): number => {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  state ^= state >>> 15
  return Math.imul(state, 0x2c1b3c6d) >>> 0
}

const SITE_EVERY_MS = 150 * 60_000
const SITE_FOR_MS = 100_000
const HOST_EVERY_MS = 100 * 60_000
const HOST_FOR_MS = 80_000
const SLOW_EVERY_MS = 25 * 60_000
const SLOW_SHARE = 8
const SLOWEST_MS = 1_100

/** True during `forMs` of each `everyMs`, at a phase of its own. */
const isIn = (key: string, nowMs: number, everyMs: number, forMs: number): boolean =>
  (nowMs + (hash(key) % everyMs)) % everyMs < forMs

/** What the responder at this address (127.a.site.host) does now. */
export const behave = (address: string, nowMs: number): Behaviour => {
  const site = address.split('.')[2] ?? ''
  if (isIn(`site ${site}`, nowMs, SITE_EVERY_MS, SITE_FOR_MS)) return { kind: 'hang' }
  if (isIn(`host ${address}`, nowMs, HOST_EVERY_MS, HOST_FOR_MS)) {
    const way = hash(`way ${address}`) % 3
    return way === 0 ? { kind: 'hang' } : way === 1 ? { kind: 'reset' } : { kind: 'error' }
  }
  return { kind: 'answer', delayMs: usualDelay(address, nowMs) }
}

/** Some milliseconds of its own, a breath of noise and, for one host in eight, waves that pass the thresholds. */
const usualDelay = (address: string, nowMs: number): number => {
  const own = 2 + (hash(address) % 40)
  const noise = hash(`${address} ${Math.floor(nowMs / 1_000)}`) % 12
  if (hash(`slow ${address}`) % SLOW_SHARE !== 0) return own + noise
  const phase = ((nowMs + (hash(`wave ${address}`) % SLOW_EVERY_MS)) % SLOW_EVERY_MS) / SLOW_EVERY_MS
  return own + noise + Math.max(0, Math.sin(phase * 2 * Math.PI)) ** 6 * SLOWEST_MS
}
