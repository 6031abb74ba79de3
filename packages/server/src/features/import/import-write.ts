import { fold, type ImportEntity, METRIC_INHERITED } from '@narval/contracts'
import { sql } from 'kysely'
import { type AuditedChange, auditChanges } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { columnsOf, HOST_COLUMNS, METRIC_COLUMNS, SITE_COLUMNS } from '../../store/object-columns.ts'
import { insertScannerOnHosts } from '../../store/scanner-creation.ts'
import { createTurns } from '../../turns.ts'
import { readHostParents } from './import.store.ts'
import { type Body, onCycles } from './import-object.ts'
import type { Draft } from './import-plan.ts'
import type { NewName } from './import-references.ts'
import { writeFields, writeLinks } from './import-write-links.ts'
import { changedMeanwhile, HOSTS_AT_ONCE, type Writing, type Written } from './writing.ts'

/** Rows of one statement; a site has some 25 columns. */
const ROWS = 100

/**
 * Writes what was planned, within the caller's transaction. Between two slices it waits for a turn of the event loop and
 * for nothing else: a transaction of seconds must not stop everything but the database.
 * @throws a Refusal when something was changed since the plan was made; the transaction is then undone.
 */
export const writeImport = async (trx: Db, writing: Writing): Promise<Written> => {
  const { entity, drafts, database } = writing
  if (entity === 'site') await lock(database, trx, 'site-tree')
  if (entity === 'host') await lock(database, trx, 'host-parents')
  if (entity === 'host') await lock(database, trx, 'monitoring-models')
  const ids = new Map<number, number>()
  const lists = await createNames(trx, writing.newNames)
  const known = (body: Body): Body => withIds(entity, body, ids, lists)
  const created = drafts.filter(draft => draft.existing === null)
  const updated = drafts.filter(draft => draft.existing !== null)
  if (entity === 'site') await insertSites(trx, created, known, ids, writing)
  if (entity === 'host') await insertHosts(trx, created, known, ids, writing)
  await updateAll(trx, updated, known, writing)
  const models = entity === 'host' ? await writeLinks(trx, drafts, known, ids, writing) : null
  if (entity !== 'metric') await writeFields(trx, drafts, ids, writing)
  await refuseCycles(trx, entity)
  await recordAll(trx, drafts, known, ids, writing)
  return {
    createdIds: created.flatMap(draft => ids.get(draft.id) ?? []),
    updatedIds: updated.map(draft => draft.id),
    models,
  }
}

const REFERENCES: Readonly<
  Record<ImportEntity, { readonly own: readonly string[]; readonly lists: Readonly<Record<string, NewName['list']>> }>
> = {
  site: { own: ['parentId'], lists: { typeId: 'site_type' } },
  host: { own: ['parentIds'], lists: { typeId: 'host_type', modelId: 'host_model' } },
  metric: { own: [], lists: {} },
}

/** The body with the ids that the new objects got. */
const withIds = (
  entity: ImportEntity,
  body: Body,
  ids: ReadonlyMap<number, number>,
  lists: ReadonlyMap<string, number>,
): Body => {
  const real = (id: unknown): unknown =>
    Array.isArray(id) ? id.map(real) : typeof id === 'number' && id < 0 ? (ids.get(id) ?? id) : id
  const listed = (list: string, id: unknown): unknown =>
    typeof id === 'number' && id < 0 ? lists.get(`${list} ${id}`) : id
  const references = REFERENCES[entity]
  return {
    ...body,
    ...Object.fromEntries(references.own.map(key => [key, real(body[key])])),
    ...Object.fromEntries(Object.entries(references.lists).map(([key, list]) => [key, listed(list, body[key])])),
  }
}

const createNames = async (trx: Db, names: readonly NewName[]): Promise<Map<string, number>> => {
  const ids = new Map<string, number>()
  for (const { list, id, name, manufacturer } of names) {
    const own = { name, name_folded: fold(name) }
    const row =
      list === 'host_model'
        ? await trx
            .insertInto(list)
            .values({ ...own, manufacturer })
            .returning('id')
            .executeTakeFirstOrThrow()
        : await trx
            .insertInto(list)
            .values({ ...own, icon: list === 'site_type' ? 'building' : 'server' })
            .returning('id')
            .executeTakeFirstOrThrow()
    ids.set(`${list} ${id}`, row.id)
  }
  return ids
}

const stampsOf = ({ nowMs, by }: Writing) => ({ created_at: nowMs, updated_at: nowMs, updated_by: by })

/** Sites level by level, each under parents that are there. */
const insertSites = async (
  trx: Db,
  drafts: readonly Draft[],
  known: (body: Body) => Body,
  ids: Map<number, number>,
  writing: Writing,
): Promise<void> => {
  let waiting = drafts
  while (waiting.length > 0) {
    const isReady = ({ body }: Draft): boolean =>
      typeof body.parentId !== 'number' || body.parentId > 0 || ids.has(body.parentId)
    const ready = waiting.filter(isReady)
    await insertSlices(trx, 'site', ready, known, ids, writing)
    waiting = waiting.filter(draft => !ready.includes(draft))
    if (ready.length === 0) throw changedMeanwhile()
  }
}

