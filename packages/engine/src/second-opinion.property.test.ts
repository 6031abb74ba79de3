import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateMetric } from './metric-evaluation.ts'
import { initialMetricState, type MetricState } from './metric-state.ts'
import {
  isAboutToConfirm,
  isInDoubt,
  OPINION_FLOOR_MS,
  type Opinion,
  QUESTIONS_A_MINUTE,
  QUESTIONS_AT_ONCE,
  questionsToAsk,
  STORM_MS,
  secondProbes,
  weighOpinions,
} from './second-opinion.ts'
import { NO_THRESHOLDS } from './threshold.ts'

const NOW = 10_000_000
const PROBLEM = NOW - 40_000
const LIFE = { problemSinceMs: PROBLEM }
const opinion = (over: Partial<Opinion> = {}): Opinion => ({
  atMs: NOW - 30_000,
  problemMs: PROBLEM,
  verdict: 'answers',
  ...over,
})
const opinions = fc.array(
  fc.record({
    atMs: fc.integer({ min: NOW - 400_000, max: NOW + 100_000 }),
    problemMs: fc.constantFrom(PROBLEM, PROBLEM - 100_000),
    verdict: fc.constantFrom('answers' as const, 'fails' as const),
  }),
  { maxLength: 12 },
)
const weigh = (own: readonly Opinion[], others: readonly Opinion[] = [], nowMs = NOW) =>
  weighOpinions(own, others, LIFE, 60_000, nowMs).verdict

describe('an opinion', () => {
  it('that is recorded later changes nothing of what was judged before: a replay judges the same', () => {
    fc.assert(
      fc.property(opinions, opinions, fc.integer({ min: NOW - 100_000, max: NOW + 100_000 }), (own, others, nowMs) => {
        const known = ({ atMs }: Opinion) => atMs < nowMs
        expect(weigh(own, others, nowMs)).toBe(weigh(own.filter(known), others.filter(known), nowMs))
      }),
    )
  })

  it('of an earlier problem of the host says nothing of this one', () => {
    expect(weigh([opinion({ problemMs: PROBLEM - 1 })])).toBe('none')
  })

  it('that the host answers weighs for two intervals, one that it fails as long as the problem lasts', () => {
    const old = NOW - OPINION_FLOOR_MS
    expect(weigh([opinion({ atMs: old })])).toBe('link')
    expect(weigh([opinion({ atMs: old - 1 })])).toBe('none')
    expect(weigh([opinion({ atMs: old - 1, verdict: 'fails' })])).toBe('confirmed')
  })

  it('of its own wins over what was found of other hosts', () => {
    const others = [opinion(), opinion(), opinion()]
    expect(weigh([opinion({ verdict: 'fails' })], others)).toBe('confirmed')
    expect(weigh([opinion()], [opinion({ verdict: 'fails' })])).toBe('link')
  })

  it('of three other hosts of the probe that answer is followed; of two, of one that fails among them, or old: not', () => {
    const answers = opinion({ problemMs: 1 })
    expect(weigh([], [answers, answers, answers])).toBe('link')
    expect(weigh([], [answers, answers])).toBe('none')
    expect(weigh([], [answers, answers, answers, opinion({ problemMs: 1, verdict: 'fails' })])).toBe('none')
    const old = opinion({ problemMs: 1, atMs: NOW - STORM_MS - 1 })
    expect(weigh([], [old, answers, answers])).toBe('none')
  })

  it('never makes a failing host down that would not be down without it', () => {
    fc.assert(
      fc.property(opinions, opinions, (own, others) => {
        const { verdict, opinion: decisive } = weighOpinions(own, others, LIFE, 60_000, NOW)
        if (verdict === 'link') expect(decisive?.verdict).toBe('answers')
        if (verdict === 'confirmed') expect(own.some(one => one.verdict === 'fails')).toBe(true)
      }),
    )
  })
})

