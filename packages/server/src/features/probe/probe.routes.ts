import { probeRoutes } from '@narval/contracts'
import { type Mounted, on, onOpen, onProbe } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { OrdersService } from './orders.service.ts'
import type { ProbeService } from './probe.service.ts'
import type { ProbeDiagnose } from './probe-diagnose.ts'
import type { ProbeKeys } from './probe-keys.ts'

export interface ProbeParts {
  readonly probes: ProbeService
  readonly orders: OrdersService
  readonly keys: ProbeKeys
  readonly diagnose: ProbeDiagnose
}

export const probeHandlers = ({ probes, orders, keys, diagnose }: ProbeParts): Mounted[] => [
  on(probeRoutes.list, () => probes.list()),
  on(probeRoutes.get, ({ params }) => probes.get(params.id)),
  on(probeRoutes.lastUpdate, () => probes.lastUpdate()),
  on(probeRoutes.update, ({ params, body }, viewer) => probes.update(viewer, params.id, body)),
  on(probeRoutes.code, (_, viewer) => probes.createCode(viewer.login, false)),
  on(probeRoutes.approve, ({ params }, viewer) => probes.approve(viewer, params.id)),
  on(probeRoutes.revoke, ({ params }, viewer) => probes.revoke(viewer, params.id)),
  on(probeRoutes.diagnose, async ({ params, body, signal }, viewer) =>
    diagnose(viewer, await probes.get(params.id), body, signal),
  ),
  on(probeRoutes.renewKey, async ({ params, signal }, viewer) =>
    keys.renew(viewer, await probes.get(params.id), signal),
  ),
  on(probeRoutes.move, ({ params, body }, viewer) => probes.move(viewer, params.id, body)),
  on(probeRoutes.delete, ({ params, query }, viewer) => probes.delete(viewer, params.id, query.plan === 'true')),
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
  onProbe(probeRoutes.rotate, async ({ body, address }, caller) => {
    await probes.heard(caller)
    return void (await keys.rotate(caller, body, address))
  }),
  onProbe(probeRoutes.results, async ({ body }, caller) => {
    await probes.heard(caller)
    return void (await probes.results(caller, body))
  }),
]
