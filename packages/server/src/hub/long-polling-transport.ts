import type { ServerResponse } from 'node:http'
import { HUB_TIMES } from './hub-limits.ts'
import type { LongPollingTransport } from './transport.ts'

interface Poll {
  readonly response: ServerResponse
  readonly headers: Readonly<Record<string, string>>
  readonly sinceMs: number
}

interface State {
  queue: Buffer[]
  queuedBytes: number
  waiting: Poll | null
  /** When the last poll was answered or lost. */
  idleSinceMs: number
  nowMs: number
  phase: 'new' | 'open' | 'ending' | 'over'
  readonly onEnd: () => void
}

/** Messages wait in a queue until a poll takes all of them. What the client sends comes by POST. */
export function openLongPollingTransport(nowMs: number, onEnd: () => void): LongPollingTransport {
  const state: State = { queue: [], queuedBytes: 0, waiting: null, idleSinceMs: nowMs, nowMs, phase: 'new', onEnd }
  return {
    kind: 'longPolling',
    send(frame) {
      if (state.phase === 'ending' || state.phase === 'over') return
      enqueue(state, frame.record)
    },
    backlogBytes: () => state.queuedBytes,
    end() {
      if (state.phase === 'over') return
      state.phase = 'ending'
      if (state.waiting !== null) finish(state)
    },
    drop: () => finish(state),
    tick(now) {
      state.nowMs = now
      tick(state)
    },
    poll(response, headers, now) {
      state.nowMs = now
      takePoll(state, { response, headers, sinceMs: now })
    },
  }
}

function takePoll(state: State, poll: Poll): void {
  if (state.waiting !== null) answerWaiting(state, 204)
  if (state.phase === 'new') {
    state.phase = 'open'
    answer(state, poll, 200)
  } else if (state.queue.length > 0) {
    deliver(state, poll)
  } else if (state.phase === 'open') {
    wait(state, poll)
  } else {
    answer(state, poll, 204)
    finish(state)
  }
}

function wait(state: State, poll: Poll): void {
  state.waiting = poll
  poll.response.on('close', () => {
    if (state.waiting !== poll) return
    state.waiting = null
    state.idleSinceMs = state.nowMs
  })
}

function enqueue(state: State, record: Buffer): void {
  state.queue.push(record)
  state.queuedBytes += record.length
  if (state.waiting === null) return
  const poll = state.waiting
  state.waiting = null
  deliver(state, poll)
}

/** Sends all that is queued; what a lost poll did not take goes back to the front. */
function deliver(state: State, poll: Poll): void {
  const body = Buffer.concat(state.queue)
  state.queue = []
  state.queuedBytes = 0
  poll.response.on('close', () => {
    if (poll.response.writableFinished || state.phase === 'over') return
    state.queue.unshift(body)
    state.queuedBytes += body.length
  })
  answer(state, poll, 200, body)
}

function tick(state: State): void {
  if (state.waiting === null) {
    if (state.nowMs - state.idleSinceMs >= HUB_TIMES.pollGapMs) finish(state)
  } else if (state.nowMs - state.waiting.sinceMs >= HUB_TIMES.pollWaitMs) answerWaiting(state, 200)
}

function finish(state: State): void {
  if (state.phase === 'over') return
  state.phase = 'over'
  if (state.waiting !== null) answerWaiting(state, 204)
  state.queue = []
  state.queuedBytes = 0
  state.onEnd()
}

function answerWaiting(state: State, status: 200 | 204): void {
  const poll = state.waiting
  state.waiting = null
  if (poll !== null) answer(state, poll, status)
}

function answer(state: State, poll: Poll, status: 200 | 204, body: Buffer = Buffer.alloc(0)): void {
  state.idleSinceMs = state.nowMs
  poll.response.on('error', () => poll.response.destroy())
  const length =
    status === 204 ? {} : { 'content-length': String(body.length), 'content-type': 'text/plain; charset=utf-8' }
  poll.response.writeHead(status, { ...poll.headers, 'cache-control': 'no-store', ...length })
  poll.response.end(body)
}
