import type { Migration } from '../dialect.ts'

/** Since when a probe has its key, and the keys that were replaced: they are never accepted again (S56). */
export const probeKeys: Migration = {
  name: '0010-probe-keys',
  statements: t => [
    `alter table probe add column key_at ${t.int} not null default 0`,
    'update probe set key_at = created_at',
    `create table probe_old_key (public_key text primary key, probe_id ${t.int} references probe(id) on delete set null,
      replaced_at ${t.int} not null)${t.end}`,
    'create index probe_old_key_probe on probe_old_key (probe_id)',
  ],
}
