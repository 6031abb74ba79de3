import { RULE_KEYS, type RuleValues, SETTINGS } from '@narval/contracts'
import { createRuleBook, type EffectiveRules } from '../monitoring/fleet/effective-rules.ts'
import { NO_RULE_ROWS } from '../store/rule-rows.ts'

/** The product's own rules. The one cast: every key has its default. */
export const DEFAULT_RULES = Object.fromEntries(
  RULE_KEYS.map(key => [key, SETTINGS[key].default]),
) as unknown as RuleValues

/** What is in force where nobody set anything. */
export const PLAIN_RULES: EffectiveRules = createRuleBook(DEFAULT_RULES, NO_RULE_ROWS).ofHost(1, 1)
