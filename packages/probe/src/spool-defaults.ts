import { BATCH_MAX_BYTES, BATCH_MAX_RESULTS, LIVE_MAX_AGE_MS } from '@narval/contracts'

/** Room left in a body for what surrounds its results. */
const ENVELOPE_BYTES = 16 * 1024

/** The spool's figures: 72 h, 2 GiB, batches as the wire wants them. Apart, so that its thread does not load the contracts. */
export const SPOOL_DEFAULTS = {
  maxBytes: 2 * 1024 ** 3,
  maxAgeMs: 72 * 3_600_000,
  // A little less than the wire's limit, for the time of sending.
  liveAgeMs: LIVE_MAX_AGE_MS - 15_000,
  batchMaxResults: BATCH_MAX_RESULTS,
  batchMaxBytes: BATCH_MAX_BYTES - ENVELOPE_BYTES,
} as const
