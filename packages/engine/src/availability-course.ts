import type { MaintenanceSpan } from './maintenance.ts'

/** What a probe told afterwards of a time of which nothing was known. */
export interface LateSpan extends MaintenanceSpan {
  readonly good: boolean
  /** Of a bad one: when its failures were enough to be believed; null: they never were. Left out: from its beginning. */
  readonly confirmedMs?: number | null
}
export interface MaintenanceTime extends MaintenanceSpan {
  readonly id: number
}

/** All that is known of something in a period; epoch ms, spans in any order, overlapping or not, inside or not. */
export interface Course<Change extends { readonly atMs: number }> {
  readonly period: MaintenanceSpan
  /** Not monitored before: when it was created. */
  readonly sinceMs: number
  /** The last one before the period too: it holds at its beginning. */
  readonly changes: readonly Change[]
  /** When the server did not run: nothing was judged. */
  readonly stopped: readonly MaintenanceSpan[]
  readonly late: readonly LateSpan[]
  readonly maintenances: readonly MaintenanceTime[]
  /** When it is to work; null: at any time. */
  readonly service: readonly MaintenanceSpan[] | null
}

/** How a state came to be known: as it happened, told afterwards, or not at all as the server did not run or kept nothing. */
export type StateSource = 'live' | 'late' | 'stopped' | 'none'

/** What is made of a moment before its own state is looked at. */
export type SetAside = 'not-monitored' | 'out-of-service' | 'maintenance'

/** A stretch of a period that counts as one thing. */
export interface Stretch<Reason extends string, Known> extends MaintenanceSpan {
  readonly reason: Reason | SetAside
  readonly known: Known
  /** Those that covered it, ignored ones too, by id. */
  readonly maintenances: readonly number[]
}

type Meaning = 'disabled' | 'unknown' | 'bad' | 'good' | 'other'

/** The states of one kind of thing, and what they mean. `Known` is what is known at a moment. */
export interface Kind<Change, Known, Reason extends string> {
  readonly live: (change: Change) => Known
  readonly none: Known
  readonly stopped: Known
  readonly lateGood: Known
  readonly lateBad: Known
  /** Told afterwards, and not believed yet: nothing is known. */
  readonly lateUnknown: Known
  readonly meaning: (known: Known) => Meaning
  readonly reasonOf: (known: Known) => Reason
  readonly isSame: (a: Known, b: Known) => boolean
}

/**
 * Cuts a period into what each of its moments counts as: in order, without holes or overlaps, neighbours different. What is
 * known of before the period is gone through as well: what came late may go on from it.
 */
export const cutCourse = <Change extends { readonly atMs: number }, Known, Reason extends string>(
  course: Course<Change>,
  kind: Kind<Change, Known, Reason>,
  ignoreMaintenance: boolean,
): Stretch<Reason, Known>[] => {
  const { period, sinceMs, service } = course
  const knownAt = knownReader(course, kind)
  const maintenanceAt = coverReader(course.maintenances)
  const serviceAt = service === null ? null : coverReader(service)
  const stretches: Stretch<Reason, Known>[] = []
  const cuts = cutsOf(course)
  for (const [index, fromMs] of cuts.entries()) {
    const known = knownAt(fromMs)
    if (fromMs < period.fromMs) continue
    const maintenances = idsOf(maintenanceAt(fromMs))
    const isClosed = serviceAt !== null && serviceAt(fromMs).length === 0
    const reason =
      fromMs < sinceMs || kind.meaning(known) === 'disabled'
        ? 'not-monitored'
        : isClosed
          ? 'out-of-service'
          : !ignoreMaintenance && maintenances.length > 0
            ? 'maintenance'
            : kind.reasonOf(known)
    addStretch(stretches, { fromMs, toMs: cuts[index + 1] ?? period.toMs, reason, known, maintenances }, kind.isSame)
  }
  return stretches
}

/** Every moment at which something begins or ends, the beginning of the period and what is known of before it too. */
const cutsOf = <Change extends { readonly atMs: number }>(course: Course<Change>): number[] => {
  const { period, sinceMs, changes, stopped, late, maintenances, service } = course
  if (period.toMs <= period.fromMs) return []
  const cuts = [period.fromMs]
  const addBefore = (ms: number): void => {
    if (ms < period.toMs) cuts.push(ms)
  }
  const add = (ms: number): void => {
    if (ms > period.fromMs) addBefore(ms)
  }
  add(sinceMs)
  for (const { atMs } of changes) addBefore(atMs)
  for (const { fromMs, toMs, confirmedMs } of late) {
    addBefore(fromMs)
    addBefore(toMs)
    if (confirmedMs != null) addBefore(confirmedMs)
  }
  for (const spans of [stopped, maintenances, service ?? []]) {
    for (const { fromMs, toMs } of spans) {
      add(fromMs)
      add(toMs)
    }
  }
  cuts.sort((a, b) => a - b)
  return cuts.filter((cut, index) => cut !== cuts[index - 1])
}

