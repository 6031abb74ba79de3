import {
  CHECK_KINDS,
  CHECKS,
  type CheckKind,
  CLAIM_TEXTS,
  CLAIMS,
  type HistoryEntry,
  parameterName,
  parameterText,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import type { Database, Db } from '../../store/database.ts'
import { type Change, isRecord, type ReadableChanges, readableChanges } from './history-fields.ts'
import { HISTORY_LABELS } from './history-labels.ts'
import { factLabel, fieldLabel } from './object-labels.ts'

/** What a line of the audit is about, and what it keeps of it. */
export interface ToldRow {
  readonly objectKind: string
  readonly objectId: number | null
  readonly detail: string
}
export type ToldChanges = HistoryEntry['changes']

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
  groups: 'user_group',
} as const
type Named = (typeof REFERENCES)[keyof typeof REFERENCES] | 'site_type' | 'host_type'

const referenceOf = (object: string, field: string): Named | null => {
  if (field === 'typeId') return object === 'site' ? 'site_type' : 'host_type'
  const found = Object.entries(REFERENCES).find(([name]) => name === field)
  return found?.[1] ?? null
}

/**
 * The changes of lines of the audit in words that people read: names instead of ids, the parts of a record one by one, no
 * custom field that the viewer may not read; with `facts` also what else is told. In the order of the rows.
 */
export const toldChanges = async (
  database: Database,
  viewer: Viewer,
  rows: readonly ToldRow[],
  { facts = false }: { readonly facts?: boolean } = {},
): Promise<ToldChanges[]> => {
  const readable = new Map<string, ReadableChanges>()
  for (const scope of ['site', 'host'] as const)
    if (rows.some(row => (row.objectKind === 'site') === (scope === 'site')))
      readable.set(scope, await readableChanges(database, viewer, scope))
  const told = rows.map(row => {
    const fields = readable.get(row.objectKind === 'site' ? 'site' : 'host')
    const changes = fields === undefined ? [] : changesOf(row.detail, facts).flatMap(unfolded).flatMap(fields.shown)
    return { row, fields, changes }
  })
  const names = await readNames(database.db, told)
  const kinds = await kindsOfScanners(database.db, rows)
  return told.map(({ row, fields, changes }) => {
    const words = row.objectKind === 'scanner' ? scannerWords(kinds.get(row.objectId ?? 0) ?? 'ping') : PLAIN_WORDS
    return (
      changes
        .map(change => {
          const nameOf = names(row.objectKind, change.field)
          return {
            field: change.field,
            label:
              words.label(change.field) ??
              (change.isFact ? factLabel : fieldLabel)(row.objectKind, change.field) ??
              fields?.labelOf(change.field) ??
              change.field,
            before: words.text(change.field, change.before) ?? textOf(change.before, nameOf),
            after: words.text(change.field, change.after) ?? textOf(change.after, nameOf),
          }
        })
        // What was empty and stays so is not worth a line of a creation.
        .filter(change => change.before !== change.after)
    )
  })
}

interface Told extends Change {
  /** Not a change: something else that is told. */
  readonly isFact?: boolean
}

/** What else is told than changes, and is told elsewhere already. */
const SAID: readonly string[] = ['name', 'changes']
const claimsOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(one => (isRecord(one) && 'claim' in one ? one.claim : one)) : value

/** The fields of one line of the audit: `changes` as `auditChange` writes them, and what else is told. */
const changesOf = (detail: string, withFacts: boolean): Told[] => {
  const told: unknown = JSON.parse(detail)
  if (!isRecord(told)) return []
  if (withFacts && Array.isArray(told.before) && Array.isArray(told.after) && Object.keys(told).length === 2)
    return [{ field: 'claims', before: claimsOf(told.before), after: claimsOf(told.after), isFact: true }]
  const changes = isRecord(told.changes) ? told.changes : {}
  const facts = withFacts ? Object.entries(told).filter(([name]) => !SAID.includes(name)) : []
  return [
    ...Object.entries(changes).flatMap(([field, change]) =>
      isRecord(change) ? [{ field, before: change.before ?? null, after: change.after ?? null }] : [],
    ),
    ...facts.map(([field, value]) => ({ field, before: null, after: claimsOf(value), isFact: true })),
  ]
}

/** Parts of a field that is a record (thresholds) are told one by one, and only those that differ. */
const unfolded = (change: Told): Told[] => {
  const { field, before, after } = change
  if (!isRecord(before) && !isRecord(after)) return [change]
  const [old, fresh] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .map(part => ({ field: `${field}.${part}`, before: old[part] ?? null, after: fresh[part] ?? null }))
    .filter(one => JSON.stringify(one.before) !== JSON.stringify(one.after))
}

const idsIn = (value: unknown): number[] => [value].flat().filter(id => typeof id === 'number')

/** Names of what ids stand for, those that still are. */
const readNames = async (db: Db, told: readonly { row: ToldRow; changes: readonly Told[] }[]) => {
  const wanted = new Map<Named, Set<number>>()
  for (const { row, changes } of told)
    for (const change of changes) {
      const table = referenceOf(row.objectKind, change.field)
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
  return (object: string, field: string) => {
    const table = referenceOf(object, field)
    return table === null ? null : (id: number) => found.get(table)?.get(id) ?? `n° ${id}`
  }
}

const kindsOfScanners = async (db: Db, rows: readonly ToldRow[]): Promise<ReadonlyMap<number, CheckKind>> => {
  const ids = rows.flatMap(row => (row.objectKind === 'scanner' && row.objectId !== null ? [row.objectId] : []))
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('scanner')
    .select(['id', 'kind'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(found.map(row => [row.id, CHECK_KINDS.find(kind => kind === row.kind) ?? 'ping']))
}

interface Words {
  readonly label: (field: string) => string | null
  readonly text: (field: string, value: unknown) => string | null
}
/** Rights by their names, as forms tell them. */
const PLAIN_WORDS: Words = {
  label: () => null,
  text: (field, value) => (field === 'claims' && Array.isArray(value) ? value.map(claimName).join(', ') : null),
}
const claimName = (value: unknown): string => {
  const claim = CLAIMS.find(one => one === value)
  return claim === undefined ? String(value) : CLAIM_TEXTS[claim].label
}

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
