import type { NotificationPeriod, NotificationRuleInput, RuleStep } from '@narval/contracts'
import { openingSummary } from '../../lib/opening-text.ts'

interface Named {
  readonly id: number
  readonly name: string
}
/** Names of what a rule names by id. */
export interface RuleNames {
  readonly sites: readonly Named[]
  readonly hostTypes: readonly Named[]
  readonly accounts: readonly Named[]
  readonly groups: readonly Named[]
  readonly channels: readonly (Named & { readonly personal: boolean })[]
}

const and = (parts: readonly string[], word = 'et'): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`
const named = (ids: readonly number[], from: readonly Named[]): string[] =>
  ids.map(id => from.find(one => one.id === id)?.name ?? '…')

/** What a rule says, as one would say it: who is told of what, when, and what follows. */
export const ruleSentence = (rule: NotificationRuleInput, names: RuleNames): string[] => [
  `${aboutText(rule, names)}, ${periodText(rule.period)}\u202f:`,
  ...rule.steps.map(step => stepText(step, names)),
  `${rule.tellRecovery ? 'la fin est annoncée à ceux qui ont su le problème' : 'la fin n’est pas annoncée'}${rule.stop ? '\u202f;' : '.'}`,
  ...(rule.stop ? ['les règles suivantes sont ignorées pour cela.'] : []),
]

const WHAT = {
  host: 'équipement indisponible',
  metric: 'métrique',
  probe: 'sonde hors ligne',
  link: 'liaison de sonde',
}
const HOW_BAD = { error: 'en erreur', warning: 'en alerte', unknown: 'dans un état inconnu' }

const aboutText = (rule: NotificationRuleInput, names: RuleNames): string => {
  const isAll = rule.kinds.length === Object.keys(WHAT).length
  const what = isAll
    ? 'tout ce qui est surveillé'
    : and(
        rule.kinds.map(kind => WHAT[kind]),
        'ou',
      )
  const bad = and(
    rule.severities.map(one => HOW_BAD[one]),
    'ou',
  )
  const sites = rule.siteIds.length === 0 ? '' : ` à ${and(named(rule.siteIds, names.sites), 'ou')} et au-dessous`
  const types = rule.hostTypeIds.length === 0 ? '' : `, de type ${and(named(rule.hostTypeIds, names.hostTypes), 'ou')}`
  const tags = rule.tags.length === 0 ? '' : `, d’étiquette ${and(rule.tags, 'ou')}`
  return `Pour ${what} ${bad}${sites}${types}${tags}`
}

const periodText = ({ hours, holidays }: NotificationPeriod): string => {
  const when = hours.length === 0 ? 'à toute heure' : openingSummary(hours)
  const days = {
    ordinary: '',
    sunday: ', les jours fériés comme un dimanche',
    never: ', sauf les jours fériés',
    always: ', et toute la journée les jours fériés',
  }
  return `${when}${days[holidays]}`
}

const stepText = (step: RuleStep, names: RuleNames): string => {
  const people = [
    ...named(step.accountIds, names.accounts),
    ...named(step.groupIds, names.groups).map(name => `le groupe ${name}`),
  ]
  const channels = (personal: boolean): string[] =>
    named(
      step.channelIds.filter(id => (names.channels.find(one => one.id === id)?.personal ?? false) === personal),
      names.channels,
    )
  const when = step.afterMinutes === 0 ? 'aussitôt' : `après ${minutesText(step.afterMinutes)} sans acquittement`
  const until = step.untilMinutes === null ? '' : ` (jusqu’à ${minutesText(step.untilMinutes)})`
  // Without people, a channel that writes to each writes to a place of its own like the others.
  const to = people.length > 0 && channels(true).length > 0 ? `${and(people)} par ` : ''
  return `${when}${until}, ${to}${and([...channels(true), ...channels(false)])}\u202f;`
}

export const minutesText = (minutes: number): string => {
  if (minutes < 60) return `${minutes}\u202fmin`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)}\u202fh${rest === 0 ? '' : `\u202f${String(rest).padStart(2, '0')}`}`
}
