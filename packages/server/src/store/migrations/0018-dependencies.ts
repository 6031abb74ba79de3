import type { Migration } from '../dialect.ts'

/** What a host that waits for the word of what it hangs on is judged by: kept, so that a replay finds the same. */
export const dependencies: Migration = {
  name: '0018-dependencies',
  statements: t => [
    `alter table host add column vouched_at ${t.int}`,
    'create index incident_effect_open on incident_effect (host_id) where until is null',
  ],
}
