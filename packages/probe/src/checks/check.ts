import { CHECKS, type CheckKind, type CheckParameters, type ProbeCheck } from '@narval/contracts'
import { type CheckOutcome, failed } from '../failure.ts'
import { fr } from '../fr.ts'
import type { Pinger } from '../icmp/pinger.ts'
import type { Resolver } from '../resolver.ts'
import type { Vetting } from '../vetting.ts'

export type OnStop = (callback: () => void) => () => void

/** Tells what runs that the probe stops. A set, because thousands come and go a second: an AbortSignal walks a list. */
export const createStopper = (): { readonly onStop: OnStop; readonly stop: () => void } => {
  const callbacks = new Set<() => void>()
  return {
    onStop: callback => {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    stop: () => {
      for (const callback of [...callbacks]) callback()
    },
  }
}

/** What every check is given; nothing of it is global, so that tests put in their own. */
export interface CheckContext {
  /** Calls back when the probe stops; gives what takes that back. */
  readonly onStop: OnStop
  readonly vetting: Vetting
  readonly resolver: Resolver
  /** Null where the system denies ICMP sockets. */
  readonly pinger: Pinger | null
  /** Path of fping, the way out when there is no pinger; null when it is not installed. */
  readonly fping: string | null
  /** What was received for a check that waits for messages; left out: nothing listens for it. */
  readonly reception?: (check: ProbeCheck) => Promise<CheckOutcome>
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
}

/** One kind of check. It never throws for what a target does, and ends within the check's time limit. */
export type CheckRunner = (check: ProbeCheck, context: CheckContext) => Promise<CheckOutcome>

/** Makes a runner out of a function that gets parsed parameters; wrong ones fail the check in words. */
export const checkRunner =
  <K extends CheckKind>(
    kind: K,
    run: (check: ProbeCheck, parameters: CheckParameters<K>, context: CheckContext) => Promise<CheckOutcome>,
  ): CheckRunner =>
  (check, context) => {
    const parsed = CHECKS[kind].parameters.safeParse(check.parameters)
    if (parsed.success) return run(check, parametersOf<K>(parsed.data), context)
    const fields = parsed.error.issues.map(issue => `${issue.path.join('.')} (${issue.message})`)
    return Promise.resolve(failed('internal', fr.badParameters(fields.join(', '))))
  }

/** The one cast: the schema of `kind` made the value, which the compiler can't follow through an indexed access. */
const parametersOf = <K extends CheckKind>(value: unknown): CheckParameters<K> => value as CheckParameters<K>

/** Of a kind that the server makes by itself: a probe that is given one says so. */
export const runsNowhere =
  (kind: CheckKind): CheckRunner =>
  async () =>
    failed('internal', fr.unknownKind(kind))