describe('a life test that fails', () => {
  const RULE = { thresholds: NO_THRESHOLDS, attempts: 3, noData: 'unknown', opensIncident: true } as const
  const ok = evaluateMetric(initialMetricState(0), { type: 'value', value: 1 }, RULE, 0).state
  const fail = (state: MetricState, nowMs: number, attempts = 3) =>
    evaluateMetric(state, { type: 'failed', message: 'refusé' }, { ...RULE, attempts }, nowMs).state
  const link = (state: MetricState, nowMs: number) =>
    evaluateMetric(state, { type: 'unknown', cause: 'probe-link' }, RULE, nowMs)

  it('is in doubt from its first failure to its confirmation', () => {
    const [first, second] = [fail(ok, 1), fail(fail(ok, 1), 2)]
    const third = fail(second, 3)
    expect([ok, first, second, third].map(isInDoubt)).toEqual([false, true, true, false])
    expect([ok, first, second, third].map(state => isAboutToConfirm(state, RULE))).toEqual([false, false, true, false])
  })

  it('is about to confirm exactly when one more failure confirms an error', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 8 }), (attempts, failures) => {
        let state = ok
        for (let index = 0; index < failures; index++) state = fail(state, index + 1, attempts)
        const after = fail(state, 100, attempts)
        const confirms = state.hardSeverity !== 'error' && after.hardSeverity === 'error'
        expect(isAboutToConfirm(state, { attempts })).toBe(confirms)
      }),
    )
  })

  it('is unknown at once by the link, opens no incident, stays in doubt, and takes three failures to be down after it', () => {
    const { state, events } = link(fail(fail(ok, 1), 2), 3)
    expect(state).toMatchObject({ kind: 'hard', hardSeverity: 'unknown', hardCause: 'probe-link', incident: null })
    expect(events.map(({ type }) => type)).toEqual(['hard-changed'])
    expect([isInDoubt(state), isAboutToConfirm(state, RULE)]).toEqual([true, true])
    const [first, second] = [fail(state, 4), fail(fail(state, 4), 5)]
    const third = fail(second, 6)
    expect([first, second, third].map(({ hardSeverity }) => hardSeverity)).toEqual(['unknown', 'unknown', 'error'])
    expect(third.incident).toBe('error')
  })

  it('keeps the beginning of its problem while the link is blamed: the opinion stays that of this problem', () => {
    const first = fail(ok, 1)
    expect(link(link(fail(first, 2), 3).state, 60_003).state.problemSinceMs).toBe(first.problemSinceMs)
  })
})

describe('questions about hosts', () => {
  const candidates = fc.uniqueArray(
    fc.record({ host: fc.integer({ min: 1, max: 600 }), askedMs: fc.integer({ min: 0, max: NOW }) }),
    { maxLength: 500, selector: ({ host }) => host },
  )
  it('whatever the storm, five are under way at once and ten asked in a minute', () => {
    const asked = fc.array(fc.integer({ min: NOW - 90_000, max: NOW }), { maxLength: 20 })
    fc.assert(
      fc.property(candidates, asked, fc.integer({ min: 0, max: 8 }), (hosts, times, underWay) => {
        const chosen = questionsToAsk(hosts, times, underWay, NOW)
        const lately = times.filter(atMs => atMs > NOW - 60_000).length
        if (chosen.length > 0) expect(chosen.length + underWay).toBeLessThanOrEqual(QUESTIONS_AT_ONCE)
        if (chosen.length > 0) expect(chosen.length + lately).toBeLessThanOrEqual(QUESTIONS_A_MINUTE)
        expect(new Set(chosen).size).toBe(chosen.length)
      }),
    )
  })

  it('go to the hosts not asked about for longest', () => {
    const hosts = [9, 8, 7, 6, 5, 4, 3].map(host => ({ host, askedMs: host * 10 }))
    expect(questionsToAsk(hosts, [], 0, NOW)).toEqual([3, 4, 5, 6, 7])
  })
})

describe('who is asked', () => {
  const online = [
    { probe: 1, site: 10 },
    { probe: 2, site: 20 },
    { probe: 3, site: 10 },
    { probe: 4, site: 1 },
    { probe: 5, site: null },
  ]
  it('members of the group first, then probes of the site, then of those above', () => {
    expect(secondProbes(1, { group: [2, 6], sites: [10, 1], online })).toEqual([2, 3, 4])
  })

  it('never the probe that failed, one that is silent, or one that stands elsewhere or nowhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 })),
        fc.array(fc.constantFrom(1, 10, 20), { maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        (group, sites, failed) => {
          for (const probe of secondProbes(failed, { group, sites, online })) {
            expect(probe).not.toBe(failed)
            const stands = online.find(one => one.probe === probe)
            expect(stands).toBeDefined()
            expect(group.includes(probe) || sites.some(site => site === stands?.site)).toBe(true)
          }
        },
      ),
    )
  })
})
