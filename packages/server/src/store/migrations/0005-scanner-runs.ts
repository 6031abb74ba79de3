import type { Migration } from '../dialect.ts'

/** The last runs of each scanner with their durations and failures, as they were when memory was last written down. */
export const scannerRuns: Migration = {
  name: '0005-scanner-runs',
  statements: t => [
    `create table scanner_runs (scanner_id ${t.int} primary key references scanner(id) on delete cascade,
      runs text not null, failures text not null)${t.end}`,
  ],
}
