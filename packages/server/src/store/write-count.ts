import type { LogEvent } from 'kysely'

/**
 * Counts what may have changed the database: every statement that is not a read, and every commit (another connection
 * may have read in between). Whoever keeps something of the database keeps it for one count. True of one process, which
 * is all that writes (rule 2).
 */
export interface WriteCount {
  readonly value: () => number
  /** What Kysely calls after each statement. */
  readonly log: (event: LogEvent) => void
}

const READ = /^\s*(select|begin|savepoint|release)\b/i

export const createWriteCount = (): WriteCount => {
  let count = 0
  return {
    value: () => count,
    log: ({ query }) => {
      if (!READ.test(query.sql)) count += 1
    },
  }
}