const insertHosts = async (
  trx: Db,
  drafts: readonly Draft[],
  known: (body: Body) => Body,
  ids: Map<number, number>,
  writing: Writing,
): Promise<void> => {
  await insertSlices(trx, 'host', drafts, known, ids, writing)
  const turn = createTurns()
  for (const hostIds of batches([...ids.values()], HOSTS_AT_ONCE)) {
    await insertScannerOnHosts(trx, hostIds, { kind: 'ping', name: 'Ping', parameters: {} }, writing.by, writing.nowMs)
    await turn()
  }
}

const insertSlices = async (
  trx: Db,
  table: 'site' | 'host',
  drafts: readonly Draft[],
  known: (body: Body) => Body,
  ids: Map<number, number>,
  writing: Writing,
): Promise<void> => {
  const turn = createTurns()
  for (const slice of batches(drafts, ROWS)) {
    const rows = slice.map(draft => rowOf(table, known(draft.body), draft.changed, writing))
    const byKey = new Map(slice.map((draft, index) => [keyOf(table, rows[index] ?? {}), draft.id]))
    const columns = Object.keys(rows[0] ?? {})
    const values = rows.map(row => sql`(${sql.join(columns.map(column => row[column]))})`)
    const made = await sql<Record<string, unknown> & { id: number }>`insert into ${sql.table(table)}
      (${sql.join(columns.map(column => sql.ref(column)))}) values ${sql.join(values)}
      returning id, name_folded, ${sql.ref(table === 'site' ? 'code_folded' : 'site_id')}`.execute(trx)
    for (const row of made.rows) {
      const draftId = byKey.get(keyOf(table, row))
      if (draftId !== undefined) ids.set(draftId, row.id)
    }
    writing.step(slice.length)
    await turn()
  }
}

/** What tells the rows of one file from each other: rows come back in no order. */
const keyOf = (table: 'site' | 'host', row: Readonly<Record<string, unknown>>): string =>
  table === 'site' ? String(row.code_folded) : `${String(row.site_id)} ${String(row.name_folded)}`

const rowOf = (
  table: 'site' | 'host',
  body: Body,
  fields: readonly string[],
  writing: Writing,
): Record<string, unknown> =>
  table === 'site'
    ? { ...columnsOf(SITE_COLUMNS, body, fields), ...stampsOf(writing) }
    : {
        ...columnsOf(HOST_COLUMNS, body, fields),
        state: 'pending',
        severity_rank: 2,
        state_since: writing.nowMs,
        ...stampsOf(writing),
      }

const COLUMNS = { site: SITE_COLUMNS, host: HOST_COLUMNS, metric: METRIC_COLUMNS } as const

/** Each row that changes, if it is still the version that the plan saw. */
const updateAll = async (
  trx: Db,
  drafts: readonly Draft[],
  known: (body: Body) => Body,
  { entity, nowMs, by, step }: Writing,
): Promise<void> => {
  const turn = createTurns()
  for (const { existing, body, changed } of drafts) {
    if (existing === null) continue
    const own = entity === 'metric' ? ownFields(existing.body, changed) : {}
    const columns = { ...columnsOf(COLUMNS[entity], known(body), changed), ...own }
    const updatedAt = Math.max(nowMs, existing.updatedAt + 1)
    const sets = Object.entries({ ...columns, updated_at: updatedAt, updated_by: by }).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    )
    const done = await sql`update ${sql.table(entity)} set ${sql.join(sets)}
      where id = ${existing.id} and updated_at = ${existing.updatedAt}`.execute(trx)
    if (Number(done.numAffectedRows ?? 0) !== 1) throw changedMeanwhile()
    step(1)
    await turn()
  }
}

/** What a metric is given here is its own from then on, whatever its model says. */
const ownFields = (before: Body, changed: readonly string[]) => {
  const overrides = new Set([...(Array.isArray(before.overrides) ? before.overrides.map(String) : []), ...changed])
  return {
    overrides: JSON.stringify(METRIC_INHERITED.filter(field => overrides.has(field))),
    // Figures that were typed follow no formula any more.
    ...(changed.includes('thresholds') ? { formulas: '{}' } : {}),
  }
}

/** What each row did, before and after, as the same change alone would be told. */
const recordAll = async (
  trx: Db,
  drafts: readonly Draft[],
  known: (body: Body) => Body,
  ids: ReadonlyMap<number, number>,
  { entity, by, nowMs }: Writing,
): Promise<void> => {
  const turn = createTurns()
  for (const slice of batches(drafts, ROWS)) {
    const lines = slice.map(({ existing, body, id }): AuditedChange => {
      const after = known(body)
      return {
        action: `${entity}-${existing === null ? 'create' : 'update'}`,
        actor: by,
        object: `${entity} ${existing?.id ?? ids.get(id) ?? id}`,
        name: typeof after.name === 'string' ? after.name : (existing?.name ?? ''),
        before: existing?.body ?? null,
        after,
      }
    })
    await auditChanges(trx, lines, nowMs)
    await turn()
  }
}

/** The plan refused cycles of its own; one that somebody else's change closed meanwhile is refused here, under the lock. */
const refuseCycles = async (trx: Db, entity: ImportEntity): Promise<void> => {
  if (entity === 'metric') return
  const parents =
    entity === 'host'
      ? await readHostParents(trx)
      : new Map(
          (await trx.selectFrom('site').select(['id', 'parent_id']).execute()).map(site => [
            site.id,
            site.parent_id === null ? [] : [site.parent_id],
          ]),
        )
  if (onCycles(parents).size > 0) throw changedMeanwhile()
}
