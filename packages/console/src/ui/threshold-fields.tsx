import { THRESHOLD_SIDES, type ThresholdFormulas, type Unit } from '@narval/contracts'
import { effectiveClear, type Thresholds } from '@narval/engine'
import { type Control, type FieldValues, useController, useWatch } from 'react-hook-form'
import { fr as common } from '../i18n/fr.ts'
import { threshold as words } from '../i18n/threshold.ts'
import { formatValue } from '../lib/format.ts'
import { fieldAt } from './field-path.ts'
import { SeverityBadge } from './severity.tsx'
import classes from './threshold-fields.module.css'
import { type SideFormula, ThresholdInput, type ThresholdSide } from './threshold-input.tsx'

const BANDS = [
  {
    title: words.high,
    rows: [
      { name: 'errorHigh', clear: 'errorHighClear', severity: 'error' },
      { name: 'warningHigh', clear: 'warningHighClear', severity: 'warning' },
    ],
  },
  {
    title: words.low,
    rows: [
      { name: 'warningLow', clear: 'warningLowClear', severity: 'warning' },
      { name: 'errorLow', clear: 'errorLowClear', severity: 'error' },
    ],
  },
] as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const numberAt = (typed: unknown, side: ThresholdSide): number | null => {
  const value = isRecord(typed) ? typed[side] : null
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
const textAt = (typed: unknown, side: ThresholdSide): string | undefined => {
  const value = isRecord(typed) ? typed[side] : undefined
  return typeof value === 'string' ? value : undefined
}
const messageAt = (error: unknown, side: ThresholdSide): string | undefined => {
  const one = isRecord(error) ? error[side] : undefined
  return isRecord(one) && typeof one.message === 'string' ? one.message : undefined
}

/** What is typed so far as thresholds; what is not yet a number, or comes from a formula, counts as none. */
const asThresholds = (typed: unknown, formulas: unknown): Thresholds => {
  const at = (side: ThresholdSide) => (textAt(formulas, side) === undefined ? numberAt(typed, side) : null)
  return {
    warningHigh: at('warningHigh'),
    warningHighClear: at('warningHighClear'),
    warningLow: at('warningLow'),
    warningLowClear: at('warningLowClear'),
    errorHigh: at('errorHigh'),
    errorHighClear: at('errorHighClear'),
    errorLow: at('errorLow'),
    errorLowClear: at('errorLowClear'),
  }
}

/** What the server knows of formulas: their figures, and why one has none. */
export interface ComputedFormulas {
  readonly formulas: ThresholdFormulas
  readonly thresholds: Thresholds
  readonly faults: Readonly<Partial<Record<ThresholdSide, string>>>
}

interface ThresholdFieldsProps<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  /** Path of what holds `thresholds` and `formulas`; '' for the form itself. */
  readonly at: string
  readonly unit: Unit
  readonly computed?: ComputedFormulas
  /** Share of a threshold by which a value must come back where no clear value is given; 5 % unless told. */
  readonly clearRatio?: number | undefined
  readonly disabled?: boolean
}

/** Thresholds from the worst high one to the worst low one, each with the value at which it is good again. */
export const ThresholdFields = <V extends FieldValues, O>(props: ThresholdFieldsProps<V, O>) => {
  const { control, at, unit, computed, clearRatio, disabled } = props
  const { field, fieldState } = useController({ control, name: fieldAt<V>(at, 'formulas') })
  const typed: unknown = useWatch({ control, name: fieldAt<V>(at, 'thresholds') })
  const formulas: unknown = field.value
  const clears = effectiveClear(asThresholds(typed, formulas), clearRatio)
  const formulaOf = (side: ThresholdSide): SideFormula => {
    const text = textAt(formulas, side)
    const isKnown = text !== undefined && text === computed?.formulas[side]
    return {
      text,
      error: messageAt(fieldState.error, side),
      computed: isKnown ? computed?.thresholds[side] : undefined,
      fault: isKnown ? computed?.faults[side] : undefined,
      change: next => {
        const others = THRESHOLD_SIDES.flatMap(one => {
          const said = one === side ? next : textAt(formulas, one)
          return said === undefined ? [] : [[one, said] as const]
        })
        field.onChange(Object.fromEntries(others))
      },
    }
  }
  const shared = { control, at: fieldAt<V>(at, 'thresholds'), unit, disabled }
  return (
    <div className={classes.grid}>
      {BANDS.map(band => (
        <fieldset key={band.title} className={classes.band}>
          <legend className={classes.legend}>{band.title}</legend>
          {band.rows.map(({ name, clear, severity }) => (
            <div key={name} className={classes.row}>
              <div className={classes.severity}>
                <SeverityBadge severity={severity}>{common.severity[severity]}</SeverityBadge>
              </div>
              <ThresholdInput {...shared} side={name} label={words.names[name]} formula={formulaOf(name)} />
              <ThresholdInput
                {...shared}
                side={clear}
                label={words.clear}
                placeholder={clears[name] === null ? '' : words.clearDefault(formatValue(clears[name], unit))}
                formula={formulaOf(clear)}
              />
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
