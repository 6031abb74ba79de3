import { ORDERS_WAIT_MS, type OrdersReply } from '@narval/contracts'
import { backoffMs, retryAfterWithJitter, type Sleeper } from './backoff.ts'
import { parseOrders } from './configuration.ts'
import { parseJson } from './enrolment.ts'
import { fr } from './fr.ts'
import type { Log } from './log.ts'
import { type Session, type SessionAnswer, sentenceOf } from './session.ts'

/**
 * The long poll for configuration and orders, which is also what tells whether the server is there and is ours: results
 * are sent only while the link is open, and it opens only on an answer that the pinned key signed (S58).
 */
export interface Link {
  readonly isOpen: () => boolean
  /** Settles when the link is open, or when the signal is aborted. */
  readonly whenOpen: (signal: AbortSignal) => Promise<void>
  /** A call failed: nothing is sent until the server has proved itself again. */
  readonly doubt: (reason: string) => void
  /** Ends when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface LinkOptions {
  readonly session: Session
  readonly sleeper: Sleeper
  readonly random: () => number
  readonly steadyMs: () => number
  readonly log: Log
  /** Revision of the configuration that is kept already. */
  readonly revision: string
  /** For which the server seals credentials. */
  readonly sealKey: string
  readonly onReply: (reply: OrdersReply) => void
}

/** Refusals and wrong keys are matters for people: they are looked at again at this pace. */
const REFUSED_RETRY_MS = 60_000
const IMPOSTOR_RETRY_MS = 5 * 60_000
/** A server that answers at once without news is not asked faster than this. */
const IDLE_MS = 1_000
const CHECK_TIME_LIMIT_MS = 15_000
/** Clocks further apart than this are worth a word when the server refuses us. */
const SKEW_MS = 60_000

export const createLink = (options: LinkOptions): Link => {
  const { session, sleeper, random, steadyMs, log, onReply, sealKey } = options
  let [open, verified, failures, after] = [false, false, 0, 0]
  let revision = options.revision
  let poll: AbortController | null = null
  let said = ''
  let state: OrdersReply['state'] | null = null
  const waiters = new Set<() => void>()

  /** The same trouble is said once, not at each attempt. */
  const say = (level: 'info' | 'warn' | 'error', text: string): void => {
    if (text === said) return
    said = text
    log[level](text)
  }
  const release = (): void => {
    for (const waiter of waiters) waiter()
    waiters.clear()
  }
  const setOpen = (value: boolean): void => {
    open = value
    if (open) release()
  }
  const accept = (body: Buffer): boolean => {
    const parsed = parseOrders(parseJson(body))
    if (parsed === null) {
      say('error', fr.link.badConfiguration)
      return false
    }
    const { reply, skipped } = parsed
    if (skipped > 0) log.warn({ skipped }, fr.link.badConfiguration)
    verified = true
    failures = 0
    after = reply.after
    if (reply.state === 'pending' || reply.state === 'revoked') revision = ''
    else if (reply.configuration !== null) revision = reply.configuration.revision
    if (reply.state === 'revoked') say('error', fr.link.revoked)
    else if (reply.state === 'pending') say('warn', fr.link.pending)
    else say('info', fr.link.up)
    state = reply.state
    onReply(reply)
    setOpen(state === 'online' || state === 'offline')
    return true
  }
  /** How long to wait before the next call; 0 after a good answer. */
  const judge = (answer: SessionAnswer): number => {
    if (answer.kind === 'signed' && answer.status === 200 && accept(answer.body)) return 0
    setOpen(false)
    verified = false
    failures += 1
    const pause = backoffMs(failures, random())
    if (answer.kind === 'impostor') {
      say('error', fr.link.wrongKey)
      return retryAfterWithJitter(IMPOSTOR_RETRY_MS, random())
    }
    if (answer.kind === 'failed') {
      say('warn', answer.reason)
      return pause
    }
    say('warn', refusalText(answer))
    if (answer.status === 401 || answer.status === 403) return retryAfterWithJitter(REFUSED_RETRY_MS, random())
    return Math.max(pause, retryAfterWithJitter(answer.retryAfterMs ?? 0, random()))
  }
  const ask = async (signal: AbortSignal): Promise<number> => {
    const current = new AbortController()
    poll = current
    const path = `/api/Probe/Orders?after=${after}&revision=${encodeURIComponent(revision)}&sealKey=${encodeURIComponent(sealKey)}${verified ? '' : '&wait=0'}`
    const limitMs = verified ? ORDERS_WAIT_MS + CHECK_TIME_LIMIT_MS : CHECK_TIME_LIMIT_MS
    const startedMs = steadyMs()
    const [wasVerified, before] = [verified, `${after} ${revision} ${state}`]
    const answer = await session.call('GET', path, null, limitMs, AbortSignal.any([signal, current.signal]))
    poll = null
    if (signal.aborted) return 0
    // The poll was given up by `doubt`: its own end says nothing.
    if (current.signal.aborted) return backoffMs(1, random())
    const pauseMs = judge(answer)
    if (pauseMs === 0 && state === 'revoked') return REFUSED_RETRY_MS
    const isIdle = pauseMs === 0 && wasVerified && before === `${after} ${revision} ${state}`
    return isIdle ? Math.max(0, startedMs + IDLE_MS - steadyMs()) : pauseMs
  }
  return {
    isOpen: () => open,
    whenOpen: signal =>
      new Promise(resolve => {
        if (open || signal.aborted) resolve()
        else waiters.add(resolve)
      }),
    doubt: reason => {
      if (!open) return
      say('warn', reason)
      setOpen(false)
      verified = false
      poll?.abort()
    },
    run: async signal => {
      while (!signal.aborted) {
        const pauseMs = await ask(signal)
        if (pauseMs > 0) await sleeper.sleep(pauseMs, signal)
      }
      release()
    },
  }
}

const refusalText = (answer: Extract<SessionAnswer, { kind: 'signed' | 'unsigned' }>): string => {
  if (answer.status === 401 || answer.status === 403) {
    const isClock = answer.skewMs !== null && Math.abs(answer.skewMs) > SKEW_MS
    const words = answer.status === 401 ? fr.link.unauthorised : fr.link.forbidden
    return isClock ? `${words} — ${fr.link.clock(answer.skewMs)}` : words
  }
  return answer.kind === 'signed' ? sentenceOf(answer.status, answer.body) : fr.link.unsigned(answer.status)
}