/** Tells what is known at moments asked in order; what came late fills what is unknown, and overrides nothing. */
const knownReader = <Change extends { readonly atMs: number }, Known, Reason extends string>(
  { changes, stopped, late }: Course<Change>,
  kind: Kind<Change, Known, Reason>,
): ((atMs: number) => Known) => {
  const { live, meaning } = kind
  const sorted = changes.toSorted((a, b) => a.atMs - b.atMs)
  const stoppedAt = coverReader(stopped)
  const lateAt = coverReader(late)
  const lateReader = unknownReader(kind)
  let next = 0
  let told = kind.none
  return atMs => {
    for (let change = sorted[next]; change !== undefined && change.atMs <= atMs; change = sorted[next]) {
      told = live(change)
      next += 1
    }
    const isStopped = stoppedAt(atMs).length > 0
    const spans = lateAt(atMs)
    const isDisabled = meaning(told) === 'disabled'
    return lateReader(isStopped && !isDisabled ? kind.stopped : told, spans, atMs)
  }
}

/**
 * As a run that is judged when it comes: bad from the last of its attempts on, and until then what it was. After a silence
 * nothing is known until then, except that what was bad before it still is.
 */
const unknownReader = <Change, Known, Reason extends string>(kind: Kind<Change, Known, Reason>) => {
  const { meaning, lateGood, lateBad, lateUnknown } = kind
  let last: Meaning = 'unknown'
  let wasBad = false
  const read = (known: Known, spans: readonly LateSpan[], atMs: number): Known => {
    if (spans.length === 0 || meaning(known) !== 'unknown') return known
    if (spans.every(({ good }) => good)) return lateGood
    const isConfirmed = spans.some(
      ({ good, fromMs, confirmedMs = fromMs }) => !good && confirmedMs !== null && confirmedMs <= atMs,
    )
    if (isConfirmed || wasBad) return lateBad
    return last === 'good' ? lateGood : lateUnknown
  }
  return (known: Known, spans: readonly LateSpan[], atMs: number): Known => {
    const found = read(known, spans, atMs)
    last = meaning(found)
    if (last !== 'unknown') wasBad = last === 'bad'
    return found
  }
}

/** Tells which spans hold a moment, for moments asked in order. */
const coverReader = <S extends MaintenanceSpan>(spans: readonly S[]): ((atMs: number) => readonly S[]) => {
  const sorted = spans.toSorted((a, b) => a.fromMs - b.fromMs)
  let next = 0
  let held: S[] = []
  return atMs => {
    if (held.some(({ toMs }) => toMs <= atMs)) held = held.filter(({ toMs }) => toMs > atMs)
    for (let span = sorted[next]; span !== undefined && span.fromMs <= atMs; span = sorted[next]) {
      if (span.toMs > atMs) held.push(span)
      next += 1
    }
    return held
  }
}

const NO_IDS: readonly number[] = []
const idsOf = (spans: readonly MaintenanceTime[]): readonly number[] =>
  spans.length === 0 ? NO_IDS : [...new Set(spans.map(({ id }) => id))].sort((a, b) => a - b)

const addStretch = <Reason extends string, Known>(
  stretches: Stretch<Reason, Known>[],
  stretch: Stretch<Reason, Known>,
  isSame: (a: Known, b: Known) => boolean,
): void => {
  const last = stretches.at(-1)
  const isAlike =
    last !== undefined &&
    last.reason === stretch.reason &&
    isSame(last.known, stretch.known) &&
    last.maintenances.length === stretch.maintenances.length &&
    last.maintenances.every((id, index) => id === stretch.maintenances[index])
  if (isAlike) stretches[stretches.length - 1] = { ...last, toMs: stretch.toMs }
  else stretches.push(stretch)
}

/** How many outages there were in stretches that follow each other, and the longest. */
export interface Outages {
  readonly outages: number
  /** Counted time alone: without maintenance and beyond service hours. */
  readonly longestOutageMs: number
}

/** An outage goes on through what is set aside as long as the state stays bad meanwhile; its length is the time that counts. */
export const outagesOf = <Interval extends MaintenanceSpan & { readonly reason: string }>(
  intervals: readonly Interval[],
  isBad: (interval: Interval) => boolean,
  isBadMeanwhile: (interval: Interval) => boolean,
): Outages => {
  const found = { outages: 0, longestOutageMs: 0 }
  let outageMs: number | null = null
  for (const interval of intervals) {
    const { fromMs, toMs, reason } = interval
    if (isBad(interval)) {
      if (outageMs === null) found.outages += 1
      outageMs = (outageMs ?? 0) + toMs - fromMs
      found.longestOutageMs = Math.max(found.longestOutageMs, outageMs)
    } else if ((reason !== 'maintenance' && reason !== 'out-of-service') || !isBadMeanwhile(interval)) outageMs = null
  }
  return found
}
