import { setImmediate } from 'node:timers/promises'
import { CHECK_KINDS, type ModelDefinition, type ModelScanner, type Thresholds } from '@narval/contracts'
import type { Db } from './database.ts'
import { type FieldOwner, type ModelFields, readModelFields as readFieldsOfModels } from './field-effective.ts'
import { readFigures, withFormulas } from './field-formulas.ts'
import {
  type HeldMetric,
  type HeldScanner,
  type Kept,
  type MetricChange,
  matchScanners,
  metricChange,
  type ScannerChange,
  scannerChange,
} from './model-reconcile.ts'
import {
  definitionOf,
  formulasOf,
  type KnownModel,
  sameThresholds,
  type WantedScanner,
  wantedScanners,
} from './model-values.ts'

/** Hosts whose scanners and metrics are read and compared at once: some 10 ms, between which others get their turn. */
const HOSTS_AT_ONCE = 100
/** Ids in one statement. */
export const IDS_AT_ONCE = 5_000

/** What would become of some hosts; everything that is as it should be is left out. */
export interface ModelChanges {
  readonly created: readonly { readonly hostId: number; readonly wanted: WantedScanner }[]
  readonly scanners: readonly { readonly kept: Kept; readonly change: ScannerChange }[]
  readonly metrics: readonly ChangedMetric[]
  readonly deleted: readonly HeldScanner[]
  readonly deletedMetrics: readonly { readonly id: number; readonly hostId: number }[]
}

/** `change` of a metric whose thresholds only follow the values of custom fields is `computed`: no edit of the metric. */
export interface ChangedMetric {
  readonly hostId: number
  readonly held: HeldMetric
  readonly change: MetricChange
  readonly computed: boolean
}

/** A model as it would be: another definition, or none at all (null). */
export interface Foreseen {
  readonly modelId: number
  readonly definition: ModelDefinition | null
}

export const slicesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/**
 * What the models of these hosts ask of their scanners and metrics, by batches of hosts, written nowhere. With `foreseen`,
 * as if that model were already so.
 */
export async function* modelChanges(
  db: Db,
  hostIds: readonly number[],
  foreseen?: Foreseen,
): AsyncGenerator<ModelChanges> {
  const known = new Map<number, KnownModel>()
  const wantedBy = new Map<string, readonly WantedScanner[]>()
  for (const ids of slicesOf([...new Set(hostIds)], HOSTS_AT_ONCE)) {
    const links = (await readLinks(db, ids)).filter(
      link => link.model_id !== foreseen?.modelId || foreseen.definition !== null,
    )
    await addModels(
      db,
      known,
      links.map(link => link.model_id),
      foreseen,
    )
    const held = await readScanners(db, ids)
    const linksByHost = Map.groupBy(links, link => link.host_id)
    const heldByHost = Map.groupBy(held, scanner => scanner.host_id)
    const matched = ids.flatMap(hostId => {
      const models = (linksByHost.get(hostId) ?? []).map(link => link.model_id)
      const own = heldByHost.get(hostId) ?? []
      if (models.length === 0 && own.every(scanner => scanner.model_id === null)) return []
      const key = models.join(' ')
      const wanted = wantedBy.get(key) ?? wantedScanners(models.flatMap(id => known.get(id) ?? []))
      wantedBy.set(key, wanted)
      return [{ hostId, ...matchScanners(wanted, own) }]
    })
    const changes = await changesOf(db, ids, matched, foreseen)
    if (Object.values(changes).some(some => some.length > 0)) yield changes
    // Inside a transaction too: the turn is bounded, and everything that needs no database goes on.
    await setImmediate()
  }
}

type MatchedHost = ReturnType<typeof matchScanners> & { readonly hostId: number }

const changesOf = async (
  db: Db,
  hostIds: readonly number[],
  matched: readonly MatchedHost[],
  foreseen: Foreseen | undefined,
): Promise<ModelChanges> => {
  const kept = matched.flatMap(host => host.kept)
  const deleted = matched.flatMap(host => host.deleted)
  const keptById = new Map(kept.map(one => [one.held.id, one]))
  const hostOfDeleted = new Map(deleted.map(scanner => [scanner.id, scanner.host_id]))
  const metrics = await readMetrics(db, [...keptById.keys(), ...hostOfDeleted.keys()])
  const inherited = metrics.flatMap(held => {
    const one = keptById.get(held.scanner_id)
    return one === undefined
      ? []
      : [{ hostId: one.held.host_id, held, change: metricChange(held, one), computed: false }]
  })
  const others = (await readComputed(db, hostIds)).filter(
    ({ scanner_id }) => !keptById.has(scanner_id) && !hostOfDeleted.has(scanner_id),
  )
  const own = others.map(held => ({ hostId: held.host_id, held, change: {}, computed: true }))
  return {
    created: matched.flatMap(({ hostId, created }) => created.map(wanted => ({ hostId, wanted }))),
    scanners: kept.map(one => ({ kept: one, change: scannerChange(one) })).filter(hasChange),
    metrics: (await withComputed(db, [...inherited, ...own], foreseen)).filter(hasChange),
    deleted,
    deletedMetrics: metrics.flatMap(({ id, scanner_id }) => {
      const hostId = hostOfDeleted.get(scanner_id)
      return hostId === undefined ? [] : [{ id, hostId }]
    }),
  }
}

