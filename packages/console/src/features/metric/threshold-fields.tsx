import type { metricBody, Unit } from '@narval/contracts'
import { effectiveClear, type Thresholds } from '@narval/engine'
import { type Control, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { fr as common } from '../../i18n/fr.ts'
import { formatValue } from '../../lib/format.ts'
import { MeasureField } from '../../ui/measure-field.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './threshold-fields.module.css'

export type MetricControl = Control<z.input<typeof metricBody>, unknown, z.output<typeof metricBody>>

const BANDS = [
  {
    title: fr.high,
    rows: [
      { name: 'errorHigh', severity: 'error' },
      { name: 'warningHigh', severity: 'warning' },
    ],
  },
  {
    title: fr.low,
    rows: [
      { name: 'warningLow', severity: 'warning' },
      { name: 'errorLow', severity: 'error' },
    ],
  },
] as const

const numberOr = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/** What is typed so far as thresholds; what is not yet a number counts as none. */
const asThresholds = (typed: Partial<Record<keyof Thresholds, unknown>>): Thresholds => ({
  warningHigh: numberOr(typed.warningHigh),
  warningHighClear: numberOr(typed.warningHighClear),
  warningLow: numberOr(typed.warningLow),
  warningLowClear: numberOr(typed.warningLowClear),
  errorHigh: numberOr(typed.errorHigh),
  errorHighClear: numberOr(typed.errorHighClear),
  errorLow: numberOr(typed.errorLow),
  errorLowClear: numberOr(typed.errorLowClear),
})

interface ThresholdFieldsProps {
  readonly control: MetricControl
  readonly unit: Unit
}

/** Thresholds from the worst high one to the worst low one, each with the value at which it is good again. */
export const ThresholdFields = ({ control, unit }: ThresholdFieldsProps) => {
  const clears = effectiveClear(asThresholds(useWatch({ control, name: 'thresholds' })))
  return (
    <div className={classes.grid}>
      {BANDS.map(band => (
        <fieldset key={band.title} className={classes.band}>
          <legend className={classes.legend}>{band.title}</legend>
          {band.rows.map(({ name, severity }) => (
            <div key={name} className={classes.row}>
              <div className={classes.severity}>
                <SeverityBadge severity={severity}>{common.severity[severity]}</SeverityBadge>
              </div>
              <MeasureField control={control} name={`thresholds.${name}`} label={fr.thresholdNames[name]} unit={unit} />
              <MeasureField
                control={control}
                name={`thresholds.${name}Clear`}
                label={fr.clear}
                unit={unit}
                placeholder={clears[name] === null ? '' : fr.clearDefault(formatValue(clears[name], unit))}
              />
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
