import {
  CHANNEL_LABELS,
  CHECKS,
  CLAIM_TEXTS,
  DISCOVERY_METHOD_LABELS,
  DISCOVERY_RECURRENCE_LABELS,
  FIELD_SCOPE_LABELS,
  FIELD_TYPE_LABELS,
  HOLIDAY_REGION_LABELS,
  HOLIDAY_RULE_LABELS,
  holidayHours,
  holidayText,
  MAIL_SECURITY_LABELS,
  NO_DATA_LABELS,
  OWN_PICTURE,
  openingHours,
  openingText,
  RULE_KIND_LABELS,
  RULE_SEVERITY_LABELS,
} from '@narval/contracts'
import { isRecord } from './history-fields.ts'
import { HISTORY_LABELS } from './history-labels.ts'

/** Says a value that is there; null: it is told as it stands. */
type Say = (value: unknown) => string | null

/** One or several values of a list, by their names. */
const named =
  (labels: Readonly<Record<string, string>>): Say =>
  value =>
    [value]
      .flat()
      .map(one => labels[String(one)] ?? String(one))
      .join(', ')

const hours: Say = value => {
  const read = openingHours.safeParse(value)
  return read.success ? openingText(read.data) : null
}
const holidays: Say = value => {
  const read = holidayHours.safeParse(value)
  return read.success ? holidayText(read.data) : null
}
const claimNames = named(Object.fromEntries(Object.entries(CLAIM_TEXTS).map(([claim, { label }]) => [claim, label])))
/** Of channels and of credentials. */
const secretNames = named({
  ...{ password: 'Mot de passe', community: 'Communauté', authPassword: 'Mot de passe d’authentification' },
  ...{ privPassword: 'Mot de passe de chiffrement', authorization: 'En-tête Authorization' },
  ...{ signingKey: 'Clé de signature', url: 'Adresse', token: 'Jeton d’accès', secret: 'Secret' },
})
/** Of a list of records, their names. */
const names: Say = value =>
  Array.isArray(value) ? value.map(one => (isRecord(one) && 'name' in one ? one.name : '?')).join(', ') : null

const pairs: Say = value =>
  isRecord(value)
    ? Object.entries(value)
        .map(([key, one]) => `${key}\u202f: ${one}`)
        .join(', ')
    : null

/** Of a list of headers, their lines. */
const headers: Say = value =>
  Array.isArray(value) ? value.map(one => (isRecord(one) ? `${one.name}\u202f: ${one.value}` : '?')).join(', ') : null

/** Whatever they are of. */
const SAID: Readonly<Record<string, Say>> = {
  claims: claimNames,
  secretsGiven: secretNames,
  secretsRemoved: secretNames,
  noData: named(NO_DATA_LABELS),
  overrides: named(HISTORY_LABELS),
}
/** By the kind of object that they are of. */
const OBJECT_SAID: Readonly<Record<string, Readonly<Record<string, Say>>>> = {
  account: { avatar: value => (OWN_PICTURE.test(String(value)) ? 'image personnelle' : null) },
  site: { openingHours: hours, holidays },
  scanner: { kind: named(Object.fromEntries(Object.entries(CHECKS).map(([kind, { label }]) => [kind, label]))) },
  incident: { parentId: value => `n° ${value}` },
  'monitoring-model': { 'definition.scanners': names, 'definition.fields': pairs },
  'discovery-range': {
    methods: named(DISCOVERY_METHOD_LABELS),
    recurrence: named(DISCOVERY_RECURRENCE_LABELS),
  },
  'field-definition': { type: named(FIELD_TYPE_LABELS), scope: named(FIELD_SCOPE_LABELS) },
  maintenance: { 'schedule.kind': named({ 'one-off': 'Une fois', recurring: 'Répétée' }) },
  'notification-rule': {
    ...{ severities: named(RULE_SEVERITY_LABELS), kinds: named(RULE_KIND_LABELS) },
    ...{ 'period.hours': hours, 'period.holidays': named(HOLIDAY_RULE_LABELS) },
    'period.region': named(HOLIDAY_REGION_LABELS),
  },
  'notification-channel': {
    ...{ kind: named(CHANNEL_LABELS), 'settings.security': named(MAIL_SECURITY_LABELS) },
    ...{ 'settings.headers': headers, 'settings.priorities': pairs },
  },
}

/** The value of a field as its form says it; null for one that is told as it stands: a text, a number, a name. */
export const saidValue = (object: string, field: string, value: unknown): string | null =>
  value === null || value === '' ? null : ((OBJECT_SAID[object]?.[field] ?? SAID[field])?.(value) ?? null)
