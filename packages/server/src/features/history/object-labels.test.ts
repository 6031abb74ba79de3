import { ALL_ROUTES, CHANNEL_SECRETS, CREDENTIAL_SECRETS, probeDuties, SETTINGS } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { factLabel, fieldLabel } from './object-labels.ts'
import { saidValue } from './value-words.ts'

const SECRETS = ['authorization', 'secret', 'password', 'signingKey', 'token'].map(one => `settings.${one}`)
/** What writes each kind of object, and what of it is never kept. */
const WRITTEN: readonly (readonly [kind: string, path: string, left: readonly string[]])[] = [
  ['account', 'Account/Create', ['password']],
  ['account', 'Account/Update/:id', ['theme', 'density', 'homePage']],
  ['user-group', 'UserGroup/Update/:id', ['siteIds']],
  ['site', 'Site/Create', []],
  ['site-type', 'Site/CreateType', []],
  ['host', 'Host/Create', ['withPing']],
  ['host-type', 'Host/CreateType', []],
  ['host-model', 'Host/CreateModel', []],
  ['metric', 'Metric/Create', ['thresholds', 'formulas']],
  ['scanner', 'Scanner/Create', []],
  ['monitoring-model', 'Model/Create', []],
  ['probe', 'Probe/Update/:id', []],
  ['probe-group', 'ProbeGroup/Create', []],
  ['discovery-range', 'Discovery/Range/Create', []],
  ['field-definition', 'CustomField/Definition', []],
  ['field-group', 'CustomField/Group', []],
  ['notification-rule', 'NotificationRule/Create', []],
  ['notification-channel', 'NotificationChannel/Create', SECRETS],
  ['maintenance', 'Maintenance/Create', ['incidents', 'filter', 'filter.list', 'filter.request']],
  ['comment', 'Comment/Create', ['kind', 'id']],
  ['log-book-note', 'LogBook/Create', []],
  ['handover', 'Handover/Create', []],
]

interface Schema {
  readonly shape?: Readonly<Record<string, Schema>>
  readonly def?: {
    readonly innerType?: Schema
    readonly options?: readonly Schema[]
    readonly element?: Schema
    readonly entries?: Readonly<Record<string, string>>
  }
}
/** The fields of a body, whatever is wrapped around it; those of all its variants. */
const fieldsIn = (schema: Schema | undefined): (readonly [field: string, Schema])[] =>
  schema?.shape === undefined
    ? [schema?.def?.innerType, ...(schema?.def?.options ?? [])].flatMap(one => (one === undefined ? [] : fieldsIn(one)))
    : Object.entries(schema.shape)
/** With the parts of those that are records, as a change of them is told. */
const partsIn = (path: string): (readonly [field: string, Schema])[] => {
  const route = ALL_ROUTES.find(one => one.path === `/api/${path}` && one.method !== 'GET')
  // What contracts export is a schema of zod; here only what it is made of counts.
  return fieldsIn(route?.body as Schema | undefined).flatMap(([field, schema]) => [
    [field, schema] as const,
    ...fieldsIn(schema).map(([part, one]) => [`${field}.${part}`, one] as const),
  ])
}
const fieldsOf = (path: string): string[] => [...new Set(partsIn(path).map(([field]) => field))]

/** Choices that are told as they stand: drawings, units, what a protocol calls them. */
const AS_IT_STANDS = new Set(['avatar', 'icon', 'unit', 'settings.method', 'settings.format'])
/** What a field may be set to, of those that are chosen from a list; of the parts of records too. */
const choicesOf = (path: string): (readonly [field: string, value: string])[] => {
  const valuesOf = (schema: Schema): string[] => [
    ...Object.values(schema.def?.entries ?? {}),
    ...[schema.def?.innerType, schema.def?.element].flatMap(inner => (inner === undefined ? [] : valuesOf(inner))),
  ]
  return partsIn(path).flatMap(([field, schema]) => valuesOf(schema).map(value => [field, value] as const))
}

describe('the names of fields in the log', () => {
  it.each(WRITTEN)('%s (%s): each has its French one', (kind, path, left) => {
    const fields = fieldsOf(path).filter(field => field !== 'updatedAt' && !left.includes(field))
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.filter(field => fieldLabel(kind, field) === undefined)).toEqual([])
  })

  it.each(WRITTEN)('%s (%s): what forms let one choose among is told by its French name', (kind, path, left) => {
    const choices = choicesOf(path).filter(([field]) => !left.includes(field) && !AS_IT_STANDS.has(field))
    const raw = choices.filter(([field, value]) => [null, value].includes(saidValue(kind, field, value)))
    expect(raw).toEqual([])
  })

  it('choices were found, in lists and in parts of records too', () => {
    const found = WRITTEN.flatMap(([kind, path]) =>
      choicesOf(path).map(([field, value]) => `${kind} ${field} ${value}`),
    )
    expect(found).toEqual(
      expect.arrayContaining([
        'notification-rule kinds link',
        'notification-rule period.region reunion',
        'notification-channel settings.security tls',
        'scanner kind snmp_ups',
      ]),
    )
  })

  it('secrets that were given are told by their names', () => {
    const secrets = [CHANNEL_SECRETS, CREDENTIAL_SECRETS].flatMap(of => Object.values(of).flat())
    expect(secrets).toContain('signingKey')
    expect(secrets.filter(one => saidValue('host', 'secretsGiven', one) === one)).toEqual([])
  })

  it('an incident that explains another one is told by its number, models by what is in them', () => {
    expect(saidValue('incident', 'parentId', 12)).toBe('n° 12')
    expect(saidValue('site', 'parentId', 12)).toBe(null)
    expect(saidValue('monitoring-model', 'definition.scanners', [{ name: 'Ping' }, { name: 'SSH' }])).toBe('Ping, SSH')
    expect(saidValue('monitoring-model', 'definition.fields', { baie: 'B2' })).toBe('baie\u202f: B2')
  })

  it('so has what else is told: credentials, what a probe is asked to try, what moves to another probe', () => {
    const settings = fieldsOf('Credential/Host/:id').flatMap(field => field.match(/^settings\.(.*)/)?.[1] ?? [])
    const secrets = ['community', 'authPassword', 'privPassword', 'password']
    expect(settings).toContain('authProtocol')
    expect(settings.filter(field => !secrets.includes(field) && fieldLabel('host', field) === undefined)).toEqual([])
    const facts = [...fieldsOf('Probe/Diagnose/:id'), 'to.id', 'to.name', ...Object.keys(probeDuties.shape)]
    expect(facts).toContain('followRedirects')
    expect(facts.filter(field => factLabel('probe', field) === undefined)).toEqual([])
  })

  it('settings have that of their form', () => {
    expect(Object.keys(SETTINGS).filter(key => fieldLabel('parameter', key) === undefined)).toEqual([])
    expect(fieldLabel('parameter', 'auditDays')).toBe(SETTINGS.auditDays.label)
  })
})
