import type { Migration } from '../dialect.ts'

/** What people were last told of a probe, so that a restart does not tell it again (R19). */
export const probeAnnounced: Migration = {
  name: '0002-probe-announced',
  statements: () => ['alter table probe add column announced text'],
}
