import { fold, type Thresholds, thresholds } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { siteBodyOf } from '../../store/site-body.ts'
import { visibleHost, visibleTo } from '../../store/visible.ts'
import { createTurns } from '../../turns.ts'
import type { Existing } from './import-object.ts'

/** Rows read by one statement, and ids or names asked by one. */
const SLICE = 1_000
const ASKED = 500

/** All rows of a query that orders by ascending id, slice by slice, others having their turn in between. */
async function* slices<T extends { id: number }>(page: (after: number) => Promise<T[]>): AsyncGenerator<T> {
  const turn = createTurns()
  for (let after = 0; ; ) {
    const rows = await page(after)
    yield* rows
    if (rows.length < SLICE) return
    after = rows.at(-1)?.id ?? after
    await turn()
  }
}

export const readSites = async (
  db: Db,
  viewer: Viewer,
): Promise<(Existing & { code: string; parentId: number | null })[]> => {
  const sites: (Existing & { code: string; parentId: number | null })[] = []
  const page = (after: number) =>
    db
      .selectFrom('site')
      .selectAll()
      .where(visibleTo(viewer, sql`site.id`))
      .where('id', '>', after)
      .orderBy('id')
      .limit(SLICE)
      .execute()
  for await (const row of slices(page))
    sites.push({
      id: row.id,
      name: row.name,
      code: row.code,
      parentId: row.parent_id,
      updatedAt: row.updated_at,
      body: siteBodyOf(row),
    })
  return sites
}

const parsed = (text: string): unknown => JSON.parse(text)

export interface HostName {
  readonly id: number
  readonly name: string
  readonly site_id: number
}
/** Every host that may be seen, by name alone: some MB for 50,000. */
export const readHostNames = async (db: Db, viewer: Viewer): Promise<HostName[]> => {
  const hosts: HostName[] = []
  const page = (after: number) =>
    db
      .selectFrom('host')
      .select(['id', 'name', 'site_id'])
      .where(visibleHost(viewer))
      .where('id', '>', after)
      .orderBy('id')
      .limit(SLICE)
      .execute()
  for await (const row of slices(page)) hosts.push(row)
  return hosts
}

export const readHosts = async (db: Db, ids: readonly number[]): Promise<Map<number, Existing>> => {
  const hosts = new Map<number, Existing>()
  const turn = createTurns()
  for (const asked of batches(ids, ASKED)) {
    const rows = await db.selectFrom('host').selectAll().where('id', 'in', asked).execute()
    const above = await db
      .selectFrom('host_parent')
      .selectAll()
      .where('host_id', 'in', asked)
      .orderBy('parent_id')
      .execute()
    const models = await db
      .selectFrom('host_monitoring_model')
      .select(['host_id', 'model_id'])
      .where('host_id', 'in', asked)
      .orderBy('position')
      .execute()
    const parentsOf = Map.groupBy(above, link => link.host_id)
    const modelsOf = Map.groupBy(models, link => link.host_id)
    for (const row of rows)
      hosts.set(row.id, {
        id: row.id,
        name: row.name,
        updatedAt: row.updated_at,
        body: {
          name: row.name,
          address: row.address,
          typeId: row.type_id,
          modelId: row.model_id,
          siteId: row.site_id,
          probeId: row.probe_id,
          lifeScannerId: row.life_scanner_id,
          parentIds: (parentsOf.get(row.id) ?? []).map(link => link.parent_id),
          monitoringModelIds: (modelsOf.get(row.id) ?? []).map(link => link.model_id),
          tags: parsed(row.tags),
          enabled: row.enabled === 1,
          description: row.description,
          instruction: row.instruction,
        },
      })
    await turn()
  }
  return hosts
}

/** What each host stands under. */
export const readHostParents = async (db: Db): Promise<Map<number, number[]>> => {
  const parents = new Map<number, number[]>()
  for (const { host_id, parent_id } of await db.selectFrom('host_parent').selectAll().execute()) {
    const above = parents.get(host_id)
    if (above === undefined) parents.set(host_id, [parent_id])
    else above.push(parent_id)
  }
  return parents
}

