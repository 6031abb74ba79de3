import { notificationRuleRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { NotificationRuleService } from './notification-rule.service.ts'
import type { Simulator } from './simulator.ts'

export const notificationRuleHandlers = (rules: NotificationRuleService, simulator: Simulator): Mounted[] => [
  on(notificationRuleRoutes.list, () => rules.list()),
  on(notificationRuleRoutes.choices, () => rules.choices()),
  on(notificationRuleRoutes.recipients, ({ query }, viewer) => simulator.recipients(viewer, query.host)),
  on(notificationRuleRoutes.get, ({ params }) => rules.get(params.id)),
  on(notificationRuleRoutes.create, ({ body }, viewer) => rules.create(viewer, body)),
  on(notificationRuleRoutes.update, ({ params, body }, viewer) => rules.update(viewer, params.id, body)),
  on(notificationRuleRoutes.delete, ({ params }, viewer) => rules.delete(viewer, params.id)),
  on(notificationRuleRoutes.order, ({ body }, viewer) => rules.order(viewer, body.ids)),
  on(notificationRuleRoutes.simulate, ({ body }, viewer) => simulator.simulate(viewer, body)),
]
