import type { Migration } from '../dialect.ts'

/** Rules that say who is told of what, and the conversations that they lead. */
export const notificationRules: Migration = {
  name: '0017-notification-rules',
  statements: t => [
    `create table notification_rule (id ${t.id}, name text not null, name_folded text not null unique, position ${t.int} not null,
      enabled ${t.int} not null, settings text not null, created_at ${t.int} not null, updated_at ${t.int} not null,
      updated_by text)${t.end}`,
    'create index notification_rule_position on notification_rule (position)',
    // A conversation outlives its rule: who was told of the problem is told of its end.
    `create table notification_thread (id ${t.id}, rule_id ${t.int} references notification_rule(id) on delete set null,
      rule_name text not null, tell_recovery ${t.int} not null, site_id ${t.int} not null, state text not null,
      created_at ${t.int} not null, updated_at ${t.int} not null)${t.end}`,
    'create index notification_thread_rule on notification_thread (rule_id, site_id)',
  ],
}
