import type { Database } from '../../store/database.ts'
import { insertOutbox, type OutboxEntry } from '../monitoring.store.ts'
import type { Publisher } from '../publisher.ts'
import { PROBE_TITLES } from '../texts.ts'
import type { Presence, ProbePresence } from './presence.ts'

/** A spool that goes on losing results is told again after this long, not at each of its figures. */
export const LOSSES_EVERY_MS = 3_600_000

export interface LossesDeps {
  readonly database: Database
  readonly presence: Presence
  readonly publisher: Pick<Publisher, 'alert' | 'touched'>
  readonly now: () => number
}

/** Tells that a probe had to drop results, its spool being full or they too old (R11): an hour without measures is said. */
export const createLossAlerts = ({ database, presence, publisher, now }: LossesDeps) => {
  const toldMs = new Map<number, number>()
  const remember = (probe: ProbePresence, dropped: number, entry: OutboxEntry | null): Promise<number | null> =>
    database.db.transaction().execute(async trx => {
      await trx.updateTable('probe').set({ dropped_told: dropped }).where('id', '=', probe.id).execute()
      return entry === null ? null : insertOutbox(trx, entry)
    })

  return {
    /** To be called from time to time; what the database refused is told by the next call. */
    async pass(): Promise<void> {
      for (const probe of presence.probes.values()) {
        const dropped = probe.approval === 'approved' ? (probe.health?.dropped ?? null) : null
        if (dropped === null || dropped === probe.droppedTold) continue
        // Fewer than before: the probe began a new spool.
        const lost = dropped < probe.droppedTold ? dropped : dropped - probe.droppedTold
        if (lost > 0 && now() - (toldMs.get(probe.id) ?? Number.NEGATIVE_INFINITY) < LOSSES_EVERY_MS) continue
        const entry = lost > 0 ? lossAlert(probe, lost, dropped, now()) : null
        const id = await remember(probe, dropped, entry)
        probe.droppedTold = dropped
        if (entry === null) continue
        toldMs.set(probe.id, now())
        publisher.touched([probe.id])
        if (id !== null) publisher.alert({ ...entry, id })
      }
    },
  }
}

const lossAlert = (probe: ProbePresence, lost: number, dropped: number, nowMs: number): OutboxEntry => {
  const count = lost.toLocaleString('fr-FR')
  return {
    eventKey: `probe-${probe.id}-dropped-${dropped}-${nowMs}`,
    atMs: nowMs,
    severity: 'warning',
    type: 'Warning',
    title: PROBE_TITLES.spoolFull(probe.name),
    message: `${count} ${lost === 1 ? 'résultat, le plus ancien, est perdu' : 'résultats, les plus anciens, sont perdus'}\u202f: la sonde n’a pas joint le serveur assez tôt, ou son disque est trop petit.`,
    link: '/probe/edit',
    incidentId: null,
  }
}
