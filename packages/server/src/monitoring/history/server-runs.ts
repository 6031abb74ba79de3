import type { Db } from '../../store/database.ts'
import { beginServerRun, saveServerSeen, serverRuns } from './history.store.ts'
import { type ServerRun, watchedMs } from './hour-ledger.ts'

/** Not alive for longer than this, the machine slept: nothing was judged meanwhile. */
const SLEPT_MS = 180_000

/** When the server ran: what is not, is in no state. */
export interface ServerRuns {
  /** This start. */
  begin(): Promise<void>
  /** Earlier runs, as far back as this moment. */
  read(fromMs: number): Promise<void>
  /** Said whenever something is known of the present. */
  alive(): void
  save(): Promise<void>
  /** Time that the server ran between two moments. */
  watched(fromMs: number, untilMs: number): number
}

export const createServerRuns = (db: Db, now: () => number): ServerRuns => {
  let runs: (ServerRun & { id?: number })[] = []

  const alive = (): void => {
    const nowMs = now()
    const last = runs[runs.length - 1]
    if (last === undefined) return
    if (nowMs - last.seenMs > SLEPT_MS) runs.push({ startedMs: nowMs, seenMs: nowMs })
    else runs[runs.length - 1] = { ...last, seenMs: Math.max(last.seenMs, nowMs) }
  }
  const save = async (): Promise<void> => {
    alive()
    // The last that has a row, and those that have none yet.
    const written = runs.findLastIndex(run => run.id !== undefined)
    for (let at = Math.max(0, written); at < runs.length; at += 1) {
      const run = runs[at]
      if (run === undefined) continue
      if (run.id === undefined) {
        const id = await beginServerRun(db, run)
        runs = runs.map(one => (one.startedMs === run.startedMs && one.id === undefined ? { ...one, id } : one))
      } else await saveServerSeen(db, run.id, run.seenMs)
    }
  }

  return {
    async begin() {
      const nowMs = now()
      runs = [{ id: await beginServerRun(db, { startedMs: nowMs, seenMs: nowMs }), startedMs: nowMs, seenMs: nowMs }]
    },
    async read(fromMs) {
      const own = new Set(runs.map(run => run.id))
      runs = [...(await serverRuns(db, fromMs)).filter(({ id }) => !own.has(id)), ...runs]
    },
    alive,
    save,
    watched: (fromMs, untilMs) => watchedMs(runs, fromMs, untilMs),
  }
}
