import { probeRoutes } from '@narval/contracts'
import { type Mounted, on, onOpen, onProbe } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { OrdersService } from './orders.service.ts'
import type { ProbeService } from './probe.service.ts'

export const probeHandlers = (probes: ProbeService, orders: OrdersService): Mounted[] => [
  on(probeRoutes.list, () => probes.list()),
  on(probeRoutes.get, ({ params }) => probes.get(params.id)),
  on(probeRoutes.lastUpdate, () => probes.lastUpdate()),
  on(probeRoutes.update, ({ params, body }, viewer) => probes.update(viewer, params.id, body)),
  on(probeRoutes.code, (_, viewer) => probes.createCode(viewer.login, false)),
  on(probeRoutes.approve, ({ params }, viewer) => probes.approve(viewer, params.id)),
  on(probeRoutes.revoke, ({ params }, viewer) => probes.revoke(viewer, params.id)),
  on(probeRoutes.datatable.get, () => probes.datatable(FIRST_PAGE)),
  on(probeRoutes.datatable.put, ({ body }) => probes.datatable(body)),
  onOpen(probeRoutes.enroll, ({ body, address }) => probes.enroll(body, address)),
  onProbe(probeRoutes.orders, async ({ query, signal }, caller) => {
    await probes.heard(caller)
    if (query.sealKey !== undefined) await orders.sealFor(caller, query.sealKey)
    const reply = await orders.poll(caller, query, signal)
    await probes.heard(caller)
    return reply
  }),
  onProbe(probeRoutes.answer, async ({ body }, caller) => {
    await probes.heard(caller)
    return void (await orders.answered(caller, body))
  }),
  onProbe(probeRoutes.results, async ({ body }, caller) => {
    await probes.heard(caller)
    return void (await probes.results(caller, body))
  }),
]
