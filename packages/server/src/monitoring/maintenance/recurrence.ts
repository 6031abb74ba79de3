import {
  type MaintenanceSchedule,
  parseRecurrence,
  type Recurrence,
  type RecurrenceFault,
  recurrenceText,
  untilMs,
} from '@narval/contracts'
import { RRuleTemporal } from 'rrule-temporal'
import { instantOf, wallOf } from '../../store/wall-time.ts'

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The windows of a schedule, asked one by one: none is ever stored ahead. */
export interface Occurrences {
  /** The one that holds this instant. */
  at(ms: number): Span | null
  /** The first that starts after this instant. */
  after(ms: number): Span | null
  /** The last that starts at this instant or before. */
  before(ms: number): Span | null
  /** Those that touch this period, oldest first, `max` at most. */
  within(fromMs: number, toMs: number, max: number): Span[]
}

const MINUTE_MS = 60_000
/** Beyond this nothing is looked for: a rule that yields nothing in so many years is none. */
const HORIZON_MS = 10 * 366 * 86_400_000
/** Periods and candidates that one question may look at: some 100 ms for the worst rule that can be written. */
const MAX_PERIODS = 5_000
const MAX_CANDIDATES = 50_000
/** Occurrences whose distance is looked at when a rule is saved. */
const CHECKED = 100

export const createOccurrences = (schedule: MaintenanceSchedule): Occurrences => {
  if (schedule.kind === 'one-off') return once({ fromMs: Date.parse(schedule.from), toMs: Date.parse(schedule.to) })
  const rule = parseRecurrence(schedule.rrule)
  return 'fault' in rule ? NEVER : recurring(rule, schedule)
}

const NEVER: Occurrences = { at: () => null, after: () => null, before: () => null, within: () => [] }

const once = (span: Span): Occurrences => ({
  at: ms => (span.fromMs <= ms && ms < span.toMs ? span : null),
  after: ms => (span.fromMs > ms ? span : null),
  before: ms => (span.fromMs <= ms ? span : null),
  within: (fromMs, toMs) => (span.fromMs < toMs && span.toMs > fromMs ? [span] : []),
})

type Recurring = Extract<MaintenanceSchedule, { kind: 'recurring' }>

/**
 * By days and more, a rule runs on the clocks of its zone, each hour turned into its instant after: a window at 02:30 takes
 * place once in every night, at 03:30 where the clocks leave 02:30 out. By hours it runs on elapsed time.
 */
const recurring = (rule: Recurrence, { start, durationMinutes, timeZone }: Recurring): Occurrences => {
  const isElapsed = rule.frequency === 'HOURLY'
  const startWall = Date.parse(`${start}:00Z`)
  const toRule = (ms: number): number => (isElapsed ? ms : wallOf(ms, timeZone))
  const toInstant = (ruleMs: number): number => (isElapsed ? ruleMs : instantOf(ruleMs, timeZone))
  const first = isElapsed ? instantOf(startWall, timeZone) : startWall
  const engine = ruleOf(rule, first, toRule)
  const spanOf = (ruleMs: number): Span => {
    const fromMs = toInstant(ruleMs)
    return { fromMs, toMs: fromMs + durationMinutes * MINUTE_MS }
  }
  // An hour on the clocks may stand for two instants: what is found near the one asked is looked at again.
  const near = (ms: number): Span[] => {
    const at = toRule(ms)
    const before = previousOf(engine, at)
    const found = before === null ? null : previousOf(engine, before - 1)
    const next = nextOf(engine, at)
    return [found, before, next, next === null ? null : nextOf(engine, next)].flatMap(one =>
      one === null ? [] : spanOf(one),
    )
  }
  return {
    at: ms => near(ms).findLast(span => span.fromMs <= ms && ms < span.toMs) ?? null,
    after: ms => near(ms).find(span => span.fromMs > ms && span.fromMs <= ms + HORIZON_MS) ?? null,
    before: ms => near(ms).findLast(span => span.fromMs <= ms) ?? null,
    within: (fromMs, toMs, max) => {
      const spans: Span[] = []
      let from = toRule(fromMs - durationMinutes * MINUTE_MS) - 2 * 3_600_000
      while (spans.length < max) {
        const next = nextOf(engine, from)
        if (next === null) break
        const span = spanOf(next)
        if (span.fromMs >= toMs) break
        if (span.toMs > fromMs) spans.push(span)
        from = next
      }
      return spans
    },
  }
}

const ruleOf = (rule: Recurrence, firstMs: number, toRule: (ms: number) => number): RRuleTemporal => {
  const isDay = rule.until !== null && !rule.until.includes('T')
  const until = rule.until === null ? null : stampOf(isDay ? untilMs(rule.until) : toRule(untilMs(rule.until)))
  return new RRuleTemporal({
    rruleString: `DTSTART;TZID=UTC:${stampOf(firstMs).slice(0, -1)}\nRRULE:${recurrenceText({ ...rule, until })}`,
    ...{ maxIterations: MAX_PERIODS, maxCandidateEvaluations: MAX_CANDIDATES, cache: false },
  })
}

const stampOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

const nextOf = (engine: RRuleTemporal, afterMs: number): number | null =>
  bounded(() => engine.next(new Date(afterMs))?.epochMilliseconds ?? null)
const previousOf = (engine: RRuleTemporal, throughMs: number): number | null =>
  bounded(() => engine.previous(new Date(throughMs + 1))?.epochMilliseconds ?? null)

/** A rule that was looked at for long enough yields nothing. */
const bounded = (ask: () => number | null): number | null => {
  try {
    return ask()
  } catch (error) {
    if (error instanceof Error && /exceeded/i.test(error.message)) return null
    throw error
  }
}

/** 30 February would be read as 2 March. */
const isOnCalendar = (wall: string): boolean => {
  const ms = Date.parse(`${wall}:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(wall)
}

/** Why a schedule is refused, in a French sentence; null for one that holds. */
export const faultOfSchedule = (schedule: MaintenanceSchedule, maxMinutes: number): string | null => {
  if (schedule.kind === 'one-off') {
    const ms = Date.parse(schedule.to) - Date.parse(schedule.from)
    if (!(ms > 0)) return 'La fin doit suivre le début.'
    return ms > maxMinutes * MINUTE_MS ? `Une plage dure au plus ${maxMinutes / 1_440} jours.` : null
  }
  const rule: Recurrence | RecurrenceFault = parseRecurrence(schedule.rrule)
  if ('fault' in rule) return rule.fault
  if (!isOnCalendar(schedule.start)) return 'Le début de la récurrence n’existe pas.'
  const year = Number(schedule.start.slice(0, 4))
  if (year < 2000 || year > 2200) return 'Le début de la récurrence est hors de vue.'
  const occurrences = recurring(rule, schedule)
  const first = occurrences.after(Date.parse(`${schedule.start}:00Z`) - 2 * 86_400_000)
  if (first === null) return 'Cette récurrence ne donne aucune plage.'
  const spans = occurrences.within(first.fromMs, first.fromMs + HORIZON_MS, CHECKED)
  const overlaps = spans.some((span, index) => span.fromMs < (spans[index - 1]?.toMs ?? span.fromMs))
  return overlaps ? 'Une plage dure plus longtemps que ce qui la sépare de la suivante.' : null
}
