import type { DatatableReply, DatatableRequest, Delivery } from '@narval/contracts'
import { type Changes, DELIVERED } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound } from '../../http/refusal.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { transaction } from '../../store/transaction.ts'
import { visibleIncident } from '../../store/visible.ts'
import { type DeliveryRow, deliveriesOfIncident, deliveryList, readDelivery, shownDelivery } from './delivery.store.ts'

export interface DeliveryDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  /** Something may leave now. */
  readonly wake: () => void
}

/** What is told to whom: read, sent again, or not sent after all. */
export const createDeliveryService = ({ database, now, changes, wake }: DeliveryDeps) => {
  const { db } = database
  const change = async (viewer: Viewer, id: number, what: 'retry' | 'cancel'): Promise<Delivery> => {
    await transaction(db, async trx => {
      const row = await readDelivery(trx, id)
      if (row === null) throw notFound('Cet envoi n’existe pas.')
      const set = what === 'retry' ? retried(row, now()) : cancelled(row, viewer, now())
      await trx.updateTable('delivery').set(set).where('id', '=', id).execute()
      const entry = { action: `delivery-${what}`, outcome: 'success', actor: viewer.login } as const
      await audit(trx, { ...entry, object: `delivery ${id}`, detail: { name: row.subject } }, now())
    })
    wake()
    changes.emit(DELIVERED)
    const row = await readDelivery(db, id)
    if (row === null) throw notFound('Cet envoi n’existe pas.')
    return shownDelivery(row)
  }
  return {
    async list(request: DatatableRequest): Promise<DatatableReply<Delivery>> {
      const reply = await runDatatable<DeliveryRow>(database, deliveryList, request)
      return { ...reply, data: reply.data.map(shownDelivery) }
    },
    async ofIncident(viewer: Viewer, incidentId: number): Promise<Delivery[]> {
      const incident = await db
        .selectFrom('incident')
        .leftJoin('host', 'host.id', 'incident.host_id')
        .select('incident.id')
        .where('incident.id', '=', incidentId)
        .where(visibleIncident(viewer))
        .executeTakeFirst()
      if (incident === undefined) throw notFound('Cet incident n’existe pas.')
      return (await deliveriesOfIncident(db, incidentId)).map(shownDelivery)
    },
    retry: (viewer: Viewer, id: number) => change(viewer, id, 'retry'),
    cancel: (viewer: Viewer, id: number) => change(viewer, id, 'cancel'),
  }
}
export type DeliveryService = ReturnType<typeof createDeliveryService>

const retried = (row: DeliveryRow, nowMs: number) => {
  if (row.state === 'sent') throw conflict('Ce message a déjà été envoyé.')
  if (row.channel_name === null) throw conflict('Le canal de cet envoi n’existe plus.')
  // What was given up has its whole time again.
  return { state: 'waiting', next_at: nowMs, ended_at: null, ...(row.state === 'waiting' ? {} : { first_at: null }) }
}

const cancelled = (row: DeliveryRow, viewer: Viewer, nowMs: number) => {
  if (row.state !== 'waiting') throw conflict('Ce message n’attend plus.')
  return { state: 'cancelled', ended_at: nowMs, answer: `Annulé par ${viewer.login}.` }
}
