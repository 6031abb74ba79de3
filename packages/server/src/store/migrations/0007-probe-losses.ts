import type { Migration } from '../dialect.ts'

/** How many results lost in a full spool people were told of, so that a restart tells neither twice nor not at all (R11). */
export const probeLosses: Migration = {
  name: '0007-probe-losses',
  statements: t => [`alter table probe add column dropped_told ${t.int} not null default 0`],
}
