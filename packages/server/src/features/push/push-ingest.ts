import { randomBytes } from 'node:crypto'
import { BATCH_MAX_RESULTS, type CheckResult } from '@narval/contracts'
import { SERVER_RUNNER } from '../../monitoring/fleet/model.ts'
import type { Ingest } from '../../monitoring/ingest.ts'

export type PushedResult = Omit<CheckResult, 'at' | 'durationMs'>

interface Waiting {
  readonly result: PushedResult
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Puts what is pushed into the journal as a probe's batches are, one after the other; what comes while one is written goes
 * together into the next. Settles once it is on disk.
 */
export const createPushIngest = (ingest: Pick<Ingest, 'accept'>, now: () => number) => {
  const bootId = randomBytes(16).toString('hex')
  const lastMs = new Map<number, number>()
  let sequence = 0
  let waiting: Waiting[] = []
  let isWriting = false

  /** Two results of a scanner never bear the same time: the second would be no news. */
  const timeOf = (scanner: number, nowMs: number): number => {
    const at = Math.max(nowMs, (lastMs.get(scanner) ?? 0) + 1)
    lastMs.set(scanner, at)
    return at
  }
  const write = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      const some = waiting.slice(0, BATCH_MAX_RESULTS)
      waiting = waiting.slice(some.length)
      const nowMs = now()
      sequence += 1
      const results = some.map(({ result }) => ({ ...result, at: timeOf(result.scanner, nowMs), durationMs: 0 }))
      try {
        await ingest.accept(SERVER_RUNNER, { bootId, lane: 'live', sequence, sentAt: nowMs, results }, nowMs)
        for (const { done } of some) done()
      } catch (error) {
        for (const { failed } of some) failed(error)
      }
    }
    isWriting = false
  }
  return (result: PushedResult): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ result, done, failed })
      if (!isWriting) void write()
    })
}
