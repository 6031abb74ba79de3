import type { RuleOrigin, RuleSetting } from '@narval/contracts'
import { rule as words } from '../i18n/rule.ts'
import { formatNumber, NNBSP } from './format.ts'

/** « Site Lyon », « Paramètres de la plateforme ». */
export const originText = ({ scope, name }: RuleOrigin): string => words.origins[scope](name)

/** Where what an origin says is changed; null where the console has no such page. */
export const originPath = ({ scope, id }: RuleOrigin): string | null => {
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
