import { setImmediate } from 'node:timers/promises'
import { CHECK_KINDS, type ModelDefinition, type ModelScanner } from '@narval/contracts'
import type { Db } from './database.ts'
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
import { definitionOf, type KnownModel, type WantedScanner, wantedScanners } from './model-values.ts'

/** Hosts whose scanners and metrics are read and compared at once: some 20 ms, between which others get their turn. */
const HOSTS_AT_ONCE = 250
/** Ids in one statement. */
export const IDS_AT_ONCE = 5_000

/** What would become of some hosts; everything that is as it should be is left out. */
export interface ModelChanges {
  readonly created: readonly { readonly hostId: number; readonly wanted: WantedScanner }[]
  readonly scanners: readonly { readonly kept: Kept; readonly change: ScannerChange }[]
  readonly metrics: readonly { readonly kept: Kept; readonly held: HeldMetric; readonly change: MetricChange }[]
  readonly deleted: readonly HeldScanner[]
  readonly deletedMetrics: readonly { readonly id: number; readonly hostId: number }[]
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
    if (matched.length > 0) yield changesOf(db, matched)
    // Inside a transaction too: the turn is bounded, and everything that needs no database goes on.
    await setImmediate()
  }
}

type MatchedHost = ReturnType<typeof matchScanners> & { readonly hostId: number }

const changesOf = async (db: Db, matched: readonly MatchedHost[]): Promise<ModelChanges> => {
  const kept = matched.flatMap(host => host.kept)
  const deleted = matched.flatMap(host => host.deleted)
  const keptById = new Map(kept.map(one => [one.held.id, one]))
  const hostOfDeleted = new Map(deleted.map(scanner => [scanner.id, scanner.host_id]))
  const metrics = await readMetrics(db, [...keptById.keys(), ...hostOfDeleted.keys()])
  return {
    created: matched.flatMap(({ hostId, created }) => created.map(wanted => ({ hostId, wanted }))),
    scanners: kept.map(one => ({ kept: one, change: scannerChange(one) })).filter(hasChange),
    metrics: metrics
      .flatMap(held => {
        const one = keptById.get(held.scanner_id)
        return one === undefined ? [] : [{ kept: one, held, change: metricChange(held, one) }]
      })
      .filter(hasChange),
    deleted,
    deletedMetrics: metrics.flatMap(({ id, scanner_id }) => {
      const hostId = hostOfDeleted.get(scanner_id)
      return hostId === undefined ? [] : [{ id, hostId }]
    }),
  }
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

const readMetrics = async (db: Db, scannerIds: readonly number[]): Promise<HeldMetric[]> => {
  const metrics: HeldMetric[] = []
  for (const ids of slicesOf(scannerIds, IDS_AT_ONCE)) {
    const rows = await db
      .selectFrom('metric')
      .select([
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
      ])
      .where('scanner_id', 'in', ids)
      .orderBy('id')
      .execute()
    for (const row of rows) metrics.push(row)
  }
  return metrics
}
