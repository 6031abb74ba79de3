import type { Severity } from './severity.ts'

/** An incident as a rule sees it now. One that the planner follows and that is not given any more is over. */
export interface IncidentView {
  readonly id: number
  readonly severity: Severity
  readonly closed: boolean
  readonly acknowledged: boolean
  /** To be told to nobody: merged, in maintenance, or no longer what the rule is about. */
  readonly muted: boolean
  readonly flapping: boolean
  /** Since when it fails without a break, epoch ms: of one that was opened again, since then. */
  readonly failingMs: number
}

export interface PlanStep {
  /** On the clock of escalation, which starts with the first message. */
  readonly afterMs: number
  /** From then on no news and no reminders; null: to the end. */
  readonly untilMs: number | null
  /** Keys of who is to be told, and by what. */
  readonly recipients: readonly string[]
}

/** A rule at one moment. */
export interface RulePlan {
  readonly steps: readonly PlanStep[]
  readonly waitMs: number
  readonly newsEveryMs: number
  /** Null: no reminders. */
  readonly remindEveryMs: number | null
  /** Whether the end is told. */
  readonly recovery: boolean
  /** Whether what opens and ends within the wait is told. */
  readonly brief: boolean
  /** Within its period. */
  readonly open: boolean
}

export interface Followed {
  readonly id: number
  readonly sinceMs: number
  /** Last seen before its end. */
  readonly severity: Severity
  /** As it was last told; null: not yet. */
  readonly said: Severity | null
  /** It was told that it is unstable. */
  readonly unstable: boolean
  /** `failingMs` of the failure that is told of; left out: kept before that was known. */
  readonly failingMs?: number
}

export interface Told {
  readonly key: string
  /** Index of the step by which. */
  readonly step: number
}

/** One conversation of one rule about one group. Plain JSON: it is kept between two calls. */
export interface Thread {
  readonly createdMs: number
  /** When an incident last joined. */
  readonly joinedMs: number
  readonly begunMs: number | null
  /** Clock of escalation: what ran before, and since when it runs; null: it stands. */
  readonly ranMs: number
  readonly runningSinceMs: number | null
  /** The farthest step that was entered, by its `afterMs`; -1: none. */
  readonly reachedMs: number
  /** Last message but those of escalation. */
  readonly saidMs: number | null
  readonly worst: Severity
  readonly incidents: readonly Followed[]
  /** Incidents that ended while others went on: the newest, and how many. */
  readonly past: readonly number[]
  readonly pastCount: number
  readonly told: readonly Told[]
  readonly sequence: number
  readonly ended: boolean
}

export const SEND_KINDS = ['problem', 'news', 'reminder', 'flapping', 'recovery'] as const
export type SendKind = (typeof SEND_KINDS)[number]

export interface Send {
  readonly sequence: number
  readonly kind: SendKind
  readonly recipients: readonly Told[]
  /** What goes on, worst first; of a recovery: what ended. */
  readonly incidents: readonly number[]
  /** What changed since the last message. */
  readonly joined: readonly number[]
  /** Told before, over meanwhile though nobody was told so, and failing anew. */
  readonly again: readonly number[]
  readonly worsened: readonly number[]
  readonly eased: readonly number[]
  readonly recovered: readonly number[]
  readonly unstable: readonly number[]
  readonly steady: readonly number[]
  /** On the clock of escalation. */
  readonly clockMs: number
}

export interface Planned {
  /** Null: there is nothing to remember. */
  readonly thread: Thread | null
  readonly sends: readonly Send[]
}

export const createThread = (nowMs: number): Thread => ({
  ...{ createdMs: nowMs, joinedMs: nowMs, begunMs: null, ranMs: 0, runningSinceMs: null, reachedMs: -1, saidMs: null },
  ...{ worst: 'ok', incidents: [], past: [], pastCount: 0, told: [], sequence: 0, ended: false },
})

/** How long a thread has run on its clock of escalation. */
export const escalationClock = (thread: Pick<Thread, 'ranMs' | 'runningSinceMs'>, nowMs: number): number =>
  thread.ranMs + (thread.runningSinceMs === null ? 0 : Math.max(0, nowMs - thread.runningSinceMs))
