import type { Migration } from '../dialect.ts'

/** Discovery: ranges of addresses, their runs, and what was found in each range. */
export const discovery: Migration = {
  name: '0004-discovery',
  statements: t => {
    const stamps = `created_at ${t.int} not null, updated_at ${t.int} not null, updated_by text`
    return [
      `create table discovery_range (id ${t.id}, name text not null, name_folded text not null unique,
        site_id ${t.int} not null references site(id) on delete cascade, probe_id ${t.int} references probe(id) on delete set null,
        ranges text not null, exclusions text not null, methods text not null, ports text not null, rate ${t.int} not null,
        recurrence text not null, at_hour ${t.int} not null, weekday ${t.int} not null, enabled ${t.int} not null,
        next_run_at ${t.int}, ${stamps})${t.end}`,
      'create index discovery_range_site on discovery_range (site_id)',
      'create index discovery_range_probe on discovery_range (probe_id)',
      `create table discovery_run (id ${t.id}, range_id ${t.int} not null references discovery_range(id) on delete cascade,
        probe_id ${t.int} references probe(id) on delete set null, probe_name text not null, state text not null,
        total ${t.int} not null, done ${t.int} not null, found ${t.int} not null, added ${t.int} not null,
        changed ${t.int} not null, vanished ${t.int} not null, error text not null, notes text not null, started_by text,
        created_at ${t.int} not null, started_at ${t.int}, ended_at ${t.int})${t.end}`,
      'create index discovery_run_range on discovery_run (range_id, id)',
      'create index discovery_run_probe on discovery_run (probe_id)',
      // `address_key`: 32 hex digits, which sort as addresses do. What was found is JSON; what is searched has its column.
      `create table discovery_finding (id ${t.id}, range_id ${t.int} not null references discovery_range(id) on delete cascade,
        run_id ${t.int} not null, address text not null, address_key text not null,
        host_id ${t.int} references host(id) on delete set null, name text not null, name_folded text not null,
        mac text not null, role text not null, facts text not null, changes text not null, ignored ${t.int} not null,
        parent_host_id ${t.int} references host(id) on delete set null,
        parent_id ${t.int} references discovery_finding(id) on delete set null, parent_source text not null,
        first_seen_at ${t.int} not null, last_seen_at ${t.int} not null, vanished_at ${t.int},
        unique (range_id, address_key))${t.end}`,
      'create index discovery_finding_host on discovery_finding (host_id)',
      'create index discovery_finding_parent_host on discovery_finding (parent_host_id)',
      'create index discovery_finding_parent on discovery_finding (parent_id)',
      "create index discovery_finding_mac on discovery_finding (mac) where mac <> ''",
    ]
  },
}
