import type { Settings } from '@narval/contracts'
import type { PlanStep, RulePlan } from '@narval/engine'
import type { People, StoredRule } from '../../store/notification-rules.ts'
import { recipientsOf } from './notification-recipients.ts'

const MINUTE_MS = 60_000

export type NotificationSettings = Pick<
  Settings,
  'notificationWaitSeconds' | 'notificationNewsMinutes' | 'notificationReminderMinutes'
>

/** What is in force: the rule's own figures, else those of the platform. */
export const effectiveOf = (
  rule: Pick<StoredRule, 'waitSeconds' | 'newsMinutes' | 'reminderMinutes'>,
  settings: NotificationSettings,
) => ({
  waitSeconds: rule.waitSeconds ?? settings.notificationWaitSeconds,
  newsMinutes: rule.newsMinutes ?? settings.notificationNewsMinutes,
  reminderMinutes: rule.reminderMinutes ?? settings.notificationReminderMinutes,
})

/** A rule as the planner takes it; `open`: within its period; `all`: with those too who are named and can't be told. */
export const planOf = (
  rule: StoredRule,
  people: People,
  settings: NotificationSettings,
  { open, all = false }: { readonly open: boolean; readonly all?: boolean },
): RulePlan => {
  const { waitSeconds, newsMinutes, reminderMinutes } = effectiveOf(rule, settings)
  const steps = rule.steps.map(
    (step): PlanStep => ({
      afterMs: step.afterMinutes * MINUTE_MS,
      untilMs: step.untilMinutes === null ? null : step.untilMinutes * MINUTE_MS,
      recipients: recipientsOf(step, people).flatMap(({ key, told }) => (told || all ? [key] : [])),
    }),
  )
  return {
    steps,
    waitMs: waitSeconds * 1_000,
    newsEveryMs: newsMinutes * MINUTE_MS,
    remindEveryMs: reminderMinutes === 0 ? null : reminderMinutes * MINUTE_MS,
    ...{ recovery: rule.tellRecovery, brief: rule.tellBrief, open },
  }
}

/** Of a rule that is no more, or not in force: those who were told are told of the end, and nothing else is. */
export const closingPlan = (recovery: boolean): RulePlan => ({
  ...{ steps: [], waitMs: 0, newsEveryMs: MINUTE_MS, remindEveryMs: null, recovery, brief: false, open: true },
})
