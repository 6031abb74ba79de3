import { type Metric, metricBody, metric as metricSchema, metricUpdateBody, thresholdFormulas } from '@narval/contracts'
import * as z from 'zod/mini'
import { formulaIssues } from '../../lib/formula-text.ts'

/** The contract's body, with what is the metric's own and the formulas of its thresholds. */
export const metricForm = z
  .object({
    ...metricBody.shape,
    formulas: z._default(thresholdFormulas, {}),
    overrides: metricUpdateBody.shape.overrides,
  })
  .check(context => {
    context.issues.push(...formulaIssues(context.value.formulas, []))
  })
export type MetricFormValues = z.input<typeof metricForm>
export type MetricFormOutput = z.output<typeof metricForm>

/** The part of a metric that the form edits. */
export const valuesOf = (metric: Metric): MetricFormOutput => ({
  ...metricBody.parse(metric),
  formulas: metric.formulas,
  overrides: metric.overrides,
})

/** The same of a newer version that the server shows; null when it can't be read. */
export const readNewer = (current: unknown): MetricFormOutput | null => {
  const parsed = metricSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}
