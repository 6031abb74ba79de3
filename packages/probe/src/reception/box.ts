import { type CheckEvent, EVENT_SOURCE_MAX, EVENT_TEXT_MAX, EVENTS_PER_RESULT } from '@narval/contracts'
import { harmless } from './harmless.ts'
import { type HeldState, heldAfter, heldValue } from './held-state.ts'
import { words } from './reception-words.ts'
import type { Verdict } from './rules.ts'
import type { TrapRefusal } from './trap-receiver.ts'

/** What one scanner has received since its last run, and the state that it is in. */
export interface Box {
  /** One message; true when its state changed, or what it says can't wait. */
  readonly note: (message: Noted, nowMs: number) => boolean
  readonly refuse: (why: TrapRefusal) => void
  readonly noteMalformed: () => void
  /** Values and messages since the last time, which then begin anew. */
  readonly drain: (dropped: number, nowMs: number) => Drained
  readonly held: () => HeldState
}

export interface Noted extends Verdict {
  readonly source: string
  readonly text: string
  readonly atMs: number
}

export interface Drained {
  readonly values: Readonly<Record<string, number>>
  readonly events: readonly CheckEvent[]
}

export interface BoxOptions {
  readonly rules: readonly { readonly name: string }[]
  readonly holdMinutes: number
  readonly held: HeldState
  /** Whether what was refused is a metric. */
  readonly countsRefused: boolean
  readonly source: string
}

/** One event is left for what has no room. */
const ROOM = EVENTS_PER_RESULT - 3

export const createBox = ({ rules, holdMinutes, held: initial, countsRefused, source }: BoxOptions): Box => {
  let held = initial
  let [messages, matched, malformed, unsaid] = [0, 0, 0, 0]
  let events: CheckEvent[] = []
  const byRule = new Map<string, number>()
  const refusals = new Map<TrapRefusal, number>()

  const put = (event: CheckEvent): void => {
    events.push(event)
    if (events.length <= ROOM) return
    // What is worse stays; among the same, what came last.
    const rank = (severity: CheckEvent['severity']) => events.findIndex(one => one.severity === severity)
    const least = [rank('ok'), rank('warning'), 0].find(index => index >= 0) ?? 0
    events.splice(least, 1)
    unsaid += 1
  }
  const notes = (nowMs: number): CheckEvent[] => {
    const note = (text: string): CheckEvent => ({ at: Math.round(nowMs), severity: 'warning', source, text })
    const [worst] = [...refusals].toSorted((a, b) => b[1] - a[1])
    const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0)
    return [
      ...(worst === undefined ? [] : [note(words.refusedTraps(refused, worst[0]))]),
      ...(malformed === 0 ? [] : [note(words.malformed(malformed))]),
      ...(unsaid === 0 ? [] : [note(words.more(unsaid))]),
    ]
  }
  return {
    held: () => held,
    note: ({ rules: followed, severity, source: sender, text, atMs }, nowMs) => {
      messages += 1
      if (severity === null) return false
      matched += 1
      for (const name of followed) byRule.set(name, (byRule.get(name) ?? 0) + 1)
      const before = heldValue(held, nowMs)
      held = heldAfter(held, severity, holdMinutes, nowMs)
      put({
        at: Math.round(atMs),
        severity,
        source: harmless(sender, EVENT_SOURCE_MAX),
        text: harmless(text, EVENT_TEXT_MAX),
      })
      return severity === 'error' || heldValue(held, nowMs) !== before
    },
    refuse: why => {
      refusals.set(why, (refusals.get(why) ?? 0) + 1)
    },
    noteMalformed: () => {
      malformed += 1
    },
    drain: (dropped, nowMs) => {
      const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0)
      const drained = {
        values: {
          state: heldValue(held, nowMs),
          messages,
          matched,
          dropped,
          ...(countsRefused ? { refused } : {}),
          ...Object.fromEntries(rules.map(({ name }) => [`rule[${name}]`, byRule.get(name) ?? 0])),
        },
        events: [...events, ...notes(nowMs)],
      }
      ;[messages, matched, malformed, unsaid] = [0, 0, 0, 0]
      events = []
      byRule.clear()
      refusals.clear()
      return drained
    },
  }
}
