import {
  createThread,
  escalationClock,
  type Followed,
  type IncidentView,
  type Planned,
  type RulePlan,
  type Send,
  type SendKind,
  type Thread,
  type Told,
} from './notification-thread.ts'
import { compareSeverity, type Severity, worse } from './severity.ts'

/** Incidents that ended are named up to so many. */
const PAST_KEPT = 50

/** What a thread sees of one incident that it follows. */
interface Sight {
  readonly of: Followed
  readonly over: boolean
  /** Goes on and may be told. */
  readonly loud: boolean
  readonly acknowledged: boolean
  readonly flapping: boolean
}

/**
 * What is to be told now, by what was told and what is: called at any moment and as often as one likes, after a
 * restart as well, it repeats nothing and leaves nothing out.
 */
export const planThread = (
  thread: Thread | null,
  incidents: readonly IncidentView[],
  plan: RulePlan,
  nowMs: number,
): Planned => {
  if (thread?.ended === true) return { thread, sends: [] }
  const seen = look(thread, incidents, plan, nowMs)
  if (seen === null) return { thread: null, sends: [] }
  const { thread: met, sights } = seen
  if (met.begunMs === null) return begin(met, sights, plan, nowMs)
  const running = runClock(met, sights, plan, nowMs)
  if (!plan.open) return { thread: running, sends: [] }
  const isOver = sights.every(({ of, over }) => over || of.said === null) && !sights.some(isFresh)
  if (isOver) return end(running, sights, plan, nowMs)
  const entered = enter(running, sights, plan, nowMs, false)
  return tell(entered, sights, plan, nowMs)
}

/** The thread with those who joined and without those who left untold; null when nothing is to be followed. */
const look = (
  before: Thread | null,
  incidents: readonly IncidentView[],
  plan: RulePlan,
  nowMs: number,
): { thread: Thread; sights: Sight[] } | null => {
  const views = new Map(incidents.map(view => [view.id, view]))
  const sights = (before?.incidents ?? []).flatMap(of => {
    const view = views.get(of.id)
    views.delete(of.id)
    const sight = sightOf(of, view)
    if (of.said !== null || sight.loud) return [sight]
    const isBrief = plan.brief && before?.begunMs === null && view !== undefined && !view.muted
    return sight.over && isBrief ? [sight] : []
  })
  let joinedMs = before?.joinedMs ?? nowMs
  for (const view of views.values()) {
    if (view.closed || view.muted || !plan.open) continue
    joinedMs = nowMs
    const { id, severity } = view
    sights.push(sightOf({ id, sinceMs: nowMs, severity, said: null, unstable: false }, view))
  }
  if (sights.length === 0 && (before === null || before.told.length === 0)) return null
  const thread = before ?? createThread(nowMs)
  return { thread: { ...thread, joinedMs, incidents: sights.map(({ of }) => of) }, sights }
}

const sightOf = (of: Followed, view: IncidentView | undefined): Sight => {
  if (view === undefined || view.closed) return { of, over: true, loud: false, acknowledged: false, flapping: false }
  const { severity, acknowledged, flapping } = view
  const loud = !view.muted && !(flapping && of.unstable)
  return { of: { ...of, severity: loud ? severity : of.severity }, over: false, loud, acknowledged, flapping }
}

const isFresh = ({ of, loud }: Sight): boolean => loud && of.said === null

/** The first message, once the wait is over. */
const begin = (thread: Thread, sights: readonly Sight[], plan: RulePlan, nowMs: number): Planned => {
  if (!plan.open || nowMs - thread.createdMs < plan.waitMs) return { thread, sends: [] }
  const started = said({ ...thread, begunMs: nowMs }, sights, nowMs)
  return enter(runClock(started, sights, plan, nowMs), sights, plan, nowMs, true)
}

/** The clock stands while everything is acknowledged, muted or out of the period. */
const runClock = (thread: Thread, sights: readonly Sight[], plan: RulePlan, nowMs: number): Thread => {
  const isRunning = plan.open && sights.some(({ loud, acknowledged }) => loud && !acknowledged)
  if (isRunning === (thread.runningSinceMs !== null)) return thread
  return isRunning
    ? { ...thread, runningSinceMs: nowMs }
    : { ...thread, ranMs: escalationClock(thread, nowMs), runningSinceMs: null }
}

/** Tells those whose step has come: of a step that came and went between two calls too. */
const enter = (thread: Thread, sights: readonly Sight[], plan: RulePlan, nowMs: number, isFirst: boolean): Planned => {
  const clockMs = escalationClock(thread, nowMs)
  if (!isFirst && !sights.some(sight => sight.loud && !sight.acknowledged)) return { thread, sends: [] }
  const known = new Set(thread.told.map(({ key }) => key))
  const entering: Told[] = []
  let { reachedMs } = thread
  for (const [step, { afterMs, untilMs, recipients }] of plan.steps.entries()) {
    if (afterMs > clockMs) continue
    reachedMs = Math.max(reachedMs, afterMs)
    if (untilMs !== null && clockMs >= untilMs && afterMs <= thread.reachedMs) continue
    for (const key of recipients) {
      if (known.has(key)) continue
      known.add(key)
      entering.push({ key, step })
    }
  }
  const met = { ...thread, reachedMs }
  if (entering.length === 0) return { thread: met, sends: [] }
  const isUnstable = sights.some(({ loud, flapping }) => loud && flapping)
  const kind = isUnstable && sights.every(({ loud, flapping }) => flapping || !loud) ? 'flapping' : 'problem'
  const going = sights.filter(({ over, loud }) => (isFirst && over) || loud)
  return {
    thread: { ...met, told: [...met.told, ...entering], sequence: met.sequence + 1 },
    sends: [{ ...NOTHING, sequence: met.sequence, kind, recipients: entering, incidents: idsOf(going), clockMs }],
  }
}

