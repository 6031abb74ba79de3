import type { AnswerBody, ProbeOrder } from '@narval/contracts'

/** What a probe may be asked, without the stamps that an order gets. */
export type AskedOrder = ProbeOrder extends infer One
  ? One extends ProbeOrder
    ? Omit<One, 'id' | 'deadlineMs'>
    : never
  : never
export type OrderOutcome = AnswerBody['outcome']

/**
 * Asks a probe and waits for its answer; null when it did not answer by the deadline, or the signal was aborted. Throws
 * nothing: a probe that is away is no answer.
 */
export type AskProbe = (
  probeId: number,
  order: AskedOrder,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
) => Promise<OrderOutcome | null>

/** Takes one answer to a long order; a refusal that it throws tells the probe to end it. */
export type OnAnswer = (outcome: OrderOutcome) => Promise<void>

/** An order that is answered in parts, for as long as it takes. */
export interface LongOrder {
  /** It was begun: a probe that restarts is not given it again. */
  readonly withdraw: () => void
  /** Tells the probe to stop, and takes no more of its answers. */
  readonly end: () => void
  /** The probe said that it is over. */
  readonly over: () => void
}

/** `lifeMs`: until when the probe may fetch it. */
export type AssignProbe = (
  probeId: number,
  order: AskedOrder,
  options: { readonly lifeMs: number; readonly onAnswer: OnAnswer },
) => Promise<LongOrder>
