import type { Takeover } from '@narval/engine'
import type { Database, Db } from '../../store/database.ts'

/** A takeover with its memory: what the stand-in brought, and when it ended. */
export interface KeptTakeover extends Takeover {
  readonly id: number
  /** When its first result arrived; null: none yet. */
  readonly coveredFromMs: number | null
  /** Null while it lasts. */
  readonly untilMs: number | null
}

export interface FailoverGroup {
  readonly id: number
  readonly name: string
  /** Probes by rank. */
  readonly members: readonly number[]
}

export interface FailoverRows {
  readonly groups: readonly FailoverGroup[]
  readonly takeovers: readonly KeptTakeover[]
  /** Probes that stand on the server's machine. */
  readonly local: ReadonlySet<number>
}

/** What holds, and what ended since `sinceMs`. */
export const readFailover = async ({ db }: Database, sinceMs: number): Promise<FailoverRows> => {
  const groups = await db.selectFrom('probe_group').select(['id', 'name']).orderBy('name_folded').execute()
  const members = await db
    .selectFrom('probe_group_member')
    .selectAll()
    .orderBy('position')
    .orderBy('probe_id')
    .execute()
  const rows = await db
    .selectFrom('probe_takeover')
    .selectAll()
    .where(eb => eb.or([eb('until', 'is', null), eb('until', '>=', sinceMs)]))
    .orderBy('id')
    .execute()
  const local = await db.selectFrom('probe').select('id').where('local', '=', 1).execute()
  return {
    groups: groups.map(group => ({
      ...group,
      members: members.filter(member => member.group_id === group.id).map(member => member.probe_id),
    })),
    takeovers: rows.map(row => ({
      id: row.id,
      home: row.home_id,
      runner: row.runner_id,
      sinceMs: row.since,
      coveredFromMs: row.covered_from,
      backSinceMs: row.back_since,
      untilMs: row.until,
    })),
    local: new Set(local.map(({ id }) => id)),
  }
}

export interface FailoverChanges {
  readonly ended: readonly { readonly id: number; readonly untilMs: number }[]
  readonly changed: readonly { readonly id: number; readonly backSinceMs: number | null }[]
  readonly begun: readonly Takeover[]
}

/** Writes what changed, all or nothing; what ended before `forgetMs` is forgotten. @returns the rows of what began. */
export const saveFailover = (
  { db }: Database,
  { ended, changed, begun }: FailoverChanges,
  forgetMs: number,
): Promise<KeptTakeover[]> =>
  db.transaction().execute(async trx => {
    if (ended.length > 0) await trx.deleteFrom('probe_takeover').where('until', '<', forgetMs).execute()
    for (const { id, untilMs } of ended)
      await trx.updateTable('probe_takeover').set({ until: untilMs }).where('id', '=', id).execute()
    for (const { id, backSinceMs } of changed)
      await trx.updateTable('probe_takeover').set({ back_since: backSinceMs }).where('id', '=', id).execute()
    const kept: KeptTakeover[] = []
    for (const takeover of begun) {
      const { id } = await trx
        .insertInto('probe_takeover')
        .values({
          ...{ home_id: takeover.home, runner_id: takeover.runner, since: takeover.sinceMs },
          ...{ back_since: takeover.backSinceMs, covered_from: null, until: null },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      kept.push({ ...takeover, id, coveredFromMs: null, untilMs: null })
    }
    return kept
  })

export const saveCovered = (db: Db, id: number, coveredFromMs: number) =>
  db.updateTable('probe_takeover').set({ covered_from: coveredFromMs }).where('id', '=', id).execute()
