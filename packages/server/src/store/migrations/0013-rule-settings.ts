import type { Migration } from '../dialect.ts'

const OWNERS = [
  ['site', 'site'],
  ['model', 'monitoring_model'],
  ['host', 'host'],
  ['scanner', 'scanner'],
  ['metric', 'metric'],
] as const

/** Rules of judging that an object has of its own, and what a metric remembers of its changes of severity. */
export const ruleSettings: Migration = {
  name: '0013-rule-settings',
  statements: t => [
    `alter table metric_state add column flapping ${t.int} not null default 0`,
    // `object_id` once more in the column of its scope: what is deleted takes its rules along.
    `create table rule_setting (id ${t.id}, scope text not null, object_id ${t.int} not null,
      ${OWNERS.map(([scope, table]) => `${scope}_id ${t.int} references ${table}(id) on delete cascade`).join(', ')},
      key text not null, value text not null, updated_at ${t.int} not null, updated_by text, unique (scope, object_id, key))${t.end}`,
    ...OWNERS.map(
      ([scope]) => `create index rule_setting_${scope} on rule_setting (${scope}_id) where ${scope}_id is not null`,
    ),
  ],
}
