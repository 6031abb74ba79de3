import type { Migration } from '../dialect.ts'

/**
 * Since when an incident that came back fails; hosts that are unknown because of a probe beside those that can't be reached
 * because of a router: `kind` is `cut` or `blind`.
 */
export const incidentSpells: Migration = {
  name: '0028-incident-spells',
  statements: t => [
    `alter table incident add column reopened_at ${t.int}`,
    `update incident set reopened_at = (select max(line.at) from incident_event line
      where line.incident_id = incident.id and line.kind = 'reopened') where reopened > 0`,
    "alter table incident_effect add column kind text not null default 'cut'",
  ],
}
