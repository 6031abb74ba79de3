import type { MetricEvent } from '@narval/engine'
import type { Db } from '../../store/database.ts'
import { changeIncident, closeIncident } from '../monitoring.store.ts'

/** What the start and the end of flapping do to the incident: marked and as bad as told; at the end closed where all is well. */
export const saveFlapping = async (
  trx: Db,
  incidentId: number,
  event: MetricEvent,
  information: string,
): Promise<void> => {
  if (isEndOfFlapping(event)) await closeIncident(trx, incidentId, event.atMs)
  else await changeIncident(trx, incidentId, event.to, information)
  await trx
    .updateTable('incident')
    .set({ flapping: event.type === 'flapping-ended' ? 0 : 1 })
    .where('id', '=', incidentId)
    .execute()
}

export const isFlappingEvent = ({ type }: MetricEvent): boolean =>
  type === 'flapping-started' || type === 'flapping-ended'

/** All is well at the end: the incident is over. */
export const isEndOfFlapping = ({ type, to }: MetricEvent): boolean => type === 'flapping-ended' && to === 'ok'
