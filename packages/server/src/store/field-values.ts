import { FIELD_PREFIX, type FieldScope, type FieldValue } from '@narval/contracts'
import { sql } from 'kysely'
import { forbidden, invalid } from '../http/refusal.ts'
import type { Seal } from '../secret-box.ts'
import { auditChange } from './audit-change.ts'
import type { Db } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { FieldAccess } from './field-access.ts'
import { checkValue, SECRET_TEXT, type StoredValue, valueTextOf } from './field-check.ts'
import { concerns, type FieldDef, isReference } from './field-definitions.ts'
import {
  effectiveValues,
  type FieldOwner,
  findReference,
  namesFor,
  ownValues,
  readModelFields,
} from './field-effective.ts'

/** Changes of the values of one record, in the transaction that they belong to. */
export interface FieldChange {
  readonly dialect: Dialect
  readonly scope: FieldScope
  readonly owner: FieldOwner & { readonly name: string }
  /** Fields that the editor may read, all of them: any other does not exist for him. */
  readonly access: readonly FieldAccess[]
  /** By key; null takes the value away, what is left out stays. */
  readonly values: Readonly<Record<string, FieldValue>>
  /** Epoch ms of the newest change of the fields sent that the editor has seen, null for none; left out: whatever it is. */
  readonly basedOn?: number | null
  readonly by: string
  readonly nowMs: number
  readonly seal: Seal
}
/** `stale`: somebody else changed one of the fields since; nothing was written. */
export type FieldOutcome =
  | { readonly stale: { readonly by: string | null } }
  | { readonly changed: readonly FieldDef[] }

interface Edit {
  readonly definition: FieldDef
  readonly before: StoredValue | null
  readonly after: StoredValue | null
}

/**
 * Writes values of one record, all or none, each with its line of history and one line of audit for all. Refuses (400)
 * beside `values.<key>`; 403 when one of the fields may only be read.
 */
export const writeFieldValues = async (trx: Db, change: FieldChange): Promise<FieldOutcome> => {
  const { owner, scope } = change
  if (change.dialect === 'postgres')
    await sql`select id from ${sql.table(scope)} where id = ${owner.id} for update`.execute(trx)
  const fields = fieldsSent(change)
  const newest = await newestChange(
    trx,
    owner.id,
    fields.map(field => field.definition),
  )
  if (change.basedOn !== undefined && newest !== null && newest.at > (change.basedOn ?? Number.NEGATIVE_INFINITY))
    return { stale: { by: newest.by } }
  const edits = await checkEdits(trx, change, fields)
  const real = edits.filter(isReal)
  if (real.length > 0) await save(trx, change, real, Math.max(change.nowMs, (newest?.at ?? 0) + 1))
  await checkRequired(trx, change)
  return { changed: real.map(edit => edit.definition) }
}

const isReal = ({ definition, before, after }: Edit): boolean =>
  definition.type === 'secret' ? before !== null || after !== null : before?.value !== after?.value

/** The fields of the change, each with what was sent; a secret sent as it was read (`true`) is left as it is. */
const fieldsSent = ({ access, values, owner, scope }: FieldChange) => {
  const byKey = new Map(access.map(one => [one.definition.key, one]))
  const sent = Object.entries(values).map(([key, value]) => ({ key, value, found: byKey.get(key) }))
  const known = sent.flatMap(({ key, value, found }) =>
    found !== undefined && found.definition.scope === scope && concerns(found.definition, owner.typeId)
      ? [{ key, value, ...found }]
      : [],
  )
  const unknown = sent.filter(({ key }) => !known.some(one => one.key === key)).map(({ key }) => key)
  if (unknown.length > 0)
    throw invalid(
      unknown.map(key => `Le champ « ${key} » n'existe pas.`),
      Object.fromEntries(unknown.map(key => [`values.${key}`, "Ce champ n'existe pas"])),
    )
  const readOnly = known.filter(one => one.level !== 'write').map(one => one.definition.label)
  if (readOnly.length > 0) throw forbidden(`Vous ne pouvez que lire : ${readOnly.join(', ')}.`)
  return known.filter(one => !(one.definition.type === 'secret' && one.value === true))
}

/** The last change of these fields of a record, values taken away included. */
export const newestChange = async (
  db: Db,
  ownerId: number,
  definitions: readonly FieldDef[],
): Promise<{ readonly at: number; readonly by: string | null } | null> => {
  const all = await lastChanges(db, ownerId, definitions)
  const last = [...all.values()].toSorted((a, b) => b.at - a.at)[0]
  return last ?? null
}

/** The last change of each of these fields of a record. */
export const lastChanges = async (
  db: Db,
  ownerId: number,
  definitions: readonly FieldDef[],
): Promise<ReadonlyMap<number, { readonly at: number; readonly by: string | null }>> => {
  if (definitions.length === 0) return new Map()
  interface Row {
    definition_id: number
    at: number
    changed_by: string | null
  }
  const ids = sql.join(definitions.map(one => one.id))
  const answer = await sql<Row>`select h.definition_id, h.at, h.changed_by from field_history h where h.id in
    (select max(id) from field_history where definition_id in (${ids}) and owner_id = ${ownerId} group by definition_id)`.execute(
    db,
  )
  return new Map(answer.rows.map(row => [row.definition_id, { at: row.at, by: row.changed_by }]))
}

