import type { Thresholds } from '@narval/engine'
import * as z from 'zod/mini'
import { type ParameterField, textParameter } from '../check-definition.ts'

/** Every SNMP kind shows the SNMP credentials that the host has or inherits. */
export const snmpCredential = () => 'snmp' as const

/** Thresholds of a state whose values go from good to bad: those above `good` are an error, or a warning. */
export const errorAbove = (good: number): Partial<Thresholds> => ({ errorHigh: good + 0.5, errorHighClear: good })
export const warningAbove = (good: number): Partial<Thresholds> => ({ warningHigh: good + 0.5, warningHighClear: good })

/** Patterns of names, with `*` and `?`. */
export const patternsParameter = z.array(textParameter(100).check(z.minLength(1))).check(z.maxLength(50))
export const patternsField = (label: string, help: string): ParameterField => ({
  type: 'words',
  label,
  help,
  wide: true,
})
