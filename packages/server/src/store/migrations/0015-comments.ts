import type { Migration } from '../dialect.ts'

/** Comments on objects, and the alerts that each account asks for. */
export const comments: Migration = {
  name: '0015-comments',
  statements: t => [
    // One of the four objects: with it goes what was said of it. An author's name outlives the account.
    `create table comment (id ${t.id}, kind text not null, site_id ${t.int} references site(id) on delete cascade,
      host_id ${t.int} references host(id) on delete cascade, metric_id ${t.int} references metric(id) on delete cascade,
      incident_id ${t.int} references incident(id) on delete cascade, text text not null,
      author_id ${t.int} references account(id) on delete set null, author text not null, pinned ${t.int} not null,
      from_at ${t.int}, to_at ${t.int}, edited_at ${t.int}, created_at ${t.int} not null, updated_at ${t.int} not null,
      updated_by text)${t.end}`,
    ...['site', 'host', 'metric', 'incident'].map(
      kind => `create index comment_${kind} on comment (${kind}_id, id) where ${kind}_id is not null`,
    ),
    'create index comment_author on comment (author_id) where author_id is not null',
    // `sites`: JSON list; null for all.
    `create table alert_setting (account_id ${t.int} primary key references account(id) on delete cascade,
      error ${t.int} not null, warning ${t.int} not null, unknown ${t.int} not null, recovery ${t.int} not null,
      mine ${t.int} not null, acts ${t.int} not null, sites text)${t.end}`,
    'create index outbox_incident on outbox (incident_id, id) where incident_id is not null',
  ],
}
