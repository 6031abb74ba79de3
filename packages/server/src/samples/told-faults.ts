import { messageOf, SampleStoreCorrupt, SampleStoreFailed, SampleStoreLocked } from './faults.ts'
import type { ToldFault } from './protocol.ts'
import { SampleStoreBusy } from './sample-store.ts'

const RETRY_MS = 1000

/** An error as it is told to the other thread, where classes don't survive. */
export function toldFault(error: unknown): ToldFault {
  const message = messageOf(error)
  if (error instanceof SampleStoreBusy) return { kind: 'busy', message, retryAfterMs: error.retryAfterMs }
  if (error instanceof SampleStoreCorrupt) return { kind: 'corrupt', message: error.reason, file: error.file }
  if (error instanceof SampleStoreFailed) return { kind: 'failed', message }
  if (error instanceof SampleStoreLocked) return { kind: 'locked', message }
  return { kind: error instanceof RangeError ? 'range' : 'error', message }
}

/** The error that was told. */
export function errorOfFault(fault: ToldFault): Error {
  switch (fault.kind) {
    case 'busy':
      return new SampleStoreBusy(fault.message, fault.retryAfterMs ?? RETRY_MS)
    case 'corrupt':
      return new SampleStoreCorrupt(fault.file ?? '', fault.message)
    case 'failed':
      return new SampleStoreFailed(fault.message)
    case 'locked':
      return new SampleStoreLocked(fault.message)
    case 'range':
      return new RangeError(fault.message)
    case 'error':
      return new Error(fault.message)
  }
}
