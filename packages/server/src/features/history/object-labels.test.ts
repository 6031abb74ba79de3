import { ALL_ROUTES, probeDuties, SETTINGS } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { factLabel, fieldLabel } from './object-labels.ts'

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
  ['notification-channel', 'NotificationChannel/Create', ['settings.authorization', 'settings.secret']],
  ['maintenance', 'Maintenance/Create', ['incidents', 'filter', 'filter.list', 'filter.request']],
  ['comment', 'Comment/Create', ['kind', 'id']],
  ['log-book-note', 'LogBook/Create', []],
  ['handover', 'Handover/Create', []],
]

interface Schema {
  readonly shape?: Readonly<Record<string, Schema>>
  readonly def?: { readonly innerType?: Schema; readonly options?: readonly Schema[] }
}
/** The fields of a body, whatever is wrapped around it; those of all its variants. */
const shapeOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> => {
  if (schema?.shape !== undefined) return schema.shape
  if (schema?.def?.innerType !== undefined) return shapeOf(schema.def.innerType)
  return Object.assign({}, ...(schema?.def?.options ?? []).map(shapeOf))
}
/** With the parts of those that are records, as a change of them is told. */
const fieldsOf = (path: string): string[] => {
  const route = ALL_ROUTES.find(one => one.path === `/api/${path}` && one.method !== 'GET')
  // What contracts export is a schema of zod; here only what it is made of counts.
  const body = shapeOf(route?.body as Schema | undefined)
  return Object.entries(body).flatMap(([field, schema]) => [
    field,
    ...Object.keys(shapeOf(schema)).map(part => `${field}.${part}`),
  ])
}

describe('the names of fields in the log', () => {
  it.each(WRITTEN)('%s (%s): each has its French one', (kind, path, left) => {
    const fields = fieldsOf(path).filter(field => field !== 'updatedAt' && !left.includes(field))
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.filter(field => fieldLabel(kind, field) === undefined)).toEqual([])
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
