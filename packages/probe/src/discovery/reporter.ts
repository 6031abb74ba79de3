import {
  type AnswerBody,
  type DiscoveredAddress,
  type DiscoveredPart,
  PART_EVERY_MS,
  PART_MAX_BYTES,
  PART_MAX_FOUND,
} from '@narval/contracts'
import { backoffMs } from '../backoff.ts'
import type { Clock } from '../clock.ts'

/** What became of an answer: `gone` when the server does not want it, `later` when it may be sent again. */
export type Sent = 'taken' | 'gone' | 'later'
export type SendAnswer = (body: AnswerBody) => Promise<Sent>

/** Tells the server of a discovery, part by part, each until it is taken. */
export interface Reporter {
  /** Settles at once, or when what waits is few enough again: the discovery goes no faster than it is told. */
  readonly found: (one: DiscoveredAddress) => Promise<void>
  readonly progressed: () => void
  /** Sends what is left and the end; settles when the server has it, or when it is past helping. */
  readonly end: (failure: DiscoveredPart['failure'], notes: readonly string[]) => Promise<void>
}

export interface ReporterOptions {
  readonly order: string
  readonly gateway: string | null
  readonly clock: Clock
  readonly send: SendAnswer
  readonly random: () => number
  /** The server does not want more, or was away for too long: nothing is sent any more. */
  readonly onLost: () => void
}

/** Findings that wait to be sent; beyond that the discovery waits. */
const MAX_WAITING = 500
/** A server that is away longer has given the run up. */
const GIVE_UP_MS = 60_000
const RETRY_CAP_MS = 5_000

export const createReporter = (options: ReporterOptions): Reporter => {
  const { order, gateway, clock, send, onLost } = options
  const waiting: DiscoveredAddress[] = []
  const room: (() => void)[] = []
  let [part, done] = [0, 0]
  let ending: { failure: DiscoveredPart['failure']; notes: readonly string[] } | null = null
  let lost = false
  let wake: () => void = () => undefined

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const cancel = clock.after(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  const take = (): DiscoveredAddress[] => {
    const taken: DiscoveredAddress[] = []
    let bytes = 0
    for (const one of waiting) {
      bytes += Buffer.byteLength(JSON.stringify(one))
      if (taken.length === PART_MAX_FOUND || (taken.length > 0 && bytes > PART_MAX_BYTES)) break
      taken.push(one)
    }
    waiting.splice(0, taken.length)
    if (waiting.length < MAX_WAITING) for (const go of room.splice(0)) go()
    return taken
  }
  const deliver = async (outcome: DiscoveredPart): Promise<boolean> => {
    const startedMs = clock.steadyMs()
    for (let failures = 1; ; failures += 1) {
      const sent = await send({ order, outcome })
      if (sent === 'taken') return true
      if (sent === 'gone' || clock.steadyMs() - startedMs > GIVE_UP_MS) return false
      await new Promise<void>(resolve =>
        clock.after(Math.min(RETRY_CAP_MS, backoffMs(failures, options.random())), resolve),
      )
    }
  }
  const run = async (): Promise<void> => {
    for (;;) {
      if (ending === null && waiting.length < PART_MAX_FOUND) await pause(PART_EVERY_MS)
      const found = take()
      const last = ending !== null && waiting.length === 0
      part += 1
      const outcome: DiscoveredPart = {
        ...{ kind: 'discovered', part, last, done, found, gateway },
        failure: last ? (ending?.failure ?? null) : null,
        notes: last ? [...(ending?.notes ?? [])].slice(0, 10) : [],
      }
      if (!(await deliver(outcome))) {
        lost = true
        waiting.length = 0
        for (const go of room.splice(0)) go()
        onLost()
        return
      }
      if (last) return
    }
  }
  const running = run()
  return {
    found: async one => {
      if (lost) return
      waiting.push(one)
      if (waiting.length >= PART_MAX_FOUND) wake()
      if (waiting.length >= MAX_WAITING) await new Promise<void>(resolve => room.push(resolve))
    },
    progressed: () => {
      done += 1
    },
    end: (failure, notes) => {
      ending ??= { failure, notes }
      wake()
      return running
    },
  }
}
