import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MaintenanceInput, type MaintenanceRunState, stepMaintenance, timeInSpans } from './maintenance.ts'

const PERIOD = { span: null, flexibleMs: null, problemMs: null, doneMs: null, plannedMs: 0 } satisfies MaintenanceInput
const at = (span: MaintenanceInput['span'], over: Partial<MaintenanceInput> = {}): MaintenanceInput => ({
  ...PERIOD,
  span,
  ...over,
})

describe('a maintenance', () => {
  it('starts once in its period and ends at its end, however often and irregularly it is looked at', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 10, max: 300 }),
        (waits, fromMs, lengthMs) => {
          const span = { fromMs, toMs: fromMs + lengthMs }
          let run: MaintenanceRunState | null = null
          let doneMs: number | null = null
          let nowMs = 0
          let started = 0
          for (const wait of waits) {
            nowMs += wait
            const inside = span.fromMs <= nowMs && nowMs < span.toMs
            const next = stepMaintenance(run, at(inside ? span : null, { doneMs }), nowMs)
            run = next.run
            for (const step of next.steps) {
              if (step.type === 'started') started += 1
              if (step.type === 'ended') {
                expect(step.endedMs).toBe(span.toMs)
                doneMs = step.run.occurrenceMs
              }
            }
            expect(run !== null).toBe(inside)
          }
          expect(started).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('that is flexible starts at the first problem alone and lasts its time, even beyond its period', () => {
    const span = { fromMs: 100, toMs: 200 }
    expect(stepMaintenance(null, at(span, { flexibleMs: 80 }), 150).run).toBeNull()
    const { run } = stepMaintenance(null, at(span, { flexibleMs: 80, problemMs: 160 }), 160)
    expect(run).toEqual({ occurrenceMs: 100, startedMs: 160, untilMs: 240 })
    expect(stepMaintenance(run, at(null, { flexibleMs: 80 }), 239).run).toEqual(run)
    const over = stepMaintenance(run, at(null, { flexibleMs: 80 }), 500)
    expect(over.steps).toEqual([{ type: 'ended', run, endedMs: 240 }])
    const again = at({ fromMs: 100, toMs: 900 }, { flexibleMs: 80, problemMs: 300, doneMs: 100 })
    expect(stepMaintenance(null, again, 300).run).toBeNull()
  })

  it('whose end is moved while it runs goes on to the new one; whose period is taken away ends now', () => {
    const { run } = stepMaintenance(null, at({ fromMs: 0, toMs: 100 }), 10)
    expect(stepMaintenance(run, at({ fromMs: 0, toMs: 500 }), 50)).toMatchObject({ run: { untilMs: 500 }, steps: [] })
    expect(stepMaintenance(run, at(null), 50).steps).toEqual([{ type: 'ended', run, endedMs: 50 }])
  })

  it('whose next period begins where it ends ends there, and the next one starts', () => {
    const { run } = stepMaintenance(null, at({ fromMs: 0, toMs: 100 }), 10)
    const { steps } = stepMaintenance(run, at({ fromMs: 100, toMs: 200 }), 105)
    expect(steps.map(step => [step.type, step.run.occurrenceMs])).toEqual([
      ['ended', 0],
      ['started', 100],
    ])
  })

  it('planned within its own period starts when it was planned, not before', () => {
    expect(stepMaintenance(null, at({ fromMs: 0, toMs: 100 }, { plannedMs: 40 }), 42).run?.startedMs).toBe(40)
  })

  it('time in spans is counted once where they overlap, and never beyond the period', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), span, (pairs, [from, length]) => {
        const spans = pairs.map(([fromMs, ms]) => ({ fromMs, toMs: fromMs + ms }))
        const period = { fromMs: from, toMs: from + length }
        let expected = 0
        for (let ms = period.fromMs; ms < period.toMs; ms += 1)
          if (spans.some(one => one.fromMs <= ms && ms < one.toMs)) expected += 1
        expect(timeInSpans(period, spans)).toBe(expected)
      }),
    )
  })
})
