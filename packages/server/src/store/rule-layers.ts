import {
  METRIC_INHERITED,
  RULE_KEYS,
  type RuleKey,
  type RuleOrigin,
  type RuleScope,
  type RuleSetting,
  type RuleValues,
  rulePlaces,
  SCANNER_INHERITED,
  SETTINGS,
  type SettingValue,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'
import { typeset } from '../http/typeset.ts'
import type { Db } from './database.ts'
import { metricOverrides, scannerOverrides } from './model-values.ts'
import { readOwnRules } from './rule-rows.ts'
import { namesSeen, visibleHost, visibleTo } from './visible.ts'

/** What one place says of rules. */
export interface RuleLayer {
  readonly origin: RuleOrigin
  readonly values: Partial<RuleValues>
}

/** An object that has rules, with those above it, the farthest first. */
export interface RuleObject {
  readonly name: string
  /** The host to read again when they change; null: all of them. */
  readonly hostId: number | null
  readonly layers: readonly RuleLayer[]
}

/** The layers of one object; null when it is not, or may not be seen. */
export const readRuleObject = async (
  db: Db,
  viewer: Viewer,
  scope: RuleScope,
  id: number,
): Promise<RuleObject | null> => {
  switch (scope) {
    case 'site':
      return siteObject(db, viewer, id)
    case 'model':
      return modelObject(db, id)
    case 'host':
      return hostObject(db, viewer, id)
    case 'scanner':
      return scannerObject(db, viewer, id)
    case 'metric':
      return metricObject(db, viewer, id)
    default:
      return scope satisfies never
  }
}

const layer = async (db: Db, scope: RuleScope, id: number, name: string): Promise<RuleLayer> => ({
  origin: { scope, id, name },
  values: await readOwnRules(db, scope, id),
})

/** The names of sites above that one does not see are not told; what they say counts all the same. */
const siteObject = async (
  db: Db,
  viewer: Viewer,
  id: number,
  seen = visibleTo(viewer, sql`site.id`),
): Promise<RuleObject | null> => {
  const { rows } = await sql<{
    id: number
    name: string
    depth: number
  }>`with recursive up(id, name, parent_id, depth) as (
      select site.id, site.name, site.parent_id, 0 from site where site.id = ${id} and ${seen}
      union all select above.id, above.name, above.parent_id, up.depth + 1 from site above join up on above.id = up.parent_id
      where up.depth < 100)
    select id, name, depth from up order by depth desc`.execute(db)
  const own = rows[rows.length - 1]
  if (own === undefined) return null
  const layers: RuleLayer[] = []
  const named = await namesSeen(db, viewer)
  for (const site of rows) layers.push(await layer(db, 'site', site.id, named(site.id, site.name)))
  return { name: own.name, hostId: null, layers }
}

const modelObject = async (db: Db, id: number): Promise<RuleObject | null> => {
  const row = await db.selectFrom('monitoring_model').select('name').where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : { name: row.name, hostId: null, layers: [await layer(db, 'model', id, row.name)] }
}

const hostObject = async (db: Db, viewer: Viewer, id: number): Promise<RuleObject | null> => {
  const host = await db
    .selectFrom('host')
    .select(['name', 'site_id'])
    .where('id', '=', id)
    .where(visibleHost(viewer))
    .executeTakeFirst()
  const site = host === undefined ? null : await siteObject(db, viewer, host.site_id, sql<boolean>`1 = 1`)
  if (host === undefined || site === null) return null
  const models = await db
    .selectFrom('host_monitoring_model as link')
    .innerJoin('monitoring_model as model', 'model.id', 'link.model_id')
    .select(['model.id', 'model.name'])
    .where('link.host_id', '=', id)
    // Of two models the first one counts: it is laid last.
    .orderBy('link.position', 'desc')
    .execute()
  const layers = [...site.layers]
  for (const model of models) layers.push(await layer(db, 'model', model.id, model.name))
  return { name: host.name, hostId: id, layers: [...layers, await layer(db, 'host', id, host.name)] }
}

interface Figures {
  readonly attempts: number | null
  readonly retry_interval_seconds?: number | null
}
/** What fields of the object itself say, and who filled them: its model, else itself. */
const figureLayers = (figures: Figures, own: RuleOrigin, model: RuleOrigin | null, overrides: readonly string[]) => {
  const columns = [
    ['attempts', figures.attempts],
    ['retryIntervalSeconds', figures.retry_interval_seconds ?? null],
  ] as const
  return columns.flatMap(([key, value]): RuleLayer[] =>
    value === null
      ? []
      : [{ origin: model === null || overrides.includes(key) ? own : model, values: { [key]: value } }],
  )
}

const scannerObject = async (db: Db, viewer: Viewer, id: number): Promise<RuleObject | null> => {
  const row = await db
    .selectFrom('scanner')
    .leftJoin('monitoring_model as model', 'model.id', 'scanner.model_id')
    .select(['scanner.name', 'scanner.host_id', 'attempts', 'retry_interval_seconds', 'overrides', 'model_id'])
    .select('model.name as model_name')
    .where('scanner.id', '=', id)
    .executeTakeFirst()
  const host = row === undefined ? null : await hostObject(db, viewer, row.host_id)
  if (row === undefined || host === null) return null
  const own = await layer(db, 'scanner', id, row.name)
  const overrides = row.model_id === null ? SCANNER_INHERITED : scannerOverrides(row.overrides)
  const figures = figureLayers(row, own.origin, modelOrigin(row.model_id, row.model_name), overrides)
  return { name: row.name, hostId: row.host_id, layers: [...host.layers, own, ...figures] }
}

const metricObject = async (db: Db, viewer: Viewer, id: number): Promise<RuleObject | null> => {
  const row = await db
    .selectFrom('metric')
    .innerJoin('scanner', 'scanner.id', 'metric.scanner_id')
    .leftJoin('monitoring_model as model', 'model.id', 'scanner.model_id')
    .select(['metric.name', 'metric.scanner_id', 'metric.attempts', 'metric.overrides', 'scanner.model_id'])
    .select('model.name as model_name')
    .where('metric.id', '=', id)
    .executeTakeFirst()
  const scanner = row === undefined ? null : await scannerObject(db, viewer, row.scanner_id)
  if (row === undefined || scanner === null) return null
  const own = await layer(db, 'metric', id, row.name)
  const overrides = row.model_id === null ? METRIC_INHERITED : metricOverrides(row.overrides)
  const figures = figureLayers(row, own.origin, modelOrigin(row.model_id, row.model_name), overrides)
  return { name: row.name, hostId: scanner.hostId, layers: [...scanner.layers, own, ...figures] }
}

const modelOrigin = (id: number | null, name: string | null): RuleOrigin | null =>
  id === null || name === null ? null : { scope: 'model', id, name }

/** The platform's own layer: each setting is a default of the product, or was chosen. */
const platformLayers = (settings: readonly SettingValue[]): RuleLayer[] =>
  settings.flatMap(({ key, value, origin }): RuleLayer[] => {
    const rule = RULE_KEYS.find(one => one === key)
    if (rule === undefined) return []
    const scope = origin === 'setting' ? 'platform' : 'default'
    const name = scope === 'platform' ? 'Plateforme' : 'Valeur d’origine'
    return [{ origin: { scope, id: null, name }, values: { [rule]: value } }]
  })

/** Every rule of an object: what is in force and who says it, its own, and what would hold without. */
export const rulesOf = (
  object: RuleObject,
  scope: RuleScope,
  id: number,
  platform: readonly SettingValue[],
): RuleSetting[] => {
  const layers = [...platformLayers(platform), ...object.layers]
  return RULE_KEYS.map(key => {
    const said = layers.flatMap(({ origin, values }) => {
      const value = values[key]
      return value === undefined ? [] : [{ origin, value }]
    })
    const isOwn = ({ origin }: { origin: RuleOrigin }) => origin.scope === scope && origin.id === id
    const others = said.filter(one => !isOwn(one))
    const inForce = said[said.length - 1] ?? fallback(key)
    return {
      key,
      ...definitionOf(key),
      own: said.findLast(isOwn)?.value ?? null,
      value: inForce.value,
      origin: inForce.origin,
      inherited: others[others.length - 1] ?? fallback(key),
      place: placeOf(key, scope),
    }
  })
}

const fallback = (key: RuleKey) => ({
  origin: { scope: 'default', id: null, name: 'Valeur d’origine' } satisfies RuleOrigin,
  value: SETTINGS[key].default,
})

const placeOf = (key: RuleKey, scope: RuleScope): RuleSetting['place'] => {
  const { own, form } = rulePlaces(key)
  if (own.includes(scope)) return 'here'
  return form.includes(scope) ? 'form' : 'above'
}

const definitionOf = (key: RuleKey): Pick<RuleSetting, 'label' | 'help' | 'type' | 'unit' | 'min' | 'max'> => {
  const definition = SETTINGS[key]
  return {
    label: definition.label,
    help: typeset(definition.help),
    type: definition.type,
    unit: definition.type === 'integer' ? definition.unit : '',
    min: definition.type === 'integer' ? definition.min : null,
    max: definition.type === 'integer' ? definition.max : null,
  }
}
