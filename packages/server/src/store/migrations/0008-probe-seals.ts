import type { Migration } from '../dialect.ts'

/** For which key of a probe credentials are sealed; none until it says one. */
export const probeSeals: Migration = {
  name: '0008-probe-seals',
  statements: () => [`alter table probe add column seal_key text not null default ''`],
}
