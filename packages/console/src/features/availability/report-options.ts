import {
  AVAILABILITY_BY,
  AVAILABILITY_HOURS,
  AVAILABILITY_MAINTENANCE,
  AVAILABILITY_UNKNOWN,
  AVAILABILITY_UNREACHABLE,
  AVAILABILITY_WARNING,
} from '@narval/contracts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { periodOf, type ReportPeriod } from './report-period.ts'

/** What each row of a report may stand for. */
export const REPORT_BY = [...AVAILABILITY_BY, 'metric'] as const
export type ReportBy = (typeof REPORT_BY)[number]

/** What counts, by its name in the address; the first choice of each holds unless another is named. */
export const RULES = {
  hours: AVAILABILITY_HOURS,
  maintenance: AVAILABILITY_MAINTENANCE,
  unreachable: AVAILABILITY_UNREACHABLE,
  warning: AVAILABILITY_WARNING,
  unknown: AVAILABILITY_UNKNOWN,
} as const
export type RuleName = keyof typeof RULES
/** Those of equipment, and those of metrics. */
const RULE_NAMES = {
  equipment: ['hours', 'maintenance', 'unreachable', 'unknown'],
  metrics: ['hours', 'maintenance', 'warning', 'unknown'],
} as const satisfies Readonly<Record<string, readonly RuleName[]>>

/** Parts of an address that one report hands to the other. */
const KEPT = ['period', 'from', 'to', ...Object.keys(RULES)]

const choiceOf = <T extends string>(choices: readonly [T, ...T[]], asked: string | null): T =>
  choices.find(choice => choice === asked) ?? choices[0]

/**
 * What a report is asked for, held in the address: a reload, a link and « back » find the same figures. `ofMetric`: it is
 * of one metric, whatever the address says.
 */
export const useReport = (ofMetric = false) => {
  const [params, setParams] = useSearchParams()
  const period = useMemo<ReportPeriod>(() => periodOf(params, new Date()), [params])
  const rules = {
    hours: choiceOf(RULES.hours, params.get('hours')),
    maintenance: choiceOf(RULES.maintenance, params.get('maintenance')),
    unreachable: choiceOf(RULES.unreachable, params.get('unreachable')),
    warning: choiceOf(RULES.warning, params.get('warning')),
    unknown: choiceOf(RULES.unknown, params.get('unknown')),
  }
  const by = choiceOf(REPORT_BY, params.get('by'))
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
  const { unreachable, warning, ...shared } = rules
  const time = { from: period.from.toISOString(), to: period.to.toISOString(), ...shared }
  const ruleNames: readonly RuleName[] = RULE_NAMES[ofMetric || by === 'metric' ? 'metrics' : 'equipment']
  return {
    ...{ params, period, rules, ruleNames, by, change, kept: kept.toString() },
    query: { ...time, unreachable },
    metricQuery: { ...time, warning },
  }
}
export type ReportHandle = ReturnType<typeof useReport>
