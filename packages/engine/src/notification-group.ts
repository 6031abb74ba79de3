import { planThread } from './notification.ts'
import type { IncidentView, Planned, RulePlan, Thread } from './notification-thread.ts'

/**
 * Plans all threads of one rule about one site: what opens together is one conversation, what opens long after, or after
 * somebody took care of the first, is another one.
 * @returns one answer a thread given, then one for the thread that had to be begun, if any.
 */
export const planGroup = (
  known: readonly Thread[],
  incidents: readonly IncidentView[],
  plan: RulePlan,
  nowMs: number,
): Planned[] => {
  const views = new Map(incidents.map(view => [view.id, view]))
  const threads = known.map(thread => withoutOpen(thread, views))
  const parts: IncidentView[][] = threads.map(() => [])
  for (const [index, thread] of threads.entries()) {
    if (thread.ended) continue
    for (const { id } of thread.incidents) {
      const view = views.get(id)
      if (view === undefined) continue
      parts[index]?.push(view)
      views.delete(id)
    }
  }
  const free = [...views.values()].filter(({ closed, muted }) => !closed && !muted)
  const host = threads.findIndex((thread, index) => takesIn(thread, parts[index] ?? [], plan, nowMs))
  parts[host]?.push(...free)
  const planned = threads.map((thread, index) => planThread(thread, parts[index] ?? [], plan, nowMs))
  return host === -1 && free.length > 0 && plan.open ? [...planned, planThread(null, free, plan, nowMs)] : planned
}

const takesIn = (thread: Thread, incidents: readonly IncidentView[], plan: RulePlan, nowMs: number): boolean =>
  !thread.ended &&
  (thread.begunMs === null ||
    (nowMs - thread.joinedMs < plan.newsEveryMs && incidents.some(one => !one.closed && !one.acknowledged)))

/** What failed anew is not among what ended any more. */
const withoutOpen = (thread: Thread, views: ReadonlyMap<number, IncidentView>): Thread => {
  const past = thread.past.filter(id => views.get(id)?.closed !== false)
  const fewer = thread.past.length - past.length
  return fewer === 0 ? thread : { ...thread, past, pastCount: thread.pastCount - fewer }
}
