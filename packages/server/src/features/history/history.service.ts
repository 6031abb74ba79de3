import {
  CHECK_KINDS,
  CHECKS,
  type CheckKind,
  HISTORY_PAGE,
  type HistoryEntry,
  type HistoryObject,
  parameterName,
  parameterText,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import type { Database, Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { type Change, isRecord, readableChanges } from './history-fields.ts'
import { HISTORY_LABELS } from './history-labels.ts'

/** The lists that ids of a field are of. */
const REFERENCES = {
  siteId: 'site',
  parentId: 'site',
  hostId: 'host',
  parentIds: 'host',
  probeId: 'probe',
  scannerId: 'scanner',
  lifeScannerId: 'scanner',
  modelId: 'host_model',
  monitoringModelIds: 'monitoring_model',
} as const
type Named = (typeof REFERENCES)[keyof typeof REFERENCES] | 'site_type' | 'host_type'

const referenceOf = (object: HistoryObject, field: string): Named | null => {
  if (field === 'typeId') return object === 'site' ? 'site_type' : 'host_type'
  const found = Object.entries(REFERENCES).find(([name]) => name === field)
  return found?.[1] ?? null
}

/** The fields of one line of the audit: `changes` as `auditChange` writes them, else what else is told. */
const changesOf = (detail: string): Change[] => {
  const told: unknown = JSON.parse(detail)
  if (!isRecord(told)) return []
  const changes = isRecord(told.changes) ? told.changes : null
  if (changes === null) return []
  return Object.entries(changes).flatMap(([field, change]) =>
    isRecord(change) ? [{ field, before: change.before ?? null, after: change.after ?? null }] : [],
  )
}

/** Parts of a field that is a record (thresholds) are told one by one, and only those that differ. */
const unfolded = ({ field, before, after }: Change): Change[] => {
  if (!isRecord(before) && !isRecord(after)) return [{ field, before, after }]
  const [old, fresh] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .map(part => ({ field: `${field}.${part}`, before: old[part] ?? null, after: fresh[part] ?? null }))
    .filter(change => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

const idsIn = (value: unknown): number[] => [value].flat().filter(id => typeof id === 'number')

/** What was done to records, as the audit keeps it, in words that people read: no custom field that they may not read. */
export const createHistoryService = (database: Database) => ({
  async list(viewer: Viewer, object: HistoryObject, id: number, before: number | undefined): Promise<HistoryEntry[]> {
    const { db } = database
    if (!(await isThere(db, object, id))) throw notFound("Cet objet n'existe pas.")
    const rows = await db
      .selectFrom('audit')
      .select(['id', 'at', 'actor', 'action', 'detail'])
      .where('object', '=', `${object} ${id}`)
      .where('outcome', '=', 'success')
      .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(HISTORY_PAGE)
      .execute()
    const { shown, labelOf } = await readableChanges(database, viewer, object)
    const told = rows.map(row => ({ ...row, changes: changesOf(row.detail).flatMap(unfolded).flatMap(shown) }))
    const words = object === 'scanner' ? scannerWords(await kindOfScanner(db, id)) : NO_WORDS
    const names = await readNames(
      db,
      object,
      told.flatMap(row => row.changes),
    )
    return told.map(row => ({
      id: row.id,
      at: toIso(row.at),
      actor: row.actor,
      action: row.action,
      changes: row.changes
        .map(change => ({
          field: change.field,
          label: words.label(change.field) ?? HISTORY_LABELS[change.field] ?? labelOf(change.field),
          before: words.text(change.field, change.before) ?? textOf(change.before, names(change.field)),
          after: words.text(change.field, change.after) ?? textOf(change.after, names(change.field)),
        }))
        // What was empty and stays so is not worth a line of a creation.
        .filter(change => change.before !== change.after),
    }))
  },
})
export type HistoryService = ReturnType<typeof createHistoryService>

const TABLES = {
  site: 'site',
  host: 'host',
  scanner: 'scanner',
  metric: 'metric',
  'monitoring-model': 'monitoring_model',
} as const
const isThere = async (db: Db, object: HistoryObject, id: number): Promise<boolean> =>
  (await db.selectFrom(TABLES[object]).select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Names of what ids stand for, those that still are. */
const readNames = async (db: Db, object: HistoryObject, changes: readonly Change[]) => {
  const wanted = new Map<Named, Set<number>>()
  for (const change of changes) {
    const table = referenceOf(object, change.field)
    if (table === null) continue
    const ids = wanted.get(table) ?? new Set<number>()
    for (const id of [...idsIn(change.before), ...idsIn(change.after)]) ids.add(id)
    wanted.set(table, ids)
  }
  const found = new Map<Named, Map<number, string>>()
  for (const [table, ids] of wanted) {
    if (ids.size === 0) continue
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', [...ids].slice(0, 1_000))
      .execute()
    found.set(table, new Map(rows.map(row => [row.id, row.name])))
  }
  return (field: string) => {
    const table = referenceOf(object, field)
    return table === null ? null : (id: number) => found.get(table)?.get(id) ?? `n° ${id}`
  }
}

const kindOfScanner = async (db: Db, id: number): Promise<CheckKind> => {
  const row = await db.selectFrom('scanner').select('kind').where('id', '=', id).executeTakeFirst()
  return CHECK_KINDS.find(kind => kind === row?.kind) ?? 'ping'
}

interface Words {
  readonly label: (field: string) => string | null
  readonly text: (field: string, value: unknown) => string | null
}
const NO_WORDS: Words = { label: () => null, text: () => null }

const PARAMETER = 'parameters.'
/** Parameters as the form of their kind names them, and says their values. */
const scannerWords = (kind: CheckKind): Words => ({
  label: field => (field.startsWith(PARAMETER) ? parameterName(kind, field.slice(PARAMETER.length)) : null),
  text(field, value) {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return ''
    if (field === 'kind') return CHECK_KINDS.some(one => one === value) ? CHECKS[kind].label : null
    if (field === 'overrides' && Array.isArray(value))
      return value.map(name => HISTORY_LABELS[String(name)] ?? String(name)).join(', ')
    return field.startsWith(PARAMETER)
      ? parameterText(kind, field.slice(PARAMETER.length), value).slice(0, LONGEST)
      : null
  },
})

const LONGEST = 300
const textOf = (value: unknown, nameOf: ((id: number) => string) | null): string => {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return ''
  if (typeof value === 'boolean') return value ? 'oui' : 'non'
  if (typeof value === 'number') return nameOf === null ? String(value).replace('.', ',') : nameOf(value)
  if (Array.isArray(value) && value.every(one => typeof one !== 'object'))
    return value
      .map(one => textOf(one, nameOf))
      .join(', ')
      .slice(0, LONGEST)
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST)
}
