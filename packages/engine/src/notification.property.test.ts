import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planGroup } from './notification-group.ts'
import type { IncidentView, Planned, RulePlan, Send, Thread } from './notification-thread.ts'
import { compareSeverity, type Severity, worst } from './severity.ts'

const SECOND = 1_000
const MINUTE = 60_000
const PLAN: Omit<RulePlan, 'open'> = {
  steps: [
    { afterMs: 0, untilMs: 20 * MINUTE, recipients: ['team', 'chat'] },
    { afterMs: 10 * MINUTE, untilMs: null, recipients: ['lead', 'chat'] },
    { afterMs: 30 * MINUTE, untilMs: 40 * MINUTE, recipients: ['boss'] },
  ],
  ...{ waitMs: 30 * SECOND, newsEveryMs: 5 * MINUTE, remindEveryMs: 60 * MINUTE, recovery: true, brief: false },
}

type Change =
  | { readonly kind: 'open' | 'severity'; readonly id: number; readonly severity: Severity }
  | { readonly kind: 'close' | 'acknowledge' | 'mute' | 'flap'; readonly id: number; readonly on: boolean }
  | { readonly kind: 'period'; readonly on: boolean }
const id = fc.integer({ min: 1, max: 4 })
const severity = fc.constantFrom<Severity>('error', 'warning', 'unknown')
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('open' as const), id, severity }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('severity' as const), id, severity }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('close' as const), id, on: fc.constant(true) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('acknowledge' as const, 'mute' as const, 'flap' as const),
      id,
      on: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('period' as const), on: fc.boolean() }) },
)
/** Each change lasts long enough for what it asks to come, or not. */
const moment = fc.record({ change, lastsS: fc.constantFrom(10, 40, 120, 400, 900, 4_000) })
const history = fc.array(moment, { minLength: 1, maxLength: 14 })
type Moment = { readonly change: Change; readonly lastsS: number }

interface Said extends Send {
  readonly thread: number
  readonly atMs: number
  readonly view: ReadonlyMap<number, IncidentView>
  readonly open: boolean
}

const changed = (views: Map<number, IncidentView>, one: Change, failingMs: number): void => {
  if (one.kind === 'period') return
  const view = views.get(one.id)
  if (one.kind === 'open') {
    if (view === undefined || view.closed) {
      const state = { closed: false, acknowledged: false, muted: false, flapping: false, failingMs }
      views.set(one.id, { id: one.id, severity: one.severity, ...state })
    }
    return
  }
  if (view === undefined || view.closed) return
  if (!('on' in one)) views.set(one.id, { ...view, severity: one.severity })
  else if (one.kind === 'close') views.set(one.id, { ...view, closed: true, flapping: false, severity: 'ok' })
  else if (one.kind === 'acknowledge') views.set(one.id, { ...view, acknowledged: one.on })
  else if (one.kind === 'mute') views.set(one.id, { ...view, muted: one.on })
  else views.set(one.id, { ...view, flapping: one.on })
}

/** Lives through a history, planning every `everyS`; each call reads what was kept as text, as after a restart. */
const live = (moments: readonly Moment[], everyS: number, plan: Omit<RulePlan, 'open'> = PLAN): Said[] => {
  const views = new Map<number, IncidentView>()
  const threads: { number: number; kept: string }[] = []
  const all: Said[] = []
  let made = 0
  let nowS = 1_000_000
  let open = true
  for (const { change: one, lastsS } of moments) {
    changed(views, one, nowS * SECOND)
    if (one.kind === 'period') open = one.on
    for (let t = 0; t < lastsS; t += everyS) {
      const atMs = (nowS + t) * SECOND
      const before: Thread[] = threads.map(({ kept }) => JSON.parse(kept))
      const planned: Planned[] = planGroup(before, [...views.values()], { ...plan, open }, atMs)
      for (const [index, { thread, sends }] of planned.entries()) {
        if (threads[index] === undefined && thread !== null) made += 1
        const number = threads[index]?.number ?? made
        all.push(...sends.map(send => ({ ...send, thread: number, atMs, view: new Map(views), open })))
        threads[index] = { number, kept: JSON.stringify(thread) }
      }
      threads.splice(0, threads.length, ...threads.filter(({ kept }) => kept !== 'null' && !JSON.parse(kept).ended))
    }
    nowS += lastsS
  }
  return all
}