const checkEdits = async (
  trx: Db,
  { owner }: FieldChange,
  fields: readonly { readonly definition: FieldDef; readonly value: FieldValue }[],
): Promise<Edit[]> => {
  const edits: Edit[] = []
  const faults: Record<string, string> = {}
  const labels: string[] = []
  const own =
    fields.length === 0
      ? new Map<number, StoredValue>()
      : (
          await ownValues(
            trx,
            fields.map(one => one.definition),
            [owner],
          )
        ).get(owner.id)
  for (const { definition, value } of fields) {
    const checked = checkValue(definition, await resolved(trx, definition, value))
    if ('fault' in checked) {
      faults[`values.${definition.key}`] = checked.fault
      labels.push(`${definition.label} : ${checked.fault}.`)
    } else edits.push({ definition, before: own?.get(definition.id) ?? null, after: checked.stored })
  }
  if (labels.length > 0) throw invalid(labels, faults)
  return edits
}

/** The id of what a value refers to, or what makes the check refuse it. */
const resolved = async (trx: Db, { type }: FieldDef, value: FieldValue): Promise<FieldValue> => {
  if (!isReference(type) || (typeof value !== 'string' && typeof value !== 'number') || value === '') return value
  return (await findReference(trx, type, value)) ?? 0
}

/** Every field that is required, and that the editor may fill in, has a value now; else all is undone. */
const checkRequired = async (trx: Db, { owner, scope, access }: FieldChange): Promise<void> => {
  const required = access
    .filter(one => one.level === 'write' && one.definition.required && one.definition.scope === scope)
    .map(one => one.definition)
    .filter(definition => concerns(definition, owner.typeId))
  if (required.length === 0) return
  const values = await effectiveValues(trx, required, [owner], scope === 'host' ? await readModelFields(trx) : [])
  const missing = required.filter(definition => values.get(owner.id)?.get(definition.id)?.stored == null)
  if (missing.length === 0) return
  throw invalid(
    missing.map(one => `Le champ « ${one.label} » est obligatoire.`),
    Object.fromEntries(missing.map(one => [`values.${one.key}`, 'Ce champ est obligatoire'])),
  )
}

const save = async (trx: Db, change: FieldChange, edits: readonly Edit[], atMs: number): Promise<void> => {
  const { owner, by } = change
  const gone = edits.filter(edit => edit.after === null).map(edit => edit.definition.id)
  if (gone.length > 0)
    await trx.deleteFrom('field_value').where('owner_id', '=', owner.id).where('definition_id', 'in', gone).execute()
  const rows = edits.flatMap(({ definition, after }) =>
    after === null
      ? []
      : {
          definition_id: definition.id,
          owner_id: owner.id,
          value:
            definition.type === 'secret' ? change.seal(after.value, secretPlace(definition.id, owner.id)) : after.value,
          value_folded: after.folded,
          value_number: after.number,
          updated_at: atMs,
          updated_by: by,
        },
  )
  if (rows.length > 0)
    await trx
      .insertInto('field_value')
      .values(rows)
      .onConflict(conflict =>
        conflict.columns(['definition_id', 'owner_id']).doUpdateSet(eb => ({
          value: eb.ref('excluded.value'),
          value_folded: eb.ref('excluded.value_folded'),
          value_number: eb.ref('excluded.value_number'),
          updated_at: eb.ref('excluded.updated_at'),
          updated_by: eb.ref('excluded.updated_by'),
        })),
      )
      .execute()
  await tell(trx, change, edits, atMs)
}

/** What a secret is bound to: copied to another record or field it does not open. */
export const secretPlace = (definitionId: number, ownerId: number): string => `field:${definitionId}:${ownerId}`

const tell = async (
  trx: Db,
  { owner, scope, by }: FieldChange,
  edits: readonly Edit[],
  atMs: number,
): Promise<void> => {
  const names = await namesFor(
    trx,
    edits.flatMap(({ definition, before, after }) => [[definition, before] as const, [definition, after] as const]),
  )
  const said = ({ definition: { type } }: Edit, stored: StoredValue | null): string | null =>
    stored === null ? null : valueTextOf(type, stored, isReference(type) ? names(type, stored.number ?? 0) : null)
  const changes = edits.map(edit => ({
    key: edit.definition.key,
    definitionId: edit.definition.id,
    before: edit.definition.type === 'secret' && edit.before !== null ? SECRET_TEXT : said(edit, edit.before),
    after: edit.definition.type === 'secret' && edit.after !== null ? 'Modifié' : said(edit, edit.after),
  }))
  await trx
    .insertInto('field_history')
    .values(
      changes.map(({ definitionId, before, after }) => ({
        definition_id: definitionId,
        owner_id: owner.id,
        before,
        after,
        at: atMs,
        changed_by: by,
      })),
    )
    .execute()
  const version = (side: 'before' | 'after') =>
    Object.fromEntries(changes.map(one => [`${FIELD_PREFIX}${one.key}`, one[side]]))
  await auditChange(
    trx,
    {
      action: 'field-value-update',
      actor: by,
      object: `${scope} ${owner.id}`,
      name: owner.name,
      before: version('before'),
      after: version('after'),
    },
    atMs,
  )
}
