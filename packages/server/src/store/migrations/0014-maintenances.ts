import type { Migration } from '../dialect.ts'

/** Maintenances, what they cover, and each time that they took place. */
export const maintenances: Migration = {
  name: '0014-maintenances',
  statements: t => [
    // Once: `starts_at` to `ends_at`. By a rule: `rrule` from `start_local` on the clocks of `time_zone`; no occurrence is stored.
    `create table maintenance (id ${t.id}, comment text not null, comment_folded text not null, kind text not null,
      starts_at ${t.int} not null, ends_at ${t.int}, rrule text, start_local text, duration_minutes ${t.int}, time_zone text,
      flexible_minutes ${t.int}, propagate ${t.int} not null, author text, extra_from ${t.int}, extra_to ${t.int},
      skipped_through ${t.int}, created_at ${t.int} not null, updated_at ${t.int} not null, updated_by text)${t.end}`,
    'create index maintenance_end on maintenance (ends_at)',
    'create index maintenance_start on maintenance (starts_at)',
    // One of the three is set: what is deleted is no longer covered.
    `create table maintenance_object (id ${t.id}, maintenance_id ${t.int} not null references maintenance(id) on delete cascade,
      site_id ${t.int} references site(id) on delete cascade, host_id ${t.int} references host(id) on delete cascade,
      metric_id ${t.int} references metric(id) on delete cascade)${t.end}`,
    'create index maintenance_object_maintenance on maintenance_object (maintenance_id)',
    'create index maintenance_object_site on maintenance_object (site_id)',
    'create index maintenance_object_host on maintenance_object (host_id)',
    'create index maintenance_object_metric on maintenance_object (metric_id)',
    // Outlives its maintenance: availability counts its time apart. `hosts` and `metrics`: ids as ranges, « 1-40,52 ».
    `create table maintenance_run (id ${t.id}, maintenance_id ${t.int} references maintenance(id) on delete set null,
      comment text not null, occurrence_at ${t.int} not null, started_at ${t.int} not null, until ${t.int} not null,
      ended_at ${t.int}, ended_by text, host_count ${t.int} not null, metric_count ${t.int} not null, hosts text not null,
      metrics text not null, bad_at_start text not null, report text)${t.end}`,
    'create unique index maintenance_run_occurrence on maintenance_run (maintenance_id, occurrence_at)',
    'create index maintenance_run_started on maintenance_run (started_at)',
    'create index maintenance_run_open on maintenance_run (ended_at)',
  ],
}
