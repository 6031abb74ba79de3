import {
  AVAILABILITY_BY,
  AVAILABILITY_HOURS,
  AVAILABILITY_MAINTENANCE,
  AVAILABILITY_UNKNOWN,
  AVAILABILITY_UNREACHABLE,
} from '@narval/contracts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { periodOf, type ReportPeriod } from './report-period.ts'

/** What counts, by its name in the address; the first choice of each holds unless another is named. */
export const RULES = {
  hours: AVAILABILITY_HOURS,
  maintenance: AVAILABILITY_MAINTENANCE,
  unreachable: AVAILABILITY_UNREACHABLE,
  unknown: AVAILABILITY_UNKNOWN,
} as const
export type RuleName = keyof typeof RULES
export const RULE_NAMES = ['hours', 'maintenance', 'unreachable', 'unknown'] as const satisfies readonly RuleName[]

/** Parts of an address that one report hands to the other. */
const KEPT = ['period', 'from', 'to', ...RULE_NAMES]

const choiceOf = <T extends string>(choices: readonly [T, ...T[]], asked: string | null): T =>
  choices.find(choice => choice === asked) ?? choices[0]

/** What a report is asked for, held in the address: a reload, a link and « back » find the same figures. */
export const useReport = () => {
  const [params, setParams] = useSearchParams()
  const period = useMemo<ReportPeriod>(() => periodOf(params, new Date()), [params])
  const rules = {
    hours: choiceOf(RULES.hours, params.get('hours')),
    maintenance: choiceOf(RULES.maintenance, params.get('maintenance')),
    unreachable: choiceOf(RULES.unreachable, params.get('unreachable')),
    unknown: choiceOf(RULES.unknown, params.get('unknown')),
  }
  const by = choiceOf(AVAILABILITY_BY, params.get('by'))
  const change = (values: Readonly<Record<string, string | null>>): void =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries({ page: null, ...values })) {
          if (value === null) next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const kept = new URLSearchParams(
    KEPT.flatMap(name => [[name, params.get(name) ?? '']]).filter(([, text]) => text !== ''),
  )
  const query = { from: period.from.toISOString(), to: period.to.toISOString(), ...rules }
  return { params, period, rules, by, query, change, kept: kept.toString() }
}
export type ReportHandle = ReturnType<typeof useReport>
