import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { createTurns, type Turn } from '../../turns.ts'
import { insertIncidentEvents, type NewIncidentEvent } from './incident-log.ts'

/** Incidents that another one explains from now on. */
export interface Merge {
  readonly rootId: number
  /** As people know it: « routeur-1 : Ping ». */
  readonly rootTitle: string
  readonly merged: readonly { readonly id: number; readonly title: string }[]
  readonly atMs: number
  /** Login; null: the engine. */
  readonly actor: string | null
  /** What else the lines of the merged ones keep, by incident. */
  readonly detail?: (incidentId: number) => Readonly<Record<string, unknown>>
}

/**
 * Writes that incidents are explained by a root, with the lines of both timelines; what they explained themselves goes
 * along, so that nothing is ever more than one step from what explains it. Written again, it changes nothing.
 */
export const mergeIncidents = async (
  trx: Db,
  { rootId, merged, atMs, actor, ...told }: Merge,
  turn: Turn = createTurns(),
): Promise<void> => {
  const ids = merged.map(({ id }) => id)
  if (ids.length === 0) return
  for (const some of batches(ids, AT_ONCE)) {
    await trx.updateTable('incident').set({ parent_id: rootId }).where('parent_id', 'in', some).execute()
    await turn()
  }
  for (const some of batches(ids, AT_ONCE)) {
    await trx
      .updateTable('incident')
      .set({ parent_id: rootId, merged_at: atMs, merged_by: actor })
      .where('id', 'in', some)
      .execute()
    await turn()
  }
  const lines = merged.map(
    ({ id }): NewIncidentEvent => ({
      ...{ key: `merge:${id}:${rootId}:${atMs}`, incidentId: id, atMs, actor, kind: 'merged' },
      text: `Expliqué par l’incident « ${told.rootTitle} ».`,
      detail: { into: rootId, ...told.detail?.(id) },
    }),
  )
  const [first = 0] = ids
  lines.push({
    ...{ key: `merged:${rootId}:${first}:${ids.length}:${atMs}`, incidentId: rootId, atMs, actor, kind: 'merged' },
    text: `${ids.length === 1 ? 'Explique l’incident' : `Explique ${ids.length} incidents\u202f:`} ${namesText(merged.map(({ title }) => `« ${title} »`))}.`,
    detail: { merged: ids.slice(0, 100) },
  })
  await insertIncidentEvents(trx, lines, turn)
}

/** Incidents of one statement. */
const AT_ONCE = 250

export interface Separation {
  readonly id: number
  readonly rootId: number
  readonly title: string
  readonly atMs: number
  readonly actor: string | null
  readonly text: string
}

/** Writes that an incident stands for itself again. */
export const separateIncident = async (trx: Db, separation: Separation): Promise<void> => {
  const { id, rootId, title, atMs, actor, text } = separation
  await trx
    .updateTable('incident')
    .set({ parent_id: null, merged_at: null, merged_by: null })
    .where('id', '=', id)
    .execute()
  await insertIncidentEvents(trx, [
    { key: `separate:${id}:${rootId}:${atMs}`, incidentId: id, atMs, actor, kind: 'separated', text },
    {
      ...{ key: `separated:${rootId}:${id}:${atMs}`, incidentId: rootId, atMs, actor, kind: 'separated' },
      text: `N’explique plus l’incident « ${title} ».`,
    },
  ])
}

/**
 * What was merged by hand into an incident that ends stands for itself again, so that it is told; what the engine merged
 * is looked at first.
 * @returns their incidents.
 */
export const separateAtEnd = async (trx: Db, rootId: number, rootTitle: string, atMs: number): Promise<number[]> => {
  const left = await trx
    .selectFrom('incident')
    .select('id')
    .where('parent_id', '=', rootId)
    .where('closed_at', 'is', null)
    .where('merged_by', 'is not', null)
    .execute()
  const ids = left.map(({ id }) => id)
  if (ids.length === 0) return []
  await trx
    .updateTable('incident')
    .set({ parent_id: null, merged_at: null, merged_by: null })
    .where('id', 'in', ids)
    .execute()
  await insertIncidentEvents(
    trx,
    ids.map(id => ({
      ...{ key: `separate:${id}:${rootId}:${atMs}`, incidentId: id, atMs, kind: 'separated' },
      text: `L’incident « ${rootTitle} » est terminé, celui-ci dure.`,
    })),
  )
  return ids
}

/** Names that a sentence tells. */
const NAMED = 3

/** « a, b, c et 47 de plus ». */
export const namesText = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} et ${names.length - NAMED} de plus` : names.join(', ')
