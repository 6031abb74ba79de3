import type { Migration } from '../dialect.ts'

/** Ways to reach people, and what is to be delivered by them: written with what it tells, sent afterwards. */
export const notificationChannels: Migration = {
  name: '0016-notification-channels',
  statements: t => [
    `alter table account add column phone text not null default ''`,
    `create table notification_channel (id ${t.id}, name text not null, name_folded text not null unique, kind text not null,
      settings text not null, secret text not null, enabled ${t.int} not null, last_at ${t.int}, last_outcome text, last_answer text,
      last_ms ${t.int}, failing_since ${t.int}, alerted ${t.int} not null default 0, created_at ${t.int} not null,
      updated_at ${t.int} not null, updated_by text)${t.end}`,
    // A delivery outlives its channel, its rule and its person: no reference, names are kept beside.
    `create table delivery (id ${t.id}, delivery_key text not null unique,
      incident_id ${t.int} references incident(id) on delete set null, rule_id ${t.int}, rule_name text not null,
      channel_id ${t.int} not null, account_id ${t.int}, kind text not null, severity_rank ${t.int} not null, subject text not null,
      subject_folded text not null, message text not null, reason text not null, recipient text not null default '',
      state text not null, attempts ${t.int} not null default 0, created_at ${t.int} not null, due_at ${t.int} not null,
      first_at ${t.int}, tried_at ${t.int}, next_at ${t.int} not null, ended_at ${t.int}, answer text not null default '',
      duration_ms ${t.int})${t.end}`,
    'create index delivery_waiting on delivery (state, channel_id, next_at)',
    'create index delivery_ended on delivery (state, ended_at)',
    'create index delivery_of_incident on delivery (incident_id, id)',
    // All incidents of a message: by them the order is kept, and each shows what was told of it.
    `create table delivery_incident (delivery_id ${t.int} not null references delivery(id) on delete cascade,
      incident_id ${t.int} not null references incident(id) on delete cascade, primary key (delivery_id, incident_id))${t.end}`,
    'create index delivery_incident_incident on delivery_incident (incident_id, delivery_id)',
  ],
}
