import type { FieldScope, FieldValue, RecordField, RecordFields } from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { notFound, stale } from '../../http/refusal.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { Database, Db } from '../../store/database.ts'
import { type FieldAccess, fieldsFor } from '../../store/field-access.ts'
import { SECRET_TEXT, valueTextOf, wireValue } from '../../store/field-check.ts'
import { concerns, type FieldDef, isReference } from '../../store/field-definitions.ts'
import { effectiveValues, type FieldOwner, modelFieldsOf, namesFor } from '../../store/field-effective.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { lastChanges, writeFieldValues } from '../../store/field-values.ts'
import { fromIso, toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { seesAll, seesSite, visibleOwner, visibleSite } from '../../store/visible.ts'
import { readableGroups, readGroups } from './group.service.ts'

export interface RecordFieldsDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly secrets: SecretBox
  readonly reloadHosts: (hostIds: readonly number[]) => Promise<void>
}
interface ValueChanges {
  readonly values: Readonly<Record<string, FieldValue>>
  readonly updatedAt: string | null
}

/** Lines of history of one answer. */
const HISTORY_PAGE = 100

export const createRecordFieldsService = (deps: RecordFieldsDeps) => {
  const { database, now, changes } = deps
  const { db } = database

  const get = async (viewer: Viewer, scope: FieldScope, id: number): Promise<RecordFields> => {
    const owner = await needOwner(db, viewer, scope, id, 'some')
    const isWhole = scope === 'host' || seesSite(viewer)(id)
    const access = await concerned(viewer, scope, owner)
    const definitions = access.map(one => one.definition)
    const models = scope === 'host' ? await modelFieldsOf(database) : []
    const values = (await effectiveValues(db, definitions, [owner], models)).get(id) ?? new Map()
    const names = await namesFor(
      db,
      definitions.map(one => [one, values.get(one.id)?.stored ?? null]),
    )
    const last = await lastChanges(db, id, definitions)
    const counts = seesAll(viewer) ? await countValues(db, definitions) : new Map<number, number>()
    const fields = access.map(({ definition, level }): RecordField => {
      const { stored = null, origin = 'none', originName = '' } = values.get(definition.id) ?? {}
      const name =
        stored !== null && isReference(definition.type) ? (names(definition.type, stored.number ?? 0) ?? '') : null
      const change = last.get(definition.id)
      return {
        definition: { ...definition, values: counts.get(definition.id) ?? 0 },
        // A site that is seen in part is read, not written.
        level: isWhole ? level : 'read',
        value: stored === null ? null : wireValue(definition.type, stored),
        origin,
        originName: name ?? originName,
        text: stored === null ? '' : valueTextOf(definition.type, stored, name === '' ? null : name),
        updatedAt: toIsoOrNull(change?.at ?? null),
        updatedBy: change?.by ?? null,
      }
    })
    return { groups: readableGroups(await readGroups(db), definitions), fields }
  }
  const concerned = async (viewer: Viewer, scope: FieldScope, owner: FieldOwner): Promise<FieldAccess[]> =>
    (await fieldsFor(database, viewer, scope)).filter(one => concerns(one.definition, owner.typeId))

  return {
    get,
    /** Changes values of one record, all or none; the thresholds that follow them are in force when it answers. */
    async set(viewer: Viewer, scope: FieldScope, id: number, { values, updatedAt }: ValueChanges) {
      await needOwner(db, viewer, scope, id)
      const access = await fieldsFor(database, viewer, scope)
      const outcome = await deps.secrets.writing(seal =>
        transaction(db, async trx => {
          const owner = await needOwner(trx, viewer, scope, id)
          const written = await writeFieldValues(trx, {
            dialect: database.dialect,
            scope,
            owner,
            access,
            values,
            basedOn: updatedAt === null ? null : fromIso(updatedAt),
            by: viewer.login,
            nowMs: now(),
            seal,
          })
          const recomputed =
            scope === 'host' && 'changed' in written && written.changed.length > 0
              ? await recomputeThresholds(trx, [id])
              : 0
          return { written, recomputed }
        }),
      )
      if ('stale' in outcome.written) throw stale(await get(viewer, scope, id), outcome.written.stale.by)
      if (outcome.recomputed > 0) await deps.reloadHosts([id])
      if (outcome.written.changed.length > 0) changes.emit({ entity: scope, ids: [id], action: 'updated' })
      return get(viewer, scope, id)
    },
    /** Changes of the fields that the viewer may read, the newest first. */
    async history(viewer: Viewer, scope: FieldScope, id: number, before: number | undefined) {
      const owner = await needOwner(db, viewer, scope, id)
      const definitions = (await concerned(viewer, scope, owner)).map(one => one.definition)
      if (definitions.length === 0) return []
      const byId = new Map(definitions.map(one => [one.id, one]))
      const rows = await db
        .selectFrom('field_history')
        .selectAll()
        .where('definition_id', 'in', [...byId.keys()])
        .where('owner_id', '=', id)
        .where('id', '<', before ?? Number.MAX_SAFE_INTEGER)
        .orderBy('id', 'desc')
        .limit(HISTORY_PAGE)
        .execute()
      return rows.map(row => ({
        id: row.id,
        key: byId.get(row.definition_id)?.key ?? '',
        label: byId.get(row.definition_id)?.label ?? '',
        before: row.before,
        after: row.after,
        at: toIso(row.at),
        by: row.changed_by,
      }))
    },
    /** Who has a value of a field of his own, by name. */
    async holders(viewer: Viewer, definitionId: number) {
      const found = (await fieldsFor(database, viewer)).find(one => one.definition.id === definitionId)
      if (found === undefined) throw notFound("Ce champ n'existe pas.")
      return readHolders(db, viewer, found.definition)
    },
  }
}
export type RecordFieldsService = ReturnType<typeof createRecordFieldsService>

