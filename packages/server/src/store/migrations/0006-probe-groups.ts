import type { Migration } from '../dialect.ts'

/** Probes that stand in for each other, who runs whose scanners, and what other probes said of hosts in doubt. */
export const probeGroups: Migration = {
  name: '0006-probe-groups',
  statements: t => {
    const stamps = `created_at ${t.int} not null, updated_at ${t.int} not null, updated_by text`
    const table = (name: string, columns: string) => `create table ${name} (${columns})${t.end}`
    const owned = (column: string, parent: string) =>
      `${column} ${t.int} not null references ${parent}(id) on delete cascade`
    return [
      table('probe_group', `id ${t.id}, name text not null, name_folded text not null unique, ${stamps}`),
      table(
        'probe_group_member',
        `probe_id ${t.int} primary key references probe(id) on delete cascade, ${owned('group_id', 'probe_group')},
         position ${t.int} not null`,
      ),
      'create index probe_group_member_group on probe_group_member (group_id, position)',
      // One row each time that a probe begins to run another's scanners; `until` is null while it does.
      table(
        'probe_takeover',
        `id ${t.id}, ${owned('home_id', 'probe')}, ${owned('runner_id', 'probe')}, since ${t.int} not null, covered_from ${t.int},
         back_since ${t.int}, until ${t.int}`,
      ),
      'create index probe_takeover_home on probe_takeover (home_id, since)',
      'create index probe_takeover_runner on probe_takeover (runner_id)',
      table(
        'second_opinion',
        `id ${t.id}, ${owned('host_id', 'host')}, ${owned('metric_id', 'metric')}, ${owned('runner_id', 'probe')},
         ${owned('probe_id', 'probe')}, probe_name text not null, at ${t.int} not null, problem_at ${t.int} not null, verdict text not null,
         message text not null, incident_id ${t.int} references incident(id) on delete set null`,
      ),
      'create index second_opinion_host on second_opinion (host_id, at)',
      'create index second_opinion_metric on second_opinion (metric_id)',
      'create index second_opinion_runner on second_opinion (runner_id)',
      'create index second_opinion_probe on second_opinion (probe_id)',
      'create index second_opinion_incident on second_opinion (incident_id)',
      'create index second_opinion_at on second_opinion (at)',
      // Whether people were told that a probe's link is at fault, so that a restart does not tell it again.
      `alter table probe add column link_announced ${t.int} not null default 0`,
    ]
  },
}
