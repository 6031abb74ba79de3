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
