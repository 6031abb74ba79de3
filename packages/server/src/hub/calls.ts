import type { Frame } from './frame.ts'
import { HUB_TIMES } from './hub-limits.ts'
import { type HubConnection, type HubMethod, REFUSED } from './hub-method.ts'
import { encodeFailure, encodeResult, type Invocation } from './message.ts'

/** Whom the calls come from, and where their outcome goes. */
export interface CallsOwner {
  readonly caller: HubConnection
  readonly methods: ReadonlyMap<string, HubMethod>
  readonly maxWaitingBytes: number
  readonly nowMs: () => number
  readonly answer: (frame: Frame) => void
  readonly report: (target: string, error: unknown) => void
}

/** Calls of one connection, done one after the other in the order in which they came. */
export interface CallQueue {
  readonly owner: CallsOwner
  readonly waiting: WaitingCall[]
  waitingBytes: number
  running: RunningCall | null
  closed: boolean
}

interface WaitingCall {
  readonly invocation: Invocation
  readonly bytes: number
}

interface RunningCall {
  readonly invocation: Invocation
  readonly sinceMs: number
}

const UNKNOWN_METHOD = 'Unknown method.'
const NOT_STREAMED = 'This hub streams no results.'
const CALL_REFUSED = 'The call was refused or failed.'

export const createCallQueue = (owner: CallsOwner): CallQueue => ({
  owner,
  waiting: [],
  waitingBytes: 0,
  running: null,
  closed: false,
})

/** Runs a call now, or after those that came before. False when too much is waiting already. */
export function admitCall(queue: CallQueue, invocation: Invocation, bytes: number): boolean {
  if (queue.waitingBytes + bytes > queue.owner.maxWaitingBytes) return false
  queue.waiting.push({ invocation, bytes })
  queue.waitingBytes += bytes
  runWaiting(queue)
  return true
}

/** Gives up a call that lasts over 10 s, so that those behind it are served. */
export function tickCalls(queue: CallQueue): void {
  const { running } = queue
  if (running === null || queue.owner.nowMs() - running.sinceMs < HUB_TIMES.callMs) return
  settle(queue, running, failed(new Error(`No answer within ${HUB_TIMES.callMs} ms`)))
  runWaiting(queue)
}

/** Forgets all calls: nothing is answered any more. */
export function closeCalls(queue: CallQueue): void {
  queue.closed = true
  queue.running = null
  queue.waiting.length = 0
}

function runWaiting(queue: CallQueue): void {
  while (queue.running === null && !queue.closed) {
    const next = queue.waiting.shift()
    if (next === undefined) return
    queue.waitingBytes -= next.bytes
    run(queue, next.invocation)
  }
}

function run(queue: CallQueue, invocation: Invocation): void {
  const { owner } = queue
  const method = owner.methods.get(invocation.target)
  if (method === undefined || invocation.streamed) {
    const reason = method === undefined ? UNKNOWN_METHOD : NOT_STREAMED
    if (invocation.invocationId !== null) owner.answer(encodeFailure(invocation.invocationId, reason))
    return
  }
  const call: RunningCall = { invocation, sinceMs: owner.nowMs() }
  queue.running = call
  const result = attempt(() => method(owner.caller, invocation.args))
  if (!('value' in result) || !(result.value instanceof Promise)) {
    settle(queue, call, result)
    return
  }
  const later = (outcome: Outcome) => {
    settle(queue, call, outcome)
    runWaiting(queue)
  }
  result.value.then(
    value => later({ value }),
    error => later(failed(error)),
  )
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

const failed = (error: unknown): Outcome => ({ error })

function attempt(work: () => unknown): Outcome {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** Answers a call once: what comes after its time limit, or after the connection, is ignored. */
function settle(queue: CallQueue, call: RunningCall, outcome: Outcome): void {
  if (queue.running !== call) return
  queue.running = null
  const answer = encodeOutcome(queue.owner, call.invocation, outcome)
  if (answer !== null) queue.owner.answer(answer)
}

function encodeOutcome(owner: CallsOwner, { target, invocationId }: Invocation, outcome: Outcome): Frame | null {
  const fail = (error: unknown) => {
    owner.report(target, error)
    return invocationId === null ? null : encodeFailure(invocationId, CALL_REFUSED)
  }
  if ('error' in outcome) return fail(outcome.error)
  if (invocationId === null) return null
  if (outcome.value === REFUSED) return encodeFailure(invocationId, CALL_REFUSED)
  try {
    return encodeResult(invocationId, outcome.value)
  } catch (error) {
    return fail(error)
  }
}
