import type { DatatableRequest, FieldDefinition, FieldDefinitionInput } from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalid, notFound, stale } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { fieldsFor } from '../../store/field-access.ts'
import { FIELD_MAX, type FieldDef, isReference, readDefinitions } from '../../store/field-definitions.ts'
import { findReference } from '../../store/field-effective.ts'
import { metricsUsing, recomputeThresholds } from '../../store/field-formulas.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { type DefinitionRow, definitionColumns, definitionList, toDefinition } from './definition.store.ts'
import { checkChange, checkDefinition } from './definition-rules.ts'

export interface DefinitionDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  /** Awaited after thresholds were computed again: monitoring then judges by them. */
  readonly reloadHosts: (hostIds: readonly number[]) => Promise<void>
}

export const createDefinitionService = ({ database, now, changes, reloadHosts }: DefinitionDeps) => {
  const { db } = database
  const get = async (id: number, within: Db = db): Promise<FieldDefinition> => {
    const row = await fetchOne<DefinitionRow>(within, definitionList(), id)
    if (row === null) throw notFound("Ce champ n'existe pas.")
    return toDefinition(row)
  }
  const recorded = (trx: Db, viewer: Viewer, before: FieldDefinition | null, after: FieldDefinition | null) => {
    const one = after ?? before
    return auditChange(
      trx,
      {
        action:
          before === null
            ? 'field-definition-create'
            : after === null
              ? 'field-definition-delete'
              : 'field-definition-update',
        actor: viewer.login,
        object: `field-definition ${one?.id ?? 0}`,
        name: one?.label ?? '',
        before: before === null ? null : kept(before),
        after: after === null ? null : kept(after),
      },
      now(),
    )
  }
  /** Thresholds that follow a field are computed again in the change, and judged by before its answer. */
  const settled = async (hosts: readonly number[], id: number, action: 'created' | 'updated' | 'deleted') => {
    if (hosts.length > 0) await reloadHosts(hosts)
    changes.emit({ entity: 'custom-field', ids: [id], action })
  }

  return {
    /** Those that the viewer may read; who defines fields finds all of them in the paged list. */
    async list(viewer: Viewer): Promise<FieldDefinition[]> {
      const rows = (await fetchAll<DefinitionRow>(db, definitionList())).map(toDefinition)
      const readable = new Set((await fieldsFor(database, viewer)).map(one => one.definition.id))
      return rows.filter(row => readable.has(row.id))
    },
    async datatable(request: DatatableRequest) {
      const page = await runDatatable<DefinitionRow>(database, definitionList(), request)
      return { ...page, data: page.data.map(toDefinition) }
    },
    async create(viewer: Viewer, input: FieldDefinitionInput): Promise<FieldDefinition> {
      const made = await transaction(db, async trx => {
        await checkDefinition(trx, input)
        await checkFree(trx, input.key)
        const row = await trx
          .insertInto('field_definition')
          .values({
            ...definitionColumns(await withDefault(trx, input)),
            position: await lastPosition(trx, input.groupId),
            created_at: now(),
            updated_at: now(),
            updated_by: viewer.login,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const after = await get(row.id, trx)
        await recorded(trx, viewer, null, after)
        return after
      })
      await settled([], made.id, 'created')
      return made
    },
    async update(viewer: Viewer, id: number, input: FieldDefinitionInput & { updatedAt: string }) {
      const { updatedAt, ...fields } = input
      const done = await transaction(db, async trx => {
        const before = await get(id, trx)
        if (fromIso(before.updatedAt) !== fromIso(updatedAt)) throw stale(before, before.updatedBy)
        await checkDefinition(trx, fields)
        await checkChange(trx, before, fields)
        await trx
          .updateTable('field_definition')
          .set({
            ...definitionColumns(await withDefault(trx, fields)),
            ...(fields.groupId === before.groupId ? {} : { position: await lastPosition(trx, fields.groupId) }),
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .execute()
        const after = await get(id, trx)
        await recorded(trx, viewer, before, after)
        return { after, hosts: await recompute(trx, before) }
      })
      await settled(done.hosts, id, 'updated')
      return done.after
    },
    async order(viewer: Viewer, groupId: number, ids: readonly number[]): Promise<FieldDefinition[]> {
      await transaction(db, async trx => {
        const held = await readDefinitions(trx, sql<boolean>`d.group_id = ${groupId}`)
        sameSet(
          held.map(one => one.id),
          ids,
        )
        for (const [position, id] of ids.entries())
          await trx.updateTable('field_definition').set({ position }).where('id', '=', id).execute()
        await auditChange(
          trx,
          {
            action: 'field-group-update',
            actor: viewer.login,
            object: `field-group ${groupId}`,
            name: held[0]?.groupName ?? '',
            before: { order: held.map(one => one.key) },
            after: { order: ids.map(id => held.find(one => one.id === id)?.key) },
          },
          now(),
        )
      })
      changes.emit({ entity: 'custom-field', ids, action: 'updated' })
      const rows = await fetchAll<DefinitionRow>(db, definitionList(sql<boolean>`d.group_id = ${groupId}`))
      return rows.map(toDefinition)
    },
    async delete(viewer: Viewer, id: number, { plan: planAsked, cascade }: { plan: boolean; cascade: boolean }) {
      const before = await get(id)
      const plan = { values: before.values, formulas: (await metricsUsing(db, before.key)).length }
      if (planAsked) return { deleted: false, ...plan }
      if (!cascade && plan.values + plan.formulas > 0) throw conflict(stillUsed(plan))
      const hosts = await transaction(db, async trx => {
        const users = await metricsUsing(trx, before.key)
        await trx.deleteFrom('field_definition').where('id', '=', id).execute()
        await recorded(trx, viewer, before, null)
        const touched = [...new Set(users.map(one => one.hostId))]
        await recomputeThresholds(trx, touched)
        return touched
      })
      await settled(hosts, id, 'deleted')
      return { deleted: true, ...plan }
    },
  }
}

const counted = (count: number, one: string, several: string): string => `${count} ${count > 1 ? several : one}`
const stillUsed = ({ values, formulas }: { values: number; formulas: number }): string => {
  const users = [
    ...(values > 0 ? [counted(values, 'valeur', 'valeurs')] : []),
    ...(formulas > 0
      ? [counted(formulas, 'métrique dont un seuil en dépend', 'métriques dont un seuil en dépend')]
      : []),
  ]
  return `Ce champ a encore ${users.join(' et ')} : demandez à les perdre avec lui.`
}
export type DefinitionService = ReturnType<typeof createDefinitionService>

const kept = ({ values: _values, position: _position, groupName: _name, ...fields }: FieldDefinition) => fields

const recompute = async (trx: Db, { key }: FieldDef): Promise<number[]> => {
  const hosts = [...new Set((await metricsUsing(trx, key)).map(one => one.hostId))]
  await recomputeThresholds(trx, hosts)
  return hosts
}

const checkFree = async (trx: Db, key: string): Promise<void> => {
  const all = await trx.selectFrom('field_definition').select('key').execute()
  if (all.some(one => one.key === key))
    throw conflict(`La clé « ${key} » est déjà celle d'un autre champ.`, {
      fields: { key: 'Cette clé est déjà prise.' },
    })
  if (all.length >= FIELD_MAX) throw conflict(`Il y a déjà ${FIELD_MAX} champs : c'est le maximum.`)
}

const lastPosition = async (trx: Db, groupId: number): Promise<number> => {
  const row = await trx
    .selectFrom('field_definition')
    .select(eb => eb.fn.max('position').as('last'))
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  return Number(row?.last ?? -1) + 1
}

/** A default that names something is kept as its id. */
const withDefault = async (trx: Db, input: FieldDefinitionInput): Promise<FieldDefinitionInput> =>
  isReference(input.type) && input.defaultValue !== ''
    ? { ...input, defaultValue: String((await findReference(trx, input.type, input.defaultValue)) ?? '') }
    : input

/** An order names each once, and nothing else: another one was made meanwhile when it does not. */
export const sameSet = (held: readonly number[], ids: readonly number[]): void => {
  const wanted = new Set(ids)
  if (wanted.size !== ids.length || new Set(held).symmetricDifference(wanted).size > 0)
    throw invalid(['L’ordre doit nommer chacun une fois : la liste a changé entre-temps.'])
}
