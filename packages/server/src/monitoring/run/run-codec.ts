import { type CheckEvent, FAILURE_CODES, type FailureCode } from '@narval/contracts'

/** One run of a scanner as the journal keeps it, beside its samples: what a replay needs to judge it again. */
export interface Run {
  readonly scannerId: number
  readonly atMs: number
  readonly durationMs: number
  readonly failure: { readonly code: FailureCode; readonly message: string } | null
  /** Series of the batch's columns that belong to this run: [from, to[. */
  readonly from: number
  readonly to: number
}

type Packed = [
  scanner: number,
  atMs: number,
  durationMs: number,
  from: number,
  to: number,
  code?: number,
  message?: string,
]

/** A message that a scanner received. */
export interface RunEvent extends CheckEvent {
  readonly scannerId: number
}
type PackedEvents = { readonly events: readonly RunEvent[] }

/** Runs, and the messages that came with them, as compact JSON bytes. */
export const encodeRuns = (runs: readonly Run[], events: readonly RunEvent[] = []): Uint8Array =>
  Buffer.from(
    JSON.stringify([
      ...runs.map(run => {
        const packed: Packed = [run.scannerId, run.atMs, run.durationMs, run.from, run.to]
        return run.failure === null ? packed : [...packed, FAILURE_CODES.indexOf(run.failure.code), run.failure.message]
      }),
      ...(events.length === 0 ? [] : [{ events }]),
    ]),
  )

/** The journal's own bytes back: written by `encodeRuns` and covered by the store's integrity, hence trusted. */
export const decodeRuns = (bytes: Uint8Array): { readonly runs: Run[]; readonly events: readonly RunEvent[] } => {
  const all: (Packed | PackedEvents)[] = JSON.parse(Buffer.from(bytes).toString('utf8'))
  const packed = all.filter(one => Array.isArray(one))
  const events = all.flatMap(one => ('events' in one ? one.events : []))
  const runs = packed.map(([scannerId, atMs, durationMs, from, to, code, message]) => ({
    scannerId,
    atMs,
    durationMs,
    from,
    to,
    failure: code === undefined ? null : { code: FAILURE_CODES[code] ?? 'internal', message: message ?? '' },
  }))
  return { runs, events }
}
