import type { Settings } from '@narval/contracts'
import type { Logger } from 'pino'
import type { SessionService } from './features/account/session.service.ts'
import { purgeDeliveries } from './features/delivery/delivery.store.ts'
import { purgeEvents } from './monitoring/event-log.ts'
import type { Monitoring } from './monitoring/monitoring.ts'
import { purgeAudit } from './store/audit-verify.ts'
import type { Database } from './store/database.ts'

const PURGE_MS = 3_600_000
const DAY_MS = 86_400_000

export interface Purging {
  /** Deletes what has been kept as long as the settings say. */
  run(): Promise<void>
  /** Does it now, without anybody waiting for it, then every hour. */
  start(): void
  /** Resolves once what is being deleted is; the rest waits for the next start. */
  stop(): Promise<void>
  /** The last time that all went well, and how long it took; null: not yet. */
  last(): { readonly atMs: number; readonly tookMs: number } | null
}

export interface PurgingDeps {
  readonly database: Database
  readonly settings: () => Settings
  readonly sessions: Pick<SessionService, 'purge'>
  readonly history: Pick<Monitoring['history'], 'prune'>
  readonly now: () => number
  readonly log: Logger
}

/** Everything that is kept for a time only, but measures: the sample store drops its own. */
export const createPurging = ({ database, settings, sessions, history, now, log }: PurgingDeps): Purging => {
  const steps: readonly (() => Promise<unknown>)[] = [
    () => sessions.purge(),
    () => purgeEvents(database, settings(), now()),
    () => purgeAudit(database, now() - settings().auditDays * DAY_MS, now()),
    () => purgeDeliveries(database.db, now() - settings().deliveryDays * DAY_MS),
    () => history.prune(settings().stateHistoryDays),
  ]
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let last: ReturnType<Purging['last']> = null
  const run = async (): Promise<void> => {
    const from = performance.now()
    for (const step of steps) if (!stopped) await step()
    last = { atMs: now(), tookMs: performance.now() - from }
  }
  const begin = (): void => {
    running = running.then(run).catch(err => log.error({ err }, 'what is over was not purged'))
  }
  return {
    run,
    start() {
      begin()
      timer = setInterval(begin, PURGE_MS)
    },
    async stop() {
      stopped = true
      if (timer !== null) clearInterval(timer)
      await running
    },
    last: () => last,
  }
}
