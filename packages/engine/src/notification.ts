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
  /** Told, over unseen, and failing anew: another failure than the one that was told. */
  readonly again: boolean
  /** Of the failure that goes on; undefined: it is over. */
  readonly failingMs?: number
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
    // Over before it was told, and failing anew: its wait begins again.
    if (of.said === null && isAnew(of, view)) return []
    views.delete(of.id)
    const sight = sightOf(of, view)
    if (of.said !== null || sight.loud) return [sight]
    const isBrief = plan.brief && before?.begunMs === null && view !== undefined && !view.muted
    return sight.over && isBrief ? [sight] : []
  })
  const going = sights.length === 0 && before?.told.length === 0 ? null : before
  let joinedMs = going?.joinedMs ?? nowMs
  for (const view of views.values()) {
    if (view.closed || view.muted || !plan.open) continue
    joinedMs = nowMs
    const { id, severity, failingMs } = view
    sights.push(sightOf({ id, sinceMs: nowMs, severity, said: null, unstable: false, failingMs }, view))
  }
  if (sights.length === 0 && going === null) return null
  const thread = going ?? createThread(nowMs)
  return { thread: { ...thread, joinedMs, incidents: sights.map(({ of }) => of) }, sights }
}

const sightOf = (of: Followed, view: IncidentView | undefined): Sight => {
  if (view === undefined || view.closed)
    return { of, over: true, loud: false, acknowledged: false, flapping: false, again: false }
  const { severity, acknowledged, flapping, failingMs } = view
  const anew = isAnew(of, view)
  const loud = !view.muted && !(flapping && of.unstable && !anew)
  const seen = { ...of, severity: loud ? severity : of.severity }
  return { of: seen, over: false, loud, acknowledged, flapping, again: anew && loud && of.said !== null, failingMs }
}

/** It was over since what is known of it, however short a while: this is another failure. */
const isAnew = ({ failingMs }: Followed, view: IncidentView | undefined): boolean =>
  view !== undefined && !view.closed && failingMs !== undefined && view.failingMs > failingMs

const isFresh = ({ of, loud }: Sight): boolean => loud && of.said === null

/** The first message, once the wait is over. */
const begin = (thread: Thread, sights: readonly Sight[], plan: RulePlan, nowMs: number): Planned => {
  if (!plan.open || nowMs - thread.createdMs < plan.waitMs) return { thread, sends: [] }
  const started = said({ ...thread, begunMs: nowMs }, sights, nowMs)
  return enter(runClock(started, sights, plan, nowMs), sights, plan, nowMs, true)
}

/** Nothing that was told has failed without a break: escalation begins again, with the message that says so. */
const isRenewed = (sights: readonly Sight[]): boolean => {
  const told = sights.filter(({ loud, of }) => loud && of.said !== null)
  const alone = told.filter(({ acknowledged }) => !acknowledged)
  return told.length > 0 && (alone.length > 0 ? alone : told).every(({ again }) => again)
}

/** The clock stands while everything is acknowledged, muted or out of the period. */
const runClock = (thread: Thread, sights: readonly Sight[], plan: RulePlan, nowMs: number): Thread => {
  if (isRenewed(sights)) return { ...thread, ranMs: 0, runningSinceMs: null, reachedMs: -1 }
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

const NOTHING = {
  incidents: [],
  joined: [],
  again: [],
  worsened: [],
  eased: [],
  recovered: [],
  unstable: [],
  steady: [],
} as const
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
  const renewed = kind !== 'reminder' && isRenewed(sights)
  const recipients = activeOf(thread, plan, clockMs, renewed).filter(({ key }) => !entered.has(key))
  const told = kind === 'reminder' ? { ...thread, saidMs: nowMs } : said(thread, sights, nowMs, plan)
  const met = renewed ? runClock(told, sights.map(asTold), plan, nowMs) : told
  if (recipients.length === 0) return { thread: met, sends }
  const going = idsOf(sights.filter(sight => sight.loud && isRipe(sight, plan, nowMs)))
  const send: Send = { ...{ sequence: met.sequence, kind, recipients, incidents: going, clockMs }, ...changes }
  return { thread: { ...met, sequence: met.sequence + 1 }, sends: [...sends, send] }
}

const asTold = (sight: Sight): Sight => ({ ...sight, again: false })

/** What joins waits as long as what began. */
const isRipe = ({ of }: Sight, plan: RulePlan, nowMs: number): boolean =>
  of.said !== null || nowMs - of.sinceMs >= plan.waitMs

const changesOf = (sights: readonly Sight[], plan: RulePlan, nowMs: number) => {
  const ids = (isIn: (sight: Sight, said: Severity) => boolean): number[] =>
    idsOf(sights.filter(sight => sight.of.said !== null && isIn(sight, sight.of.said)))
  return {
    joined: idsOf(sights.filter(sight => isFresh(sight) && isRipe(sight, plan, nowMs))),
    again: ids(({ again }) => again),
    worsened: ids(({ loud, again, of }, was) => loud && !again && compareSeverity(of.severity, was) < 0),
    eased: ids(({ loud, again, of }, was) => loud && !again && compareSeverity(of.severity, was) > 0),
    recovered: ids(({ over }) => over),
    unstable: ids(({ loud, again, flapping, of }) => loud && flapping && (again || !of.unstable)),
    steady: ids(({ loud, again, flapping, of }) => loud && !again && !flapping && of.unstable),
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

/** Those who were told and whose step goes on; of what began anew all who were told: what they know is over. */
const activeOf = (thread: Thread, { steps }: RulePlan, clockMs: number, all: boolean): Told[] =>
  thread.told.flatMap(({ key }) => {
    const step = steps.findLastIndex(
      ({ afterMs, untilMs, recipients }) =>
        (all || (afterMs <= clockMs && (untilMs === null || clockMs < untilMs))) && recipients.includes(key),
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
      const { of, loud, flapping, failingMs } = sight
      const isTold = plan === undefined || (loud && isRipe(sight, plan, nowMs))
      const failure = failingMs === undefined ? {} : { failingMs }
      return isTold ? { ...of, ...failure, said: of.severity, unstable: flapping } : of
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