export interface MetricTarget extends Existing {
  readonly hostName: string
  readonly scannerName: string
  readonly key: string
  /** Where it is found without its id. */
  readonly place: string
}
/** Where a metric is found without its id: folded names of host and scanner, and its key. */
export const placeOf = (host: string, scanner: string, key: string): string =>
  [fold(host), fold(scanner), key].join('\n')

const metricsBy = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('metric')
    .innerJoin('host', 'host.id', 'metric.host_id')
    .innerJoin('scanner', 'scanner.id', 'metric.scanner_id')
    .where(visibleHost(viewer))
    .select([
      'metric.id',
      'metric.key',
      'metric.name',
      'metric.thresholds',
      'metric.attempts',
      'metric.no_data',
      'metric.enabled',
      'metric.updated_at',
      'metric.overrides',
      'metric.formulas',
      'host.name as host_name',
      'scanner.name as scanner_name',
    ])

/** Metrics of these ids, and all those of hosts of these names. */
export const readMetrics = async (
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
  hostNames: readonly string[],
): Promise<MetricTarget[]> => {
  const found: MetricTarget[] = []
  const turn = createTurns()
  const add = (rows: Awaited<ReturnType<ReturnType<typeof metricsBy>['execute']>>): void => {
    for (const row of rows)
      found.push({
        id: row.id,
        name: `${row.host_name} · ${row.name}`,
        updatedAt: row.updated_at,
        hostName: row.host_name,
        scannerName: row.scanner_name,
        key: row.key,
        place: placeOf(row.host_name, row.scanner_name, row.key),
        body: {
          name: row.name,
          thresholds: thresholdsOf(row.thresholds),
          attempts: row.attempts,
          noData: row.no_data,
          enabled: row.enabled === 1,
          overrides: parsed(row.overrides),
          formulas: parsed(row.formulas),
        },
      })
  }
  for (const asked of batches(ids, ASKED)) {
    add(await metricsBy(db, viewer).where('metric.id', 'in', asked).execute())
    await turn()
  }
  for (const asked of batches(hostNames, ASKED / 10)) {
    add(await metricsBy(db, viewer).where('host.name_folded', 'in', asked).execute())
    await turn()
  }
  return found
}

/** In the schema's own order of sides, so that two of the same values are the same text. */
const thresholdsOf = (text: string): Thresholds => thresholds.parse(JSON.parse(text))

/** Lists that a cell names: small tables, read whole. */
export const readLists = async (db: Db) => ({
  siteTypes: await db.selectFrom('site_type').select(['id', 'name']).execute(),
  hostTypes: await db.selectFrom('host_type').select(['id', 'name']).execute(),
  hostModels: await db.selectFrom('host_model').select(['id', 'name', 'manufacturer']).execute(),
  probes: await db.selectFrom('probe').select(['id', 'name']).execute(),
  models: await db.selectFrom('monitoring_model').select(['id', 'name']).execute(),
})
export type Lists = Awaited<ReturnType<typeof readLists>>

/** Mappings of columns that an account keeps for each entity: those of the headers used last. */
const KEPT = 50

export const readMapping = async (db: Db, accountId: number, entity: string, header: string): Promise<string | null> =>
  (
    await db
      .selectFrom('import_mapping')
      .select('mapping')
      .where('account_id', '=', accountId)
      .where('entity', '=', entity)
      .where('header', '=', header)
      .executeTakeFirst()
  )?.mapping ?? null

export const saveMapping = async (
  db: Db,
  row: { account_id: number; entity: string; header: string; mapping: string; used_at: number },
): Promise<void> => {
  await db
    .insertInto('import_mapping')
    .values(row)
    .onConflict(on =>
      on.columns(['account_id', 'entity', 'header']).doUpdateSet({ mapping: row.mapping, used_at: row.used_at }),
    )
    .execute()
  await sql`delete from import_mapping where account_id = ${row.account_id} and entity = ${row.entity} and header not in
    (select header from import_mapping where account_id = ${row.account_id} and entity = ${row.entity} order by used_at desc limit ${KEPT})`.execute(
    db,
  )
}