/** `some`: of a site it is enough to see some equipment. */
const needOwner = async (db: Db, viewer: Viewer, scope: FieldScope, id: number, sight: 'some' | 'whole' = 'whole') => {
  const seen = scope === 'site' && sight === 'some' ? visibleSite(viewer, sql`id`) : visibleOwner(viewer, scope)
  const answer = await sql<{ id: number; name: string; type_id: number | null }>`select id, name, type_id
    from ${sql.table(scope)} where id = ${id} and ${seen}`.execute(db)
  const [row] = answer.rows
  if (row === undefined) throw notFound(scope === 'host' ? "Cet équipement n'existe pas." : "Ce site n'existe pas.")
  return { id: row.id, name: row.name, typeId: row.type_id }
}

const countValues = async (db: Db, definitions: readonly FieldDef[]): Promise<ReadonlyMap<number, number>> => {
  if (definitions.length === 0) return new Map()
  const ids = sql.join(definitions.map(one => one.id))
  const answer = await sql<{ id: number; n: number }>`select definition_id as id, count(*) as n from field_value
    where definition_id in (${ids}) group by definition_id`.execute(db)
  return new Map(answer.rows.map(row => [row.id, Number(row.n)]))
}

const readHolders = async (db: Db, viewer: Viewer, definition: FieldDef) => {
  interface Row {
    id: number
    name: string
    value: string
    value_folded: string
    value_number: number | null
    type_id: number | null
  }
  const answer = await sql<Row>`select o.id, o.name, o.type_id, v.value, v.value_folded, v.value_number
    from field_value v join ${sql.table(definition.scope)} o on o.id = v.owner_id
    where v.definition_id = ${definition.id} and ${visibleOwner(viewer, definition.scope, 'o')} order by o.name_folded, o.id limit 50000`.execute(
    db,
  )
  const rows = answer.rows
    .filter(row => concerns(definition, row.type_id))
    .map(row => ({ row, stored: { value: row.value, folded: row.value_folded, number: row.value_number } }))
  const names = await namesFor(
    db,
    rows.map(({ stored }) => [definition, stored]),
  )
  return rows.map(({ row, stored }) => ({
    ownerId: row.id,
    ownerName: row.name,
    value: wireValue(definition.type, stored),
    text:
      definition.type === 'secret'
        ? SECRET_TEXT
        : valueTextOf(
            definition.type,
            stored,
            isReference(definition.type) ? names(definition.type, stored.number ?? 0) : null,
          ),
  }))
}
