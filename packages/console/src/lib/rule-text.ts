import type { RuleOrigin, RuleSetting } from '@narval/contracts'
import { rule as words } from '../i18n/rule.ts'
import { formatNumber, NNBSP } from './format.ts'

/** « Site Lyon », « Paramètres de la plateforme ». */
export const originText = ({ scope, name }: RuleOrigin): string => words.origins[scope](name)

/** The platform's rules, for whoever holds `parameter_write`. */
const PARAMETERS = '/system/parameter'

/** Where what an origin says is changed, to the rule itself where `key` is its key; null where the console has no such page. */
export const originPath = ({ scope, id }: RuleOrigin, key?: string): string | null => {
  switch (scope) {
    case 'site':
    case 'host':
    case 'scanner':
    case 'metric':
      return `/${scope}/edit/${id}`
    case 'model':
      return `/host/model/${id}`
    case 'default':
    case 'platform':
      return key === undefined ? null : `${PARAMETERS}#${key}`
    case 'kind':
      return null
    default:
      return scope satisfies never
  }
}

/** « 3 », « 20 s », « Oui ». */
export const ruleText = ({ unit }: Pick<RuleSetting, 'unit'>, value: number | boolean): string => {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return unit === '' ? formatNumber(value, 0) : `${formatNumber(value, 0)}${NNBSP}${unit}`
}
