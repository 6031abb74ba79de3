import type { Migration } from '../dialect.ts'

/** What states there were, and when: availability, hours of the dashboard. What is known of the present begins it. */
export const stateHistory: Migration = {
  name: '0020-state-history',
  statements: t => [
    `create table metric_change (metric_id ${t.int} not null references metric(id) on delete cascade, at ${t.int} not null,
      severity_rank ${t.int}, cause text, primary key (metric_id, at))`,
    'create index metric_change_at on metric_change (at)',
    `create table host_change (host_id ${t.int} not null references host(id) on delete cascade, at ${t.int} not null,
      state text not null, flapping ${t.int} not null, primary key (host_id, at))`,
    'create index host_change_at on host_change (at)',
    `create table host_late (host_id ${t.int} not null references host(id) on delete cascade, from_at ${t.int} not null,
      until_at ${t.int} not null, good ${t.int} not null, primary key (host_id, from_at))`,
    `create table status_hour (site_id ${t.int} not null references site(id) on delete cascade, at ${t.int} not null,
      error_ms ${t.int} not null, warning_ms ${t.int} not null, unknown_ms ${t.int} not null, ok_ms ${t.int} not null,
      primary key (site_id, at))`,
    'create index status_hour_at on status_hour (at)',
    `create table server_run (id ${t.id}, started_at ${t.int} not null, seen_at ${t.int} not null)`,
    `insert into metric_change (metric_id, at, severity_rank, cause) select metric_state.metric_id, metric_state.hard_since,
      metric_state.hard_rank, metric_state.hard_cause from metric_state`,
    'insert into host_change (host_id, at, state, flapping) select id, state_since, state, 0 from host',
  ],
}
