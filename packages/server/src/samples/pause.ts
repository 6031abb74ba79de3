import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Lets batches and calls that came meanwhile be served. Two turns of the event loop: in the first they are received, and
 * their commit is only due in the second.
 */
export async function letOthersWork(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

/** For long reads: lets others work each time 12 ms have gone by, else gives nothing to wait for. */
export function createPause(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < PAUSE_AFTER_MS) return
    return letOthersWork().then(() => {
      sinceMs = performance.now()
    })
  }
}

const PAUSE_AFTER_MS = 12
