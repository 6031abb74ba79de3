import { type Metric, metricRoutes, type RuleOrigin } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { rule as words } from '../../i18n/rule.ts'
import { call } from '../../lib/api.ts'
import { causeOf, isExplained } from '../../lib/explained.ts'
import { formatNumber, formatValue } from '../../lib/format.ts'
import { useHostCauses } from '../../lib/host-causes.ts'
import { originPath, originText, ruleText } from '../../lib/rule-text.ts'
import { useSession } from '../../lib/session.ts'
import { Card, ErrorState, LoadingState } from '../../ui/page.tsx'
import classes from '../../ui/rule-settings.module.css'
import { Since } from '../../ui/time.tsx'

/** « Règle en vigueur »: why a metric is as it is, and who says each figure that it is judged by. */
export const RuleCard = ({ metric }: { readonly metric: Metric }) => {
  const { id, unit, states } = metric
  // Asked again with each change of what it explains; values that change nothing are not waited for.
  const { data, error, refetch } = useQuery({
    queryKey: [
      'rules',
      'metric-state',
      id,
      metric.severity,
      metric.kind,
      metric.attempt,
      metric.cause,
      metric.flapping,
    ],
    queryFn: ({ signal }) => call(metricRoutes.rule, { query: { id }, signal }),
    placeholderData: before => before,
  })
  return (
    <Card title={words.inForce.title} style={{ marginTop: 16 }}>
      {data === undefined && error === null && <LoadingState height={120} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.sentences.map(sentence => (
        <p key={sentence} className={classes.sentence}>
          {sentence}
        </p>
      ))}
      {data !== undefined && isExplained(metric) && <Explaining metric={metric} />}
      {data !== undefined && (
        <>
          <p className={classes.note}>
            {words.inForce.since} <Since at={data.since} /> · {words.inForce.flapping}
            {'\u202f: '}
            {words.inForce.percent(formatNumber(data.flappingPercent, 1))}
          </p>
          {data.thresholds.length > 0 && (
            <ul className={classes.list} aria-label={words.inForce.thresholds}>
              {data.thresholds.map(({ side, value, clear, raised, origin }) => (
                <li key={side}>
                  <span>
                    {words.inForce.sides[side]} {formatValue(value, unit, states)}
                  </span>
                  <span className={classes.value}>
                    {words.inForce.clear(formatValue(clear, unit, states))}
                    {raised && ` · ${words.inForce.raised}`}
                  </span>
                  <Origin origin={origin} />
                </li>
              ))}
            </ul>
          )}
          <details className={classes.more}>
            <summary>{words.inForce.all}</summary>
            <ul className={classes.list}>
              {data.rules.map(rule => (
                <li key={rule.key}>
                  <span title={rule.help}>{rule.label}</span>
                  <span className={classes.value}>{ruleText(rule, rule.value)}</span>
                  <Origin origin={rule.origin} ruleKey={rule.key} />
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </Card>
  )
}

/** The platform's are changed by those who hold the right alone: for others it is a word. */
const Origin = ({ origin, ruleKey }: { readonly origin: RuleOrigin; readonly ruleKey?: string }) => {
  const path = originPath(origin, useSession().can('parameter_write') ? ruleKey : undefined)
  return (
    <span className={classes.origin}>
      {path === null ? originText(origin) : <Link to={path}>{originText(origin)}</Link>}
    </span>
  )
}

/** The incident of what else explains why it is unknown. */
const Explaining = ({ metric }: { readonly metric: Metric }) => {
  const cause = causeOf(useHostCauses(metric.hostId), metric)
  if (cause === null) return null
  return (
    <p className={classes.sentence}>
      {words.inForce.explained} <Link to={`/dashboard/live-view/incident/${cause.incidentId}`}>{cause.title}</Link>
    </p>
  )
}
