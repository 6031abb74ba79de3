import type { Incident } from '@narval/contracts'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ChartSpan } from '../../lib/chart-range.ts'
import { situationText } from '../../lib/situation.ts'
import type { ChartMark } from '../../ui/chart/draw.ts'
import { MetricChart } from '../../ui/metric-chart.tsx'
import { Card } from '../../ui/page.tsx'
import { chartSpan } from './chart-span.ts'
import { fr } from './fr.ts'
import { useIncidentMetric } from './incident-queries.ts'

const HEIGHT_PX = 240

/** The metric from before the incident to after it; up to now while it lasts. */
export const IncidentChart = ({ incident }: { readonly incident: Incident }) => {
  const { data: metric } = useIncidentMetric(incident)
  const [zoom, setZoom] = useState<ChartSpan | null>(null)
  if (metric === undefined || incident.metricId === null) return null
  const span = chartSpan(incident, Date.now())
  const marks: ChartMark[] = [
    { atMs: Date.parse(incident.openedAt), label: fr.chartStart, severity: incident.worst },
    ...(incident.closedAt === null
      ? []
      : [{ atMs: Date.parse(incident.closedAt), label: fr.chartEnd, severity: 'ok' as const }]),
  ]
  return (
    <Card
      title={<Link to={`/metric/${metric.id}`}>{fr.chart(metric.name)}</Link>}
      aside={incident.closedAt === null ? situationText(metric) : undefined}
    >
      <MetricChart
        metric={metric}
        span={zoom ?? span.past ?? { lastMs: span.rangeMs }}
        onView={setZoom}
        onBack={() => setZoom(null)}
        height={HEIGHT_PX}
        marks={marks}
      />
    </Card>
  )
}
