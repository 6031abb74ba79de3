import * as z from 'zod/mini'
import { idValue, instant, nullableId } from './schema.ts'
import { severity } from './state.ts'

const figure = z.nullable(z.number())
/** A ping with its last values; null where it has none yet, or where its last run failed before it had one. */
export const scannerPing = z.object({
  id: idValue,
  name: z.string(),
  hostId: idValue,
  hostName: z.string(),
  hostAddress: z.string(),
  siteId: idValue,
  siteName: z.string(),
  probeId: nullableId,
  probeName: z.nullable(z.string()),
  enabled: z.boolean(),
  /** The worst of its metrics. */
  severity,
  since: instant,
  /** 0 … 1. */
  lossRatio: figure,
  /** In ms, like the three below. */
  rttMin: figure,
  rttAvg: figure,
  rttMax: figure,
  jitter: figure,
  lastRun: z.nullable(instant),
  /** French sentence of the last failure; null when the last run succeeded or none was heard of. */
  lastError: z.nullable(z.string()),
})
export type ScannerPing = z.output<typeof scannerPing>
