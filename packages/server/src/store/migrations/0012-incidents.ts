import type { DialectTypes, Migration } from '../dialect.ts'

const COLUMNS = `id, event_key, metric_id, host_id, site_id, severity_rank, information, opened_at, closed_at, acknowledged_by, acknowledged_at,
  acknowledged_comment`

/** Incidents of a probe or of its link have no metric: SQLite can't loosen a column, so its table is made anew. */
const looseColumns = (t: DialectTypes): string[] =>
  t.dialect === 'postgres'
    ? ['metric_id', 'host_id', 'site_id'].map(column => `alter table incident alter column ${column} drop not null`)
    : [
        `create table incident_next (id ${t.id}, event_key text not null unique,
          metric_id ${t.int} references metric(id) on delete cascade, host_id ${t.int}, site_id ${t.int}, severity_rank ${t.int} not null,
          information text not null, opened_at ${t.int} not null, closed_at ${t.int}, acknowledged_by text, acknowledged_at ${t.int},
          acknowledged_comment text)${t.end}`,
        `insert into incident_next (${COLUMNS}) select ${COLUMNS} from incident`,
        // Dropping the table takes what refers to it along.
        `create table kept_opinion (id ${t.int} primary key, incident_id ${t.int} not null)${t.end}`,
        'insert into kept_opinion (id, incident_id) select id, incident_id from second_opinion where incident_id is not null',
        'drop table incident',
        'alter table incident_next rename to incident',
        `update second_opinion set incident_id = (select kept.incident_id from kept_opinion kept where kept.id = second_opinion.id)
          where id in (select id from kept_opinion)`,
        'drop table kept_opinion',
        'create index incident_open on incident (closed_at, opened_at)',
        'create index incident_host on incident (host_id, opened_at)',
        'create index incident_metric on incident (metric_id, opened_at)',
      ]

/** Incidents with their causes, their effects and what happened to them. */
export const incidents: Migration = {
  name: '0012-incidents',
  statements: t => [
    ...looseColumns(t),
    // `metric`: a metric of a host; `probe`: a silent probe; `link`: a probe that does not reach what another one reaches.
    `alter table incident add column kind text not null default 'metric'`,
    `alter table incident add column probe_id ${t.int} references probe(id) on delete cascade`,
    `alter table incident add column worst_rank ${t.int} not null default 0`,
    // The incident that explains this one; null while it stands for itself.
    `alter table incident add column parent_id ${t.int} references incident(id) on delete set null`,
    `alter table incident add column merged_at ${t.int}`,
    // Login of who merged it; null: the engine.
    'alter table incident add column merged_by text',
    `alter table incident add column reopened ${t.int} not null default 0`,
    `alter table incident add column flapping ${t.int} not null default 0`,
    'alter table incident add column owner text',
    `alter table incident add column acknowledged_sticky ${t.int} not null default 0`,
    `alter table incident add column acknowledged_until ${t.int}`,
    'update incident set worst_rank = severity_rank',
    'create index incident_probe on incident (probe_id, opened_at)',
    'create index incident_parent on incident (parent_id)',
    // `event_key` makes a result that is judged again after a crash write nothing twice.
    `create table incident_event (id ${t.id}, event_key text not null unique,
      incident_id ${t.int} not null references incident(id) on delete cascade, at ${t.int} not null, kind text not null,
      severity_rank ${t.int}, actor text, text text not null, detail text not null)${t.end}`,
    'create index incident_event_incident on incident_event (incident_id, id)',
    // Hosts that can't be reached because of it.
    `create table incident_effect (id ${t.id}, incident_id ${t.int} not null references incident(id) on delete cascade,
      host_id ${t.int} not null references host(id) on delete cascade, since ${t.int} not null, until ${t.int})${t.end}`,
    'create index incident_effect_incident on incident_effect (incident_id, since)',
    'create index incident_effect_host on incident_effect (host_id, since)',
  ],
}
