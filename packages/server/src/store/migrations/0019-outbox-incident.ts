import type { Migration } from '../dialect.ts'

/** Alerts are shown by incident: which is the newest of each must not read them all. */
export const outboxIncident: Migration = {
  name: '0019-outbox-incident',
  statements: () => ['create index if not exists outbox_incident on outbox (incident_id, id)'],
}
