import { ruleSettingRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { RuleSettingService } from './rule-setting.service.ts'

export const ruleSettingHandlers = (rules: RuleSettingService): Mounted[] => [
  on(ruleSettingRoutes.get, ({ query }, viewer) => rules.get(viewer, query.scope, query.id)),
  on(ruleSettingRoutes.update, ({ params, body }, viewer) => rules.update(viewer, params.scope, params.id, body)),
]
