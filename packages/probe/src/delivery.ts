import type { ProbeHealth } from '@narval/contracts'
import { backoffMs, retryAfterWithJitter, type Sleeper } from './backoff.ts'
import { fr } from './fr.ts'
import { frInstall } from './fr-install.ts'
import type { Link } from './link.ts'
import { type Log, sayRarely } from './log.ts'
import { type Session, type SessionAnswer, sentenceOf } from './session.ts'
import type { FormedBatch, Lane } from './spool.ts'
import type { SpoolQueue } from './spool-queue.ts'

/**
 * Brings the spool's batches to the server, one at a time in each lane, in order, at least once. A batch leaves the spool
 * when the server has committed it, or, when it will never be accepted, for the quarantine (R13); anything else is tried
 * again for ever.
 */
export interface Delivery {
  /** Ends when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface DeliveryOptions {
  readonly queue: SpoolQueue
  readonly link: Link
  readonly session: Session
  readonly sleeper: Sleeper
  readonly random: () => number
  readonly steadyMs: () => number
  readonly wallMs: () => number
  readonly health: () => ProbeHealth
  readonly log: Log
}

const POST_TIME_LIMIT_MS = 30_000
/** Health goes with a batch of the live lane this often, and alone when there is no batch. */
const HEALTH_MS = 10_000
/** What has grown too old for the live lane is looked for at this pace. */
const BACKLOG_LOOK_MS = 1_000
/** Statuses of a batch that can't be read: sending it again can't help. */
const POISON: ReadonlySet<number> = new Set([400, 413, 422])
/** A refusal without signature may come from a proxy: it is believed after this many in a row, each on a proved link. */
const UNSIGNED_POISON = 5

export const createDelivery = (options: DeliveryOptions): Delivery => ({
  run: async signal => {
    await Promise.all([runLane('live', options, signal), runLane('backlog', options, signal)])
  },
})

const runLane = async (lane: Lane, options: DeliveryOptions, signal: AbortSignal): Promise<void> => {
  const { queue, link, sleeper, random } = options
  const appended = createSignal()
  if (lane === 'live') queue.onAppended(appended.raise)
  signal.addEventListener('abort', appended.raise, { once: true })
  const healthIsDue = healthClock(options)
  const watchClock = clockWatch(options)
  let failures = 0
  let refusals = 0
  for (;;) {
    await link.whenOpen(signal)
    if (signal.aborted) return
    const withHealth = lane === 'live' && healthIsDue.look()
    const batch = await queue.take(lane, withHealth)
    if (batch === null) {
      if (lane === 'live') await Promise.race([appended.wait(), sleeper.sleep(BACKLOG_LOOK_MS, signal)])
      else await sleeper.sleep(BACKLOG_LOOK_MS, signal)
      continue
    }
    // The link may have closed while the disk was awaited: the batch stays formed, and is taken again.
    if (!link.isOpen()) continue
    const answer = await post(batch, withHealth, options, signal)
    if (signal.aborted && answer.kind === 'failed') return
    if (answer.kind === 'signed') watchClock(answer.skewMs)
    const verdict = judge(answer, refusals)
    refusals = verdict === 'doubt' && answer.kind === 'unsigned' && POISON.has(answer.status) ? refusals + 1 : 0
    if (verdict === 'done' || verdict === 'poison') {
      failures = 0
      if (withHealth) healthIsDue.sent()
      // Not awaited: it shares the transaction of the next `take`.
      settle(verdict, batch, answer, options)
      continue
    }
    failures += 1
    if (verdict === 'doubt') link.doubt(reasonOf(answer))
    await sleeper.sleep(pauseMs(answer, failures, random), signal)
  }
}

/** A condition that is remembered until somebody waits for it. */
const createSignal = () => {
  let raised = false
  let wake: (() => void) | null = null
  return {
    raise: (): void => {
      raised = true
      wake?.()
    },
    wait: async (): Promise<void> => {
      if (!raised)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      wake = null
      raised = false
    },
  }
}

const healthClock = ({ steadyMs }: DeliveryOptions) => {
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    look: (): boolean => steadyMs() - lastMs >= HEALTH_MS,
    sent: (): void => {
      lastMs = steadyMs()
    },
  }
}

/** Clocks further apart than this are a matter for people long before the server refuses what we say (R25). */
const SKEW_MS = 30_000
const SKEW_SAID_MS = 3_600_000

const clockWatch = ({ steadyMs, log }: DeliveryOptions): ((skewMs: number | null) => void) => {
  let skew = 0
  const say = sayRarely(SKEW_SAID_MS, steadyMs, () => log.warn({ skewMs: skew }, frInstall.start.skew(skew)))
  return skewMs => {
    if (skewMs === null || Math.abs(skewMs) < SKEW_MS) return
    skew = Math.round(skewMs)
    say()
  }
}

const post = (
  batch: FormedBatch,
  withHealth: boolean,
  { session, wallMs, health }: DeliveryOptions,
  signal: AbortSignal,
): Promise<SessionAnswer> => {
  const head = JSON.stringify({
    bootId: batch.boot,
    lane: batch.lane,
    sequence: batch.sequence,
    sentAt: Math.round(wallMs()),
    ...(withHealth ? { health: health() } : {}),
  })
  // The results are already JSON, and stay the same bytes at each sending.
  const body = `${head.slice(0, -1)},"results":${batch.results}}`
  return session.call('POST', '/api/Probe/Results', body, POST_TIME_LIMIT_MS, signal)
}

/** `retry`: the server is there but can't now. `doubt`: it must prove itself first. */
type Verdict = 'done' | 'poison' | 'retry' | 'doubt'

const judge = (answer: SessionAnswer, refusals: number): Verdict => {
  if (answer.kind === 'failed' || answer.kind === 'impostor') return 'doubt'
  const isPoison = POISON.has(answer.status)
  if (answer.kind === 'unsigned') return isPoison && refusals + 1 >= UNSIGNED_POISON ? 'poison' : 'doubt'
  if (answer.status >= 200 && answer.status < 300) return 'done'
  if (isPoison) return 'poison'
  return answer.status === 401 || answer.status === 403 ? 'doubt' : 'retry'
}

const settle = (
  verdict: 'done' | 'poison',
  batch: FormedBatch,
  answer: SessionAnswer,
  options: DeliveryOptions,
): void => {
  const { queue, log } = options
  if (verdict === 'done') {
    queue.acknowledge(batch).catch(ignoreBroken)
    return
  }
  const status = 'status' in answer ? answer.status : 0
  const reason = reasonOf(answer)
  const { boot, lane, sequence, count } = batch
  log.error({ boot, lane, sequence, count, status, reason }, fr.link.quarantined)
  queue.quarantine(batch, status, reason).catch(ignoreBroken)
}

/** A spool that can't be written stops the probe by itself (R04). */
const ignoreBroken = (): void => undefined

const reasonOf = (answer: SessionAnswer): string => {
  switch (answer.kind) {
    case 'failed':
      return answer.reason
    case 'impostor':
      return fr.link.wrongKey
    case 'signed':
      return sentenceOf(answer.status, answer.body)
    case 'unsigned':
      return fr.link.unsigned(answer.status)
  }
}

const pauseMs = (answer: SessionAnswer, failures: number, random: () => number): number => {
  const asked = 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
  return Math.max(backoffMs(failures, random()), retryAfterWithJitter(asked, random()))
}
