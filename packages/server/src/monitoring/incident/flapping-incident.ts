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
  const isEnd = event.type === 'flapping-ended'
  if (isEnd && event.to === 'ok') await closeIncident(trx, incidentId, event.atMs)
  else await changeIncident(trx, incidentId, event.to, information)
  await trx
    .updateTable('incident')
    .set({ flapping: isEnd ? 0 : 1 })
    .where('id', '=', incidentId)
    .execute()
}

export const isFlappingEvent = ({ type }: MetricEvent): boolean =>
  type === 'flapping-started' || type === 'flapping-ended'
