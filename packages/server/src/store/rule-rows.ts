import { RULE_KEYS, RULE_SCOPES, type RuleKey, type RuleScope, type RuleValues, SETTINGS } from '@narval/contracts'
import { sql } from 'kysely'
import { batches } from './batches.ts'
import type { Db } from './database.ts'

type OwnRules = Partial<RuleValues>
interface RuleRow {
  readonly scope: string
  readonly object_id: number
  readonly key: string
  readonly value: string
}
type Maps = Record<RuleScope, Map<number, OwnRules>>

/** What is wrong with a value for a rule, in French; null when it is accepted. */
export const ruleFault = (key: RuleKey, value: unknown): string | null => {
  const definition = SETTINGS[key]
  if (definition.type === 'boolean') return typeof value === 'boolean' ? null : 'Oui ou non est attendu'
  const { min, max } = definition
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? null
    : `Un nombre entier de ${min} à ${max} est attendu`
}

/** Rules as they are kept, by scope and object; what this version does not know is left out. */
const byObject = (rows: readonly RuleRow[]): Maps => {
  const maps: Maps = { site: new Map(), model: new Map(), host: new Map(), scanner: new Map(), metric: new Map() }
  for (const row of rows) {
    const scope = RULE_SCOPES.find(one => one === row.scope)
    const key = RULE_KEYS.find(one => one === row.key)
    const value: unknown = JSON.parse(row.value)
    if (scope === undefined || key === undefined || ruleFault(key, value) !== null) continue
    maps[scope].set(row.object_id, { ...maps[scope].get(row.object_id), [key]: value })
  }
  return maps
}

/** What is known of rules: of objects, the sites above each site, and of hosts those of their models that have rules. */
export interface RuleRows {
  readonly own: Maps
  readonly parents: ReadonlyMap<number, number | null>
  readonly models: Map<number, number[]>
}

export const NO_RULE_ROWS: RuleRows = { own: byObject([]), parents: new Map(), models: new Map() }

/** All of it. */
export const readRuleRows = async (db: Db): Promise<RuleRows> => {
  const own = byObject(await db.selectFrom('rule_setting').select(['scope', 'object_id', 'key', 'value']).execute())
  const sites = own.site.size === 0 ? [] : await db.selectFrom('site').select(['id', 'parent_id']).execute()
  return {
    own,
    parents: new Map(sites.map(site => [site.id, site.parent_id])),
    models: await readModelsOf(db, [...own.model.keys()]),
  }
}

const readModelsOf = async (db: Db, modelIds: readonly number[], hostIds?: readonly number[]) => {
  const models = new Map<number, number[]>()
  for (const some of modelIds.length === 0 ? [] : batches(modelIds)) {
    const links = db
      .selectFrom('host_monitoring_model')
      .select(['host_id', 'model_id'])
      .where('model_id', 'in', some)
      .orderBy('host_id')
      .orderBy('position')
    const rows = await (hostIds === undefined ? links : links.where('host_id', 'in', hostIds)).execute()
    for (const { host_id, model_id } of rows) models.set(host_id, [...(models.get(host_id) ?? []), model_id])
  }
  return models
}

/** Reads again what some hosts, their scanners and their metrics say; `gone`: what was theirs. */
export const refreshRuleRows = async (
  db: Db,
  rows: RuleRows,
  hostIds: readonly number[],
  gone: { readonly scanners: Iterable<number>; readonly metrics: Iterable<number> },
): Promise<void> => {
  for (const id of hostIds) {
    rows.own.host.delete(id)
    rows.models.delete(id)
  }
  for (const id of gone.scanners) rows.own.scanner.delete(id)
  for (const id of gone.metrics) rows.own.metric.delete(id)
  const some = await db.selectFrom('rule_setting').select('id').limit(1).execute()
  if (some.length === 0) return
  for (const ids of batches(hostIds)) {
    const these = sql.join(ids)
    const found = await sql<RuleRow>`select scope, object_id, key, value from rule_setting where host_id in (${these})
      or scanner_id in (select id from scanner where host_id in (${these}))
      or metric_id in (select id from metric where host_id in (${these}))`.execute(db)
    const fresh = byObject(found.rows)
    for (const scope of ['host', 'scanner', 'metric'] as const)
      for (const [id, own] of fresh[scope]) rows.own[scope].set(id, own)
    for (const [id, models] of await readModelsOf(db, [...rows.own.model.keys()], ids)) rows.models.set(id, models)
  }
}

/** Rules of one object. */
export const readOwnRules = async (db: Db, scope: RuleScope, id: number): Promise<OwnRules> => {
  const rows = await db
    .selectFrom('rule_setting')
    .select(['scope', 'object_id', 'key', 'value'])
    .where('scope', '=', scope)
    .where('object_id', '=', id)
    .execute()
  return byObject(rows)[scope].get(id) ?? {}
}

/** Gives an object a rule of its own, or takes it away (null). */
export const writeOwnRule = async (
  trx: Db,
  scope: RuleScope,
  id: number,
  { key, value, by, atMs }: { key: RuleKey; value: number | boolean | null; by: string; atMs: number },
): Promise<void> => {
  if (value === null) {
    await trx
      .deleteFrom('rule_setting')
      .where('scope', '=', scope)
      .where('object_id', '=', id)
      .where('key', '=', key)
      .execute()
    return
  }
  const column = sql.ref(`${scope}_id`)
  await sql`insert into rule_setting (scope, object_id, ${column}, key, value, updated_at, updated_by)
    values (${scope}, ${id}, ${id}, ${key}, ${JSON.stringify(value)}, ${atMs}, ${by})
    on conflict (scope, object_id, key) do update set value = excluded.value, updated_at = excluded.updated_at,
    updated_by = excluded.updated_by`.execute(trx)
}
