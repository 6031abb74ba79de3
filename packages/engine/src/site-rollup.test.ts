import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOST_STATES } from './host-state.ts'
import { addTally, EMPTY_TALLY, removeTally, tallyMetric } from './metric-tally.ts'
import { SEVERITIES, worst } from './severity.ts'
import { EMPTY_HOST_TALLY, siteSeverity, sumHostTallies, type TalliedHost, tallyHost } from './site-rollup.ts'

const severity = fc.constantFrom(...SEVERITIES)
const tally = fc
  .array(fc.record({ hardSeverity: severity, kind: fc.constantFrom('soft' as const, 'hard' as const) }), {
    maxLength: 6,
  })
  .map(metrics => metrics.reduce((sum, metric) => tallyMetric(sum, null, metric), EMPTY_TALLY))
const host: fc.Arbitrary<TalliedHost> = fc.record({ state: fc.constantFrom(...HOST_STATES), severity, tally })
/** Changes by host number: null removes it. */
const changes = fc.array(fc.tuple(fc.nat(7), fc.option(host)), { maxLength: 60 })

const recount = (hosts: Iterable<TalliedHost>) =>
  [...hosts].reduce((sum, one) => tallyHost(sum, null, one), EMPTY_HOST_TALLY)

describe('site roll-up', () => {
  it('kept change by change it is what a recount gives, in any order', () => {
    fc.assert(
      fc.property(changes, list => {
        const hosts = new Map<number, TalliedHost>()
        let kept = EMPTY_HOST_TALLY
        for (const [id, after] of list) {
          kept = tallyHost(kept, hosts.get(id) ?? null, after)
          if (after === null) hosts.delete(id)
          else hosts.set(id, after)
        }
        expect(kept).toEqual(recount([...hosts.values()].reverse()))
      }),
    )
  })

  it('a site is as bad as the worst of its monitored hosts, and ok without any', () => {
    expect(siteSeverity(EMPTY_HOST_TALLY)).toBe('ok')
    fc.assert(
      fc.property(fc.array(host), hosts => {
        const monitored = hosts.filter(one => one.state !== 'disabled')
        expect(siteSeverity(recount(hosts))).toBe(worst(monitored.map(one => one.severity)))
      }),
    )
  })

  it('disabled hosts are counted as such and nowhere else', () => {
    const tally = tallyMetric(EMPTY_TALLY, null, { hardSeverity: 'error', kind: 'hard' })
    const sum = recount([{ state: 'disabled', severity: 'error', tally }])
    expect(sum).toEqual({ ...EMPTY_HOST_TALLY, states: { ...EMPTY_HOST_TALLY.states, disabled: 1 } })
  })

  it('sites together count as their hosts together', () => {
    fc.assert(
      fc.property(fc.array(host), fc.array(host), (left, right) => {
        expect(sumHostTallies(recount(left), recount(right))).toEqual(recount([...left, ...right]))
      }),
    )
  })

  it('a change that changes no count gives the same object back', () => {
    fc.assert(
      fc.property(fc.array(host), host, (others, one) => {
        const sum = recount([...others, one])
        expect(tallyHost(sum, one, one)).toBe(sum)
        expect(tallyHost(sum, one, { ...one })).toBe(sum)
      }),
    )
  })

  it('what was never counted cannot be removed', () => {
    const one: TalliedHost = { state: 'down', severity: 'error', tally: EMPTY_TALLY }
    expect(() => tallyHost(EMPTY_HOST_TALLY, one, null)).toThrow(RangeError)
    expect(() => tallyHost(EMPTY_HOST_TALLY, { ...one, state: 'disabled' }, null)).toThrow(RangeError)
    const soft = tallyMetric(EMPTY_TALLY, null, { hardSeverity: 'ok', kind: 'soft' })
    expect(() => removeTally(EMPTY_TALLY, soft)).toThrow(RangeError)
    expect(removeTally(addTally(soft, soft), soft)).toEqual(soft)
  })
})