const NOTHING = { incidents: [], joined: [], worsened: [], eased: [], recovered: [], unstable: [], steady: [] } as const
const idsOf = (sights: readonly Sight[]): number[] =>
  sights.toSorted((a, b) => compareSeverity(a.of.severity, b.of.severity) || a.of.id - b.of.id).map(({ of }) => of.id)

/** All of it is over: told to exactly those who were told of it. */
const end = (thread: Thread, sights: readonly Sight[], plan: RulePlan, nowMs: number): Planned => {
  const ended = { ...thread, ended: true }
  if (thread.told.length === 0 || !plan.recovery) return { thread: ended, sends: [] }
  const recovered = idsOf(sights.filter(({ over, of }) => over && of.said !== null))
  const send: Send = {
    ...{ ...NOTHING, sequence: thread.sequence, kind: 'recovery', recipients: thread.told, recovered },
    ...{ incidents: [...recovered, ...thread.past], clockMs: escalationClock(thread, nowMs) },
  }
  return { thread: { ...ended, sequence: thread.sequence + 1 }, sends: [send] }
}

/** News and reminders, to those who were told and whose step goes on. */
const tell = ({ thread, sends }: Planned, sights: readonly Sight[], plan: RulePlan, nowMs: number): Planned => {
  if (thread === null) return { thread, sends }
  const changes = changesOf(sights, plan, nowMs)
  const silenceMs = nowMs - (thread.saidMs ?? thread.createdMs)
  const isNews = Object.values(changes).some(ids => ids.length > 0)
  // Once for each degree of the whole: a storm of worsenings waits like other news.
  const isUrgent = sights.some(
    sight => sight.loud && compareSeverity(sight.of.severity, thread.worst) < 0 && isRipe(sight, plan, nowMs),
  )
  const kind =
    isNews && (isUrgent || silenceMs >= plan.newsEveryMs) ? newsKind(changes) : remind(sights, plan, silenceMs)
  if (kind === null) return { thread, sends }
  const clockMs = escalationClock(thread, nowMs)
  const entered = new Set(sends.flatMap(send => send.recipients.map(({ key }) => key)))
  const recipients = activeOf(thread, plan, clockMs).filter(({ key }) => !entered.has(key))
  const met = kind === 'reminder' ? { ...thread, saidMs: nowMs } : said(thread, sights, nowMs, plan)
  if (recipients.length === 0) return { thread: met, sends }
  const going = idsOf(sights.filter(sight => sight.loud && isRipe(sight, plan, nowMs)))
  const send: Send = { ...{ sequence: met.sequence, kind, recipients, incidents: going, clockMs }, ...changes }
  return { thread: { ...met, sequence: met.sequence + 1 }, sends: [...sends, send] }
}

/** What joins waits as long as what began. */
const isRipe = ({ of }: Sight, plan: RulePlan, nowMs: number): boolean =>
  of.said !== null || nowMs - of.sinceMs >= plan.waitMs

const changesOf = (sights: readonly Sight[], plan: RulePlan, nowMs: number) => {
  const ids = (isIn: (sight: Sight, said: Severity) => boolean): number[] =>
    idsOf(sights.filter(sight => sight.of.said !== null && isIn(sight, sight.of.said)))
  return {
    joined: idsOf(sights.filter(sight => isFresh(sight) && isRipe(sight, plan, nowMs))),
    worsened: ids(({ loud, of }, was) => loud && compareSeverity(of.severity, was) < 0),
    eased: ids(({ loud, of }, was) => loud && compareSeverity(of.severity, was) > 0),
    recovered: ids(({ over }) => over),
    unstable: ids(({ loud, flapping, of }) => loud && flapping && !of.unstable),
    steady: ids(({ loud, flapping, of }) => loud && !flapping && of.unstable),
  }
}
const newsKind = ({ unstable, ...others }: ReturnType<typeof changesOf>): SendKind =>
  unstable.length > 0 && Object.values(others).every(ids => ids.length === 0) ? 'flapping' : 'news'

const remind = (sights: readonly Sight[], { remindEveryMs }: RulePlan, silenceMs: number): SendKind | null =>
  remindEveryMs !== null &&
  silenceMs >= remindEveryMs &&
  sights.some(({ loud, acknowledged, of }) => loud && !acknowledged && of.said !== null)
    ? 'reminder'
    : null

const activeOf = (thread: Thread, { steps }: RulePlan, clockMs: number): Told[] =>
  thread.told.flatMap(({ key }) => {
    const step = steps.findLastIndex(
      ({ afterMs, untilMs, recipients }) =>
        afterMs <= clockMs && (untilMs === null || clockMs < untilMs) && recipients.includes(key),
    )
    return step === -1 ? [] : [{ key, step }]
  })

/** What is has been told: what ended is let go. Without a plan: the first message, which waits for nobody. */
const said = (thread: Thread, sights: readonly Sight[], nowMs: number, plan?: RulePlan): Thread => {
  const isGone = (sight: Sight): boolean => plan !== undefined && sight.over && sight.of.said !== null
  const over = sights.filter(isGone)
  const told = sights
    .filter(sight => !isGone(sight))
    .map(sight => {
      const { of, loud, flapping } = sight
      const isTold = plan === undefined || (loud && isRipe(sight, plan, nowMs))
      return isTold ? { ...of, said: of.severity, unstable: flapping } : of
    })
  return {
    ...thread,
    saidMs: nowMs,
    worst: told.reduce((most, one) => (one.said === null ? most : worse(most, one.said)), thread.worst),
    incidents: told,
    past: [...idsOf(over), ...thread.past].slice(0, PAST_KEPT),
    pastCount: thread.pastCount + over.length,
  }
}
