import type { ResultsBody } from '@narval/contracts'
import fc from 'fast-check'

/** Hosts of a plan, each with two scanners, and checks of each scanner. */
export const HOSTS = 2
const STEPS = 10

export type Outcome = 'good' | 'slow' | 'slower' | 'failed'
export type Lane = ResultsBody['lane']
export interface Planned {
  /** Which of the fleet's scanners. */
  readonly scanner: number
  readonly step: number
  readonly outcome: Outcome
  /** It is delivered with the results of so many steps later. */
  readonly delay: number
  readonly lane: Lane
  /** It is delivered again so many steps after that, in a batch formed anew. */
  readonly again: number | null
  /** Places it among the results that are delivered at the same instant. */
  readonly place: number
}
/** What a probe measures, and how it gets to the server. */
export interface Plan {
  readonly results: readonly Planned[]
  /** Results a batch, in turn. */
  readonly cuts: readonly number[]
  /** After each batch: which one before it is sent again, counted back; null: none. 0: itself, at the same time. */
  readonly resends: readonly (number | null)[]
}

const mostly = <T>(usual: T, other: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
const outcome = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Outcome>('good') },
  { weight: 3, arbitrary: fc.constant<Outcome>('failed') },
  { weight: 1, arbitrary: fc.constantFrom<Outcome>('slow', 'slower') },
)
export const plans: fc.Arbitrary<Plan> = fc.record({
  results: fc
    .array(
      fc.record({
        outcome,
        delay: mostly(0, fc.integer({ min: 1, max: 6 })),
        lane: mostly<Lane>('live', fc.constant('backlog'), 12),
        again: mostly(null, fc.integer({ min: 0, max: 5 })),
        place: fc.nat(1_000),
      }),
      { minLength: STEPS * HOSTS * 2, maxLength: STEPS * HOSTS * 2 },
    )
    .map(all => all.map((one, n) => ({ ...one, scanner: n % (HOSTS * 2), step: Math.floor(n / (HOSTS * 2)) }))),
  cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 20 }),
  resends: fc.array(mostly(null, fc.nat(4), 3), { minLength: 1, maxLength: 20 }),
})

/** What arrives at each instant, in the order in which it is delivered. */
export const deliveries = ({ results }: Plan): Planned[][] => {
  const all = results.flatMap(one => [
    { one, instant: one.step + one.delay },
    ...(one.again === null
      ? []
      : [{ one: { ...one, place: 1_000 - one.place }, instant: one.step + one.delay + one.again }]),
  ])
  const byInstant = Map.groupBy(all, ({ instant }) => instant)
  const each = (instant: number) => (byInstant.get(instant) ?? []).map(({ one }) => one)
  const last = Math.max(...byInstant.keys())
  return Array.from({ length: last + 1 }, (_, instant) => each(instant).toSorted((a, b) => a.place - b.place))
}
