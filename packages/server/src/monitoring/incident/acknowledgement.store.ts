import type { Severity } from '@narval/engine'
import type { Db } from '../../store/database.ts'
import type { NewIncidentEvent } from './incident-log.ts'

/** Columns of an incident that nobody has acknowledged. */
export const NOT_ACKNOWLEDGED = {
  acknowledged_by: null,
  acknowledged_at: null,
  acknowledged_comment: null,
  acknowledged_sticky: 0,
  acknowledged_until: null,
} as const

export interface ChangedIncident {
  readonly incidentId: number
  /** Of the change, so that one that is judged again writes no second line. */
  readonly key: string
  readonly atMs: number
  readonly severity: Severity
}

/**
 * A new severity is news: what was acknowledged of the old one is so no more, unless it was said to hold. While the
 * incident flaps it holds as well: its changes are the one problem that somebody has taken on.
 * @returns the line of its timeline where it ended.
 */
export const endUnlessSticky = (trx: Db, change: ChangedIncident): Promise<NewIncidentEvent | null> =>
  endNow(trx, change, 'La sévérité a changé', true)

/**
 * A problem that comes back after its end was over: whoever had acknowledged it is told again, however it was said to hold.
 * Its owner stays: nobody knows it better. An incident that flaps was not over, and keeps it.
 * @returns the line of its timeline where it ended.
 */
export const endAtReopening = (trx: Db, change: ChangedIncident): Promise<NewIncidentEvent | null> =>
  endNow(trx, change, 'Le problème était terminé', false)

const endNow = async (
  trx: Db,
  { incidentId, key, atMs, severity }: ChangedIncident,
  why: string,
  keepsSticky: boolean,
): Promise<NewIncidentEvent | null> => {
  const acknowledged = trx
    .selectFrom('incident')
    .select('acknowledged_by')
    .where('id', '=', incidentId)
    .where('acknowledged_at', 'is not', null)
    .where('flapping', '=', 0)
  const found = await (keepsSticky
    ? acknowledged.where('acknowledged_sticky', '=', 0)
    : acknowledged
  ).executeTakeFirst()
  if (found === undefined) return null
  await trx.updateTable('incident').set(NOT_ACKNOWLEDGED).where('id', '=', incidentId).execute()
  return {
    ...{ key: `${key}:acknowledgement`, incidentId, atMs, severity, kind: 'acknowledgement-cleared' },
    text: `${why}\u202f: l’acquittement de ${found.acknowledged_by} ne vaut plus.`,
  }
}
