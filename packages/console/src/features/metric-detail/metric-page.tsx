import { Button } from '@mantine/core'
import { hostStream, type Metric, metricRoutes } from '@narval/contracts'
import { IconChartLine, IconPencil } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatValue } from '../../lib/format.ts'
import { graphPath } from '../../lib/graph-ids.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useSession } from '../../lib/session.ts'
import { situationText } from '../../lib/situation.ts'
import { AvailabilityCard } from '../../ui/availability-card.tsx'
import { CommentPanel } from '../../ui/comment-panel.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FlappingMark } from '../../ui/flapping-mark.tsx'
import { FreshnessSign, LivePart } from '../../ui/freshness.tsx'
import { IncidentList } from '../../ui/incident-list.tsx'
import { Instructions } from '../../ui/instructions.tsx'
import { MaintenanceNotice } from '../../ui/maintenance-mark.tsx'
import { MetricGraph } from '../../ui/metric-graph.tsx'
import { Card, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { RangeControl, useRange } from '../../ui/range-control.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { RuleCard } from './rule-card.tsx'

const metricQuery = (id: number) =>
  queryOptions({
    queryKey: ['metric', id],
    queryFn: ({ signal }) => call(metricRoutes.get, { params: { id: String(id) }, signal }),
  })

/** A metric, kept by its host's stream. */
const useLiveMetric = (id: number) => {
  const client = useQueryClient()
  const query = useQuery(metricQuery(id))
  useHubEvent('metric', query.data === undefined ? null : hostStream(query.data.hostId), ({ metrics, entities }) => {
    const change = metrics.find(metric => metric.id === id)
    if (change !== undefined) {
      const { hostId: _host, siteId: _site, ...live } = change
      client.setQueryData<Metric>(metricQuery(id).queryKey, metric =>
        metric === undefined ? metric : { ...metric, ...live },
      )
    }
    if (entities?.includes(id)) void client.invalidateQueries({ queryKey: metricQuery(id).queryKey })
  })
  useHubJoined('metric', () => void client.invalidateQueries({ queryKey: metricQuery(id).queryKey }))
  return query
}

const CHART_PX = 360

/** What is drawn of a metric: its live values are no other curve. */
const useDrawn = (metric: Metric | undefined) =>
  useMemo(() => (metric === undefined ? [] : [metric]), [metric?.id, metric?.updatedAt])

/** /metric/:id: one big chart with its thresholds, and where the metric stands. */
export const MetricPage = () => {
  const id = useIdParam() ?? 0
  const { data: metric, error, refetch } = useLiveMetric(id)
  const range = useRange()
  const shown = useDrawn(metric)
  const { canOn } = useSession()
  if (metric === undefined)
    return error === null ? <LoadingState height={400} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader
        title={metric.name}
        lead={<SeverityIcon severity={metric.severity} size={22} />}
        meta={
          <>
            <SeverityBadge severity={metric.severity} plain />
            <FlappingMark percent={metric.flapping} full /> ·{' '}
            <Link to={`/host/${metric.hostId}`}>{metric.hostName}</Link> · {metric.siteName} · {metric.scannerName} ·{' '}
            <FreshnessSign hub="metric" held />
          </>
        }
        actions={
          <>
            <Button variant="default" component={Link} to={graphPath([id])} leftSection={<IconChartLine size={16} />}>
              {fr.compare}
            </Button>
            {canOn(metric, 'metric_write') && (
              <Button
                variant="default"
                component={Link}
                to={`/metric/edit/${id}`}
                leftSection={<IconPencil size={16} />}
              >
                {fr.edit}
              </Button>
            )}
          </>
        }
      />
      <LivePart hub="metric">
        <MaintenanceNotice maintenance={metric.maintenance} />
        <Instructions kind="metric" id={id} />
        <Card title={situationText(metric)} aside={<RangeControl range={range} />}>
          <MetricGraph title={`${metric.hostName} · ${metric.name}`} metrics={shown} range={range} height={CHART_PX} />
        </Card>
        <Card title={fr.state} style={{ marginTop: 16 }}>
          <Facts facts={factsOf(metric)} />
        </Card>
        <RuleCard metric={metric} />
        <div style={{ marginTop: 16 }}>
          <AvailabilityCard of="metric" id={id} />
        </div>
        <Card title={fr.incidents} style={{ marginTop: 16 }}>
          <IncidentList hostId={metric.hostId} metricId={id} />
        </Card>
        <div style={{ marginTop: 16 }}>
          <CommentPanel kind="metric" id={id} />
        </div>
      </LivePart>
    </>
  )
}

const factsOf = (metric: Metric) => {
  const { thresholds, unit, states } = metric
  const limit = (high: number | null, low: number | null): string =>
    [
      high === null ? '' : `> ${formatValue(high, unit, states)}`,
      low === null ? '' : `< ${formatValue(low, unit, states)}`,
    ]
      .filter(Boolean)
      .join(' · ')
  return [
    { label: fr.facts.state, value: <SeverityBadge severity={metric.severity} soft={metric.kind === 'soft'} /> },
    { label: fr.facts.since, value: <Since at={metric.since} /> },
    { label: fr.facts.last, value: <Ago at={metric.at} /> },
    {
      label: fr.facts.attempt,
      value:
        metric.attempt === 0
          ? ''
          : `${metric.attempt}/${metric.maxAttempts} · ${metric.kind === 'soft' ? fr.soft : fr.hard}`,
    },
    { label: fr.facts.information, value: metric.information },
    { label: fr.facts.error, value: limit(thresholds.errorHigh, thresholds.errorLow) },
    { label: fr.facts.warning, value: limit(thresholds.warningHigh, thresholds.warningLow) },
    { label: fr.facts.key, value: metric.key },
  ]
}
