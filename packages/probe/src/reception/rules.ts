import type { EventSeverity, SyslogRule, TrapRule } from '@narval/contracts'
import { SYSLOG_LEVELS } from '@narval/contracts'
import { searchPattern } from '../pattern.ts'
import { matches } from '../snmp/values.ts'
import type { SyslogMessage } from './syslog-message.ts'
import type { TrapMessage } from './trap-message.ts'

/** Characters of a message that patterns look at. */
const LOOKED_MAX = 2_000

const holds = (pattern: string, text: string): boolean =>
  pattern === '' || (searchPattern(pattern, text.slice(0, LOOKED_MAX))?.match ?? null) !== null

export const syslogRuleHolds = (rule: SyslogRule, message: SyslogMessage): boolean =>
  message.level <= SYSLOG_LEVELS.indexOf(rule.level) &&
  (rule.facility === '' || rule.facility === message.facility) &&
  (rule.app === '' || matches(rule.app, message.app)) &&
  holds(rule.pattern, message.text)

export const trapRuleHolds = (rule: TrapRule, trap: TrapMessage): boolean => {
  const oid = rule.oid.replace(/^\./, '')
  return (oid === '' || trap.oid === oid || trap.oid.startsWith(`${oid}.`)) && holds(rule.pattern, trap.text)
}

interface Ruled {
  readonly name: string
  readonly severity: EventSeverity
}
export interface Verdict {
  /** Names of the rules that it follows. */
  readonly rules: readonly string[]
  /** The worst that one of them says; null: it follows none. */
  readonly severity: EventSeverity | null
}

const RANK: Readonly<Record<EventSeverity, number>> = { ok: 0, warning: 1, error: 2 }

/** Every rule is asked: the worst one that holds says what the message means. */
export const judgeMessage = <R extends Ruled>(rules: readonly R[], isFollowed: (rule: R) => boolean): Verdict => {
  const followed = rules.filter(isFollowed)
  const worst = followed.reduce<EventSeverity | null>(
    (before, { severity }) => (before === null || RANK[severity] > RANK[before] ? severity : before),
    null,
  )
  return { rules: followed.map(({ name }) => name), severity: worst }
}
