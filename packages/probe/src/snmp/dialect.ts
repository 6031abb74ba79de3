import type { CheckFailure } from '../failure.ts'
import type { RequestPdu, ResponsePdu } from './pdu.ts'

/** What a received datagram means. What is `ignored` is waited out: anyone may forge a packet, and the answer may still come. */
export type Decoded =
  | { readonly kind: 'answer'; readonly pdu: ResponsePdu }
  /** Something was learnt that the same question must be asked again with, at once. */
  | { readonly kind: 'again' }
  | { readonly kind: 'refused'; readonly failure: CheckFailure }
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy }
export type IgnoredWhy = 'malformed' | 'foreign' | 'unauthenticated'

/** How one version of SNMP wraps a question and opens an answer. `decode` may throw a BerError: the datagram is malformed. */
export interface Dialect {
  readonly version: 1 | 2 | 3
  /** `attempt` counts the sendings of this question, from 0. */
  readonly encode: (pdu: RequestPdu, attempt: number) => Buffer
  readonly decode: (bytes: Buffer) => Decoded
  /** What to say when nothing usable came within the time limit. */
  readonly silence: (target: string, timeoutMs: number) => CheckFailure
}

export const ignored = (why: IgnoredWhy): Decoded => ({ kind: 'ignored', why })
