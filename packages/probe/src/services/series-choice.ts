import { type ChosenSeries, type Matcher, parseSelector, type Selector, seriesKey } from '@narval/contracts'
import { RE2JS } from 're2js'
import type { Sample } from './openmetrics-text.ts'

/** Picks the chosen series out of all, one sample after the other, without keeping them. */
export interface SeriesChoice {
  readonly add: (sample: Sample) => void
  /** Values of what was found, by metric key. */
  readonly values: () => Record<string, number>
  /** For each choice how many series it met. */
  readonly found: () => readonly {
    readonly series: ChosenSeries
    readonly count: number
    readonly value: number | null
  }[]
}

/** A regular expression that can not be used. */
export class BadPattern extends Error {}

export const createSeriesChoice = (chosen: readonly ChosenSeries[]): SeriesChoice => {
  const picks = chosen.map(series => ({ series, matches: matcherOf(series.selector), tally: emptyTally() }))
  const found = () =>
    picks.map(({ series, tally }) => ({ series, count: tally.count, value: aggregate(series.aggregation, tally) }))
  return {
    add: sample => {
      for (const { matches, tally } of picks) if (matches(sample)) count(tally, sample.value)
    },
    values: () =>
      Object.fromEntries(
        found().flatMap(({ series, value }) => (value === null ? [] : [[seriesKey(series.name), value]])),
      ),
    found,
  }
}

const matcherOf = (text: string): ((sample: Sample) => boolean) => {
  const selector = parseSelector(text)
  if (selector === null) throw new BadPattern(text)
  const tests = selector.matchers.map(matcher => ({ label: matcher.label, test: testOf(matcher) }))
  return sample => isNamed(selector, sample) && tests.every(({ label, test }) => test(labelOf(sample, label)))
}

const isNamed = ({ name }: Selector, sample: Sample): boolean => name === null || sample.name === name
/** A label that is not there is empty; the name is one too. */
const labelOf = ({ name, labels }: Sample, label: string): string =>
  label === '__name__' ? name : (labels.get(label) ?? '')

/** Regular expressions match the whole, in linear time (RE2). */
const testOf = ({ operator, value }: Matcher): ((text: string) => boolean) => {
  if (operator === '=') return text => text === value
  if (operator === '!=') return text => text !== value
  const pattern = compile(value)
  return operator === '=~' ? text => pattern.matches(text) : text => !pattern.matches(text)
}

/** Steps beyond which an expression is refused: each costs time for each character. */
const MAX_STEPS = 1_000

const compile = (value: string): RE2JS => {
  try {
    const pattern = RE2JS.compile(value, RE2JS.DOTALL)
    if (pattern.programSize() <= MAX_STEPS) return pattern
  } catch {
    // Said below, like one that is too large.
  }
  throw new BadPattern(value)
}

interface Tally {
  /** Series met, and those whose value is a number that can be kept. */
  count: number
  finite: number
  sum: number
  min: number
  max: number
}
const emptyTally = (): Tally => ({ count: 0, finite: 0, sum: 0, min: Infinity, max: -Infinity })

const count = (tally: Tally, value: number): void => {
  tally.count += 1
  if (!Number.isFinite(value)) return
  tally.finite += 1
  tally.sum += value
  tally.min = Math.min(tally.min, value)
  tally.max = Math.max(tally.max, value)
}

/** Null: nothing to say. None at all counts as 0. */
const aggregate = (how: ChosenSeries['aggregation'], { count: all, finite, sum, min, max }: Tally): number | null => {
  if (how === 'count') return all
  if (finite === 0) return null
  const value = { sum, min, max, avg: sum / finite }[how]
  return Number.isFinite(value) ? value : null
}
