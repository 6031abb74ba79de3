import { CHECK_KINDS, type CheckKind, type HistoryEntry, parameterName, parameterText } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import type { Database, Db } from '../../store/database.ts'
import { type Change, isRecord, type ReadableChanges, readableChanges } from './history-fields.ts'
import { factLabel, fieldLabel } from './object-labels.ts'
import { readNames } from './value-names.ts'
import { saidValue } from './value-words.ts'

/** What a line of the audit is about, and what it keeps of it. */
export interface ToldRow {
  readonly objectKind: string
  readonly objectId: number | null
  readonly detail: string
}
export type ToldChanges = HistoryEntry['changes']
/** Characters of a value that are told. */
const LONGEST = 300

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
  const names = await readNames(
    database.db,
    told.flatMap(({ row, changes }) => changes.map(change => ({ object: row.objectKind, ...change }))),
  )
  const kinds = await kindsOfScanners(database.db, rows)
  return told.map(({ row, fields, changes }) => {
    const words = row.objectKind === 'scanner' ? scannerWords(kinds.get(row.objectId ?? 0) ?? 'ping') : NO_WORDS
    return (
      changes
        .map(change => {
          const say = (value: unknown): string =>
            words.text(change.field, value) ??
            saidValue(row.objectKind, change.field, value) ??
            names.steps(row.objectKind, change.field, value) ??
            textOf(value, names.of(row.objectKind, change.field))
          const [before, after] = [say(change.before).slice(0, LONGEST), say(change.after).slice(0, LONGEST)]
          return {
            field: change.field,
            label:
              words.label(change.field) ??
              (change.isFact ? factLabel : fieldLabel)(row.objectKind, change.field) ??
              fields?.labelOf(change.field) ??
              change.field,
            before,
            // What is told of it is the same, and it is not.
            after: before === after && before !== '' ? `${after} (modifié)` : after,
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
const NO_WORDS: Words = { label: () => null, text: () => null }

const PARAMETER = 'parameters.'
/** Parameters as the form of their kind names them, and says their values. */
const scannerWords = (kind: CheckKind): Words => ({
  label: field => (field.startsWith(PARAMETER) ? parameterName(kind, field.slice(PARAMETER.length)) : null),
  text(field, value) {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
    return field.startsWith(PARAMETER) && !isEmpty ? parameterText(kind, field.slice(PARAMETER.length), value) : null
  },
})

const textOf = (value: unknown, nameOf: ((id: number) => string) | null): string => {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return ''
  if (typeof value === 'boolean') return value ? 'oui' : 'non'
  if (typeof value === 'number') return nameOf === null ? String(value).replace('.', ',') : nameOf(value)
  if (Array.isArray(value) && value.every(one => typeof one !== 'object'))
    return value.map(one => textOf(one, nameOf)).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
