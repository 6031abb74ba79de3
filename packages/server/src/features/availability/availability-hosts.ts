import {
  type AvailabilityInterval,
  type AvailabilityRules,
  type AvailabilityTotals,
  availabilityIntervals,
  availabilityTotals,
  type HostStateChange,
} from '@narval/engine'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import { readWritten } from './availability.store.ts'
import type { Reported } from './computing.ts'

/** Hosts, by their states. */
export const HOSTS: Reported<HostEntry, HostStateChange, AvailabilityInterval, AvailabilityTotals, AvailabilityRules> =
  {
    coveredBy: run => run.hosts,
    siteOf: host => host.site.id,
    async read(db, hosts, period) {
      const ids = hosts.map(({ id }) => id)
      const { changes, late } = await readWritten(db, ids, period)
      return ({ id, createdMs }) => ({
        sinceMs: createdMs,
        changes: changes.get(id) ?? [],
        late: late.get(id) ?? [],
      })
    },
    intervals: availabilityIntervals,
    totals: availabilityTotals,
    stateKey: change => `${change?.state} ${change?.flapping}`,
  }
