import type { Metric, MetricRuleReply, RuleOrigin, RuleSetting } from '@narval/contracts'
import { effectiveClear, flappingPercent, isFlapping, RAISED } from '@narval/engine'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import { ruleSentences, SIDES } from '../../monitoring/notifier/rule-sentence.ts'
import { toIso } from '../../store/time.ts'

/** Which rule gave a metric its present state: told, and every value in force with who says it. */
export const explainMetric = (
  metric: Metric,
  entry: MetricEntry,
  rules: readonly RuleSetting[],
  probe: string | null,
): MetricRuleReply => {
  const origin = thresholdsOrigin(metric)
  const { thresholds } = entry.rule
  const clear = effectiveClear(thresholds)
  return {
    sentences: ruleSentences(entry, originWords(origin), probe),
    since: toIso(entry.state.sinceMs),
    flapping: isFlapping(entry.state.flapping),
    flappingPercent: Math.round(flappingPercent(entry.state.flapping) * 10) / 10,
    thresholds: SIDES.flatMap(side => {
      const value = thresholds[side]
      const raised = (entry.state.raised & RAISED[side]) !== 0
      return value === null ? [] : [{ side, value, clear: clear[side] ?? value, raised, origin }]
    }),
    rules: [...rules],
  }
}

const thresholdsOrigin = (metric: Metric): RuleOrigin => {
  if (metric.overrides.includes('thresholds')) return { scope: 'metric', id: metric.id, name: metric.name }
  return metric.inheritedFrom.thresholds === 'model' && metric.modelId !== null
    ? { scope: 'model', id: metric.modelId, name: metric.modelName ?? '' }
    : { scope: 'kind', id: null, name: 'Genre de contrôle' }
}

const originWords = ({ scope, name }: RuleOrigin): string =>
  scope === 'metric' ? 'propre à la métrique' : scope === 'model' ? `modèle ${name}` : 'seuils du genre de contrôle'
