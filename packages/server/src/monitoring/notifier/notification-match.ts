import { fold, type NotificationRuleInput, type PeriodState, periodStateAt, type RuleKind } from '@narval/contracts'
import type { Severity } from '@narval/engine'

/** What a rule looks at: one thing that fails. */
export interface Subject {
  readonly kind: RuleKind
  readonly siteId: number | null
  readonly hostTypeId: number | null
  /** As the host keeps them: folded, between separators. */
  readonly tags: string
}

export type Refusal = 'disabled' | 'severity' | 'kind' | 'site' | 'host-type' | 'tags' | 'period'

/** Why a rule does not apply, all that keeps it; none: it does. */
export const refusalsOf = (
  rule: NotificationRuleInput,
  subjects: readonly Subject[],
  severity: Severity,
  siteParents: ReadonlyMap<number, number | null>,
  period: PeriodState,
): Refusal[] => [
  ...(rule.enabled ? [] : (['disabled'] as const)),
  ...(rule.severities.some(one => one === severity) ? [] : (['severity'] as const)),
  ...objectRefusals(rule, subjects, siteParents),
  ...(period.inside ? [] : (['period'] as const)),
]

/** Of several things that fail together, one that a rule is about is enough. */
const objectRefusals = (
  rule: NotificationRuleInput,
  subjects: readonly Subject[],
  parents: ReadonlyMap<number, number | null>,
): Refusal[] => {
  let least: Refusal[] | null = null
  for (const subject of subjects) {
    const refusals = refusalsOfSubject(rule, subject, parents)
    if (refusals.length === 0) return refusals
    if (least === null || refusals.length < least.length) least = refusals
  }
  return least ?? ['kind']
}

const refusalsOfSubject = (
  rule: NotificationRuleInput,
  { kind, siteId, hostTypeId, tags }: Subject,
  parents: ReadonlyMap<number, number | null>,
): Refusal[] => {
  const found: Refusal[] = []
  if (!rule.kinds.includes(kind)) found.push('kind')
  if (rule.siteIds.length > 0 && !isUnder(siteId, rule.siteIds, parents)) found.push('site')
  // A probe and its link have neither type nor tag: a rule that asks for one is about equipment.
  if (rule.hostTypeIds.length > 0 && (hostTypeId === null || !rule.hostTypeIds.includes(hostTypeId)))
    found.push('host-type')
  if (rule.tags.length > 0 && !rule.tags.some(tag => tags.includes(`\u001f${fold(tag)}\u001f`))) found.push('tags')
  return found
}

const isUnder = (
  siteId: number | null,
  wanted: readonly number[],
  parents: ReadonlyMap<number, number | null>,
): boolean => {
  for (let id = siteId, depth = 0; id !== null && depth < MAX_DEPTH; id = parents.get(id) ?? null, depth++)
    if (wanted.includes(id)) return true
  return false
}
const MAX_DEPTH = 100

/** Where each rule stands at a moment. */
export const periodsAt = (
  rules: readonly (NotificationRuleInput & { readonly id: number })[],
  atMs: number,
): Map<number, PeriodState> => new Map(rules.map(rule => [rule.id, periodStateAt(rule.period, atMs)]))
