import { fetchOne } from '../../store/fetch.ts'
import { type ScannerRow, scannerList } from '../run/scanner-list.ts'
import { createCheckMaker, type ProbeCheckDeps } from './probe-check.ts'
import type { AskProbe } from './probe-orders.ts'
import type { AskCheck } from './second-opinion.ts'

/** Beyond a check's own time limit: the way there and back. */
const WAY_MS = 5_000

/** Has another probe run a scanner's check as its own probe runs it, its credential included. */
export const createCheckAsker =
  (deps: ProbeCheckDeps, ask: () => AskProbe): AskCheck =>
  async (scannerId, probe) => {
    const row = await fetchOne<ScannerRow>(deps.database.db, scannerList('system'), scannerId)
    if (row === null) return null
    const made = (await createCheckMaker(deps, [row]))(row, probe)
    if (made === null) return null
    return ask()(probe.id, { kind: 'test', check: made.check }, { timeoutMs: made.check.timeoutMs + WAY_MS })
  }