const always = (check: (sent: readonly Said[], moments: readonly Moment[]) => void) =>
  fc.assert(
    fc.property(history, moments => check(live(moments, 10), moments)),
    { numRuns: 100 },
  )
const keys = (sends: readonly Said[]): string[] => sends.flatMap(({ recipients }) => recipients.map(({ key }) => key))
const byThread = (sent: readonly Said[]): Said[][] => [...Map.groupBy(sent, ({ thread }) => thread).values()]

describe('planning of notifications, in any history', () => {
  it('the end is told once, last, and to exactly those who were told of the problem', () => {
    always(sent => {
      for (const sends of byThread(sent)) {
        const told = new Set(keys(sends.filter(({ kind }) => kind === 'problem' || kind === 'flapping')))
        const ends = sends.filter(({ kind }) => kind === 'recovery')
        expect(ends.length).toBeLessThanOrEqual(1)
        if (ends.length === 0) continue
        expect(sends.at(-1)?.kind).toBe('recovery')
        expect(keys(ends).toSorted()).toEqual([...told].toSorted())
        expect(ends[0]?.incidents.length).toBeGreaterThan(0)
        expect(ends[0]?.incidents.filter(one => ends[0]?.view.get(one)?.closed === false)).toEqual([])
      }
    })
  })

  it('nobody gets news or reminders of what they were not told of, nor the same problem twice', () => {
    always(sent => {
      for (const sends of byThread(sent)) {
        const told = new Set<string>()
        for (const send of sends) {
          for (const { key } of send.recipients) {
            const isFirst = !told.has(key)
            if (send.kind === 'problem') expect(isFirst).toBe(true)
            if (send.kind === 'news' || send.kind === 'reminder' || send.kind === 'recovery')
              expect(isFirst).toBe(false)
            told.add(key)
          }
        }
        const numbers = sends.map(({ sequence }) => sequence)
        expect(numbers).toEqual(numbers.map((_, index) => index))
      }
    })
  })

  it('news come 5 min apart at least, but once for each degree that the whole gets worse by', () => {
    always(sent => {
      for (const sends of byThread(sent)) {
        let lastMs = sends[0]?.atMs ?? 0
        let before: Severity = 'ok'
        for (const [index, send] of sends.entries()) {
          if (send.kind === 'recovery' || (send.kind === 'problem' && index > 0)) continue
          const now = worst(send.incidents.map(one => send.view.get(one)?.severity ?? 'ok'))
          const isNews = index > 0 && send.kind !== 'reminder'
          if (isNews && compareSeverity(now, before) >= 0)
            expect(send.atMs - lastMs).toBeGreaterThanOrEqual(PLAN.newsEveryMs)
          if (compareSeverity(now, before) < 0) before = now
          lastMs = send.atMs
        }
      }
    })
  })

  it('a reminder follows the message before it by its interval at least, and only what nobody took care of', () => {
    always(sent => {
      for (const sends of byThread(sent)) {
        for (const [index, send] of sends.entries()) {
          if (send.kind !== 'reminder') continue
          const toSame = sends.slice(0, index).filter(({ kind }) => kind === 'reminder' || kind === 'news')
          expect(send.atMs - (toSame.at(-1)?.atMs ?? sends[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(60 * MINUTE)
          expect(send.incidents.some(one => send.view.get(one)?.acknowledged === false)).toBe(true)
        }
      }
    })
  })

  it('nothing is sent out of the period, and nothing tells what is muted', () => {
    always(sent => {
      for (const send of sent) {
        expect(send.open).toBe(true)
        if (send.kind === 'recovery') continue
        expect(send.incidents.filter(one => send.view.get(one)?.muted === true)).toEqual([])
      }
    })
  })

  it('what stays wrong and unmuted for longer than the wait and the time between news is told', () => {
    fc.assert(
      fc.property(history, id, severity, (moments, late, bad) => {
        const quiet = [
          ...(['close', 'mute', 'flap', 'acknowledge'] as const).map(kind => ({
            kind,
            id: late,
            on: kind === 'close',
          })),
          { kind: 'period' as const, on: true },
          { kind: 'open' as const, id: late, severity: bad },
        ]
        const whole = [
          ...moments,
          ...quiet.map((one, index) => ({ change: one, lastsS: index === quiet.length - 1 ? 400 : 10 })),
        ]
        expect(live(whole, 10).filter(({ incidents }) => incidents.includes(late)).length).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })

  it('it does not matter how often the planner is called: the same is told, to the cadence', () => {
    fc.assert(
      fc.property(history, moments => {
        const told = (sent: readonly Said[]) =>
          sent.map(({ kind, recipients, incidents, thread }) => ({ kind, recipients, incidents, thread }))
        const often = live(moments, 2)
        const seldom = live(moments, 10)
        expect(told(often)).toEqual(told(seldom))
        for (const [index, { atMs }] of often.entries())
          expect(Math.abs(atMs - (seldom[index]?.atMs ?? 0))).toBeLessThanOrEqual(10 * SECOND)
      }),
      { numRuns: 40 },
    )
  })

  /** One incident alone: what runs is about nothing else. */
  const alone = fc
    .array(
      fc.record({
        change: fc.oneof(
          fc.record({ kind: fc.constant('open' as const), id: fc.constant(1), severity }),
          fc.record({ kind: fc.constant('close' as const), id: fc.constant(1), on: fc.constant(true) }),
          fc.record({ kind: fc.constant('period' as const), on: fc.boolean() }),
        ),
        lastsS: fc.constantFrom(10, 40, 120, 400, 900, 4_000),
      }),
      { minLength: 3, maxLength: 14 },
    )
    .map(moments => [{ change: { kind: 'open' as const, id: 1, severity: 'error' as const }, lastsS: 60 }, ...moments])

  it('escalation and reminders of what came back count from its reopening, seen or not', () => {
    fc.assert(
      fc.property(alone, moments => {
        for (const send of live(moments, 10)) {
          const view = send.view.get(1)
          if (view === undefined || send.kind === 'recovery') continue
          expect(send.clockMs).toBeLessThanOrEqual(send.atMs - view.failingMs)
          if (send.kind === 'reminder') expect(send.atMs - view.failingMs).toBeGreaterThanOrEqual(60 * MINUTE)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('what came back is told since it did: as a problem, or to all who were told before that it is another failure', () => {
    fc.assert(
      fc.property(alone, moments => {
        const back = { kind: 'open' as const, id: 1, severity: 'error' as const }
        const whole = [
          ...[...moments, { change: back, lastsS: 10 }],
          { change: { kind: 'period' as const, on: true }, lastsS: 400 },
        ]
        let [nowS, failingMs, isOpen] = [1_000_000, 0, false]
        for (const { change: one, lastsS } of whole) {
          if (one.kind === 'open' && !isOpen) failingMs = nowS * SECOND
          if (one.kind !== 'period') isOpen = one.kind === 'open'
          nowS += lastsS
        }
        const sent = live(whole, 10)
        const [first, ...more] = sent.filter(({ atMs, kind }) => atMs >= failingMs && kind !== 'recovery')
        if (first?.kind === 'problem') return
        expect([first?.kind, first?.again, first?.clockMs]).toEqual(['news', [1], 0])
        const before = sent.filter(({ thread, sequence }) => thread === first?.thread && sequence < first.sequence)
        expect(new Set(first === undefined ? [] : keys([first]))).toEqual(new Set(keys(before)))
        expect(more.filter(({ again }) => again.length > 0)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