/** The sides of thresholds that formulas give, by the custom fields in force once the models are as they are to be. */
const withComputed = async (
  db: Db,
  metrics: readonly ChangedMetric[],
  foreseen: Foreseen | undefined,
): Promise<readonly ChangedMetric[]> => {
  const formulasAfter = ({ held, change }: ChangedMetric) => change.formulas ?? held.formulas
  const hostIds = new Set(metrics.filter(one => formulasAfter(one) !== '{}').map(one => one.hostId))
  if (hostIds.size === 0) return metrics
  const owners = await readOwners(db, [...hostIds])
  const figures = await readFigures(db, owners, await readModelFields(db, foreseen))
  return metrics.map(one => {
    if (formulasAfter(one) === '{}') return one
    const base: Thresholds = JSON.parse(one.change.thresholds ?? one.held.thresholds)
    const next = withFormulas(base, formulasOf(formulasAfter(one)), figures(one.hostId))
    const { thresholds: _, ...change } = one.change
    if (sameThresholds(next, JSON.parse(one.held.thresholds))) return { ...one, change }
    const isOnlyComputed = Object.keys(change).length === 0 && one.change.thresholds === undefined
    return { ...one, change: { ...change, thresholds: JSON.stringify(next) }, computed: isOnlyComputed }
  })
}

const readOwners = async (db: Db, hostIds: readonly number[]): Promise<FieldOwner[]> => {
  const rows = await db.selectFrom('host').select(['id', 'type_id']).where('id', 'in', hostIds).execute()
  return rows.map(row => ({ id: row.id, typeId: row.type_id }))
}

const readModelFields = async (db: Db, foreseen: Foreseen | undefined): Promise<readonly ModelFields[]> => {
  const now = await readFieldsOfModels(db)
  if (foreseen === undefined) return now
  const others = now.filter(model => model.id !== foreseen.modelId)
  const fields = foreseen.definition?.fields ?? {}
  return Object.keys(fields).length === 0 ? others : [...others, { id: foreseen.modelId, name: '', fields }]
}

const hasChange = ({ change }: { readonly change: object }): boolean => Object.keys(change).length > 0

const readLinks = (db: Db, hostIds: readonly number[]) =>
  db
    .selectFrom('host_monitoring_model')
    .select(['host_id', 'model_id'])
    .where('host_id', 'in', hostIds)
    .orderBy('host_id')
    .orderBy('position')
    .orderBy('model_id')
    .execute()

const addModels = async (
  db: Db,
  known: Map<number, KnownModel>,
  ids: readonly number[],
  foreseen: Foreseen | undefined,
): Promise<void> => {
  const missing = [...new Set(ids)].filter(id => !known.has(id))
  if (missing.length === 0) return
  for (const model of await readModels(db, missing)) {
    const definition = model.id === foreseen?.modelId ? foreseen.definition : null
    known.set(model.id, definition === null ? model : { ...model, definition })
  }
}

/** Models with their definitions, by id. */
export const readModels = async (db: Db, ids: readonly number[]): Promise<KnownModel[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('monitoring_model')
    .select(['id', 'name', 'definition'])
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name, definition }) => ({ id, name, definition: definitionOf(definition) }))
}

/** Models by id, for what shows scanners and metrics with what they inherit. */
export type Models = ReadonlyMap<number, KnownModel>

/** The models that these scanners, or metrics of scanners, come from. */
export const modelsOf = async (db: Db, rows: readonly { readonly model_id: number | null }[]): Promise<Models> => {
  const ids = new Set(rows.flatMap(row => row.model_id ?? []))
  return new Map((await readModels(db, [...ids])).map(model => [model.id, model]))
}

/** What its model says of a scanner; null for a scanner of the host alone. */
export const modelScannerOf = (
  models: Models,
  row: { readonly model_id: number | null; readonly model_item: string | null },
): ModelScanner | null =>
  models.get(row.model_id ?? 0)?.definition.scanners.find(({ item }) => item === row.model_item) ?? null

const readScanners = async (db: Db, hostIds: readonly number[]): Promise<HeldScanner[]> => {
  const rows = await db
    .selectFrom('scanner')
    .select(['id', 'host_id', 'name', 'name_folded', 'kind', 'model_id', 'model_item', 'overrides'])
    .select(['interval_seconds', 'retry_interval_seconds', 'timeout_ms', 'attempts', 'parameters', 'enabled'])
    .where('host_id', 'in', hostIds)
    .orderBy('id')
    .execute()
  return rows.flatMap(row => {
    const kind = CHECK_KINDS.find(one => one === row.kind)
    return kind === undefined ? [] : [{ ...row, kind }]
  })
}

const METRIC_COLUMNS = [
  'id',
  'scanner_id',
  'key',
  'name',
  'thresholds',
  'formulas',
  'attempts',
  'no_data',
  'enabled',
  'overrides',
] as const

/** Metrics of these hosts that have formulas, whoever said them. */
const readComputed = (db: Db, hostIds: readonly number[]) =>
  db
    .selectFrom('metric')
    .select(METRIC_COLUMNS)
    .select('host_id')
    .where('host_id', 'in', hostIds)
    .where('formulas', '!=', '{}')
    .orderBy('id')
    .execute()

const readMetrics = async (db: Db, scannerIds: readonly number[]): Promise<HeldMetric[]> => {
  const metrics: HeldMetric[] = []
  for (const ids of slicesOf(scannerIds, IDS_AT_ONCE)) {
    const rows = await db
      .selectFrom('metric')
      .select(METRIC_COLUMNS)
      .where('scanner_id', 'in', ids)
      .orderBy('id')
      .execute()
    for (const row of rows) metrics.push(row)
  }
  return metrics
}
