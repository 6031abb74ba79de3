import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Claim, type Host, type HostCause, hostRoutes, type Metric } from '@narval/contracts'
import { IconChartLine, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { fr as words } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { causeOf } from '../../lib/explained.ts'
import { graphPath } from '../../lib/graph-ids.ts'
import { useHostCauses } from '../../lib/host-causes.ts'
import { distinctNames } from '../../lib/metric-names.ts'
import { ofHost } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { situationText } from '../../lib/situation.ts'
import { AvailabilityCard } from '../../ui/availability-card.tsx'
import { CommentPanel } from '../../ui/comment-panel.tsx'
import { FlappingMark } from '../../ui/flapping-mark.tsx'
import { FreshnessSign, LivePart } from '../../ui/freshness.tsx'
import { HistoryCard } from '../../ui/history-card.tsx'
import { IncidentList } from '../../ui/incident-list.tsx'
import { Instructions } from '../../ui/instructions.tsx'
import { MaintenanceNotice } from '../../ui/maintenance-mark.tsx'
import { MetricChart } from '../../ui/metric-chart.tsx'
import { ModelBadge } from '../../ui/model-badge.tsx'
import { Card, errorText, NotLoaded, PageHeader } from '../../ui/page.tsx'
import { RangeControl, useRange } from '../../ui/range-control.tsx'
import { RecipientsCard } from '../../ui/recipients-card.tsx'
import { RecordFieldsCard } from '../../ui/record-fields.tsx'
import { HOST_STATE_SEVERITY, HostStateBadge, SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Since } from '../../ui/time.tsx'
import { TwoColumns } from '../../ui/two-columns.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { explain } from './causes.ts'
import { fr } from './fr.ts'
import classes from './host-page.module.css'
import { useHostMetrics, useHostReady, useHostScanners, useLiveHost } from './host-queries.ts'
import { Scanners } from './host-scanners.tsx'
import { HostDependencies, HostSummary } from './host-summary.tsx'
import { Opinions } from './opinions.tsx'

/** As much as the page is high at least, so that the footer is out of sight from the first. */
const LOADING_PX = 1_200

/** /host/:id: where the host stands and why, its metrics live, a chart for each. */
export const HostPage = () => {
  const id = useIdParam() ?? 0
  const { data: host, error, refetch } = useLiveHost(id)
  const { data: metrics } = useHostMetrics(id)
  const range = useRange()
  const { can, canOn } = useSession()
  const ready = useHostReady(id, host, can('scanner_read'))
  if (host === undefined || !ready) return <NotLoaded error={error} onRetry={refetch} height={LOADING_PX} />
  const may = (claim: Claim): boolean => canOn(ofHost(host), claim)
  const severity = HOST_STATE_SEVERITY[host.state] === 'ok' ? host.severity : HOST_STATE_SEVERITY[host.state]
  const own = severity === HOST_STATE_SEVERITY[host.state]
  const shown = (metrics ?? []).toSorted(byWorst)
  const names = distinctNames(shown)
  return (
    <>
      <PageHeader
        title={host.name}
        lead={
          severity !== null && (
            <SeverityIcon severity={severity} size={22} {...(own ? {} : { label: words.severity[severity] })} />
          )
        }
        meta={
          <>
            <HostStateBadge state={host.state} plain={own && severity !== null} /> ·{' '}
            {[host.address, host.typeName].filter(Boolean).join(' · ')} ·{' '}
            <Link to={`/site/${host.siteId}`}>{host.siteName}</Link> · <FreshnessSign hub="host" held />
          </>
        }
        actions={<HostActions host={host} canCheck={may('incident_write')} canEdit={may('host_write')} />}
      />
      <LivePart hub="host">
        <MaintenanceNotice maintenance={host.maintenance} />
        <Instructions kind="host" id={id} />
        <TwoColumns
          isSideNarrow
          isSideFirst
          side={
            <>
              <Why host={host} metrics={shown} />
              {host.instruction !== '' && (
                <Card title={fr.instruction}>
                  <p className={classes.instruction}>{host.instruction}</p>
                </Card>
              )}
              <Opinions hostId={id} />
              <Card title={fr.incidents}>
                <IncidentList hostId={id} />
              </Card>
              <AvailabilityCard of="host" id={id} />
              <HostSummary host={host} />
              <HostDependencies host={host} />
              <RecipientsCard hostId={id} />
              {may('scanner_read') && <Scanners hostId={id} canAsk={may('incident_write')} />}
              <HistoryCard object="host" id={id} version={host.updatedAt} />
            </>
          }
        >
          <MetricTable metrics={shown} names={names} />
          <RecordFieldsCard scope="host" id={id} name={host.name} />
          <CommentPanel kind="host" id={id} />
          <div className={classes.chartsHead}>
            <h2>{fr.charts}</h2>
            {shown.length > 1 && (
              <Button
                variant="default"
                size="xs"
                component={Link}
                to={graphPath(shown.map(metric => metric.id))}
                ml="auto"
                leftSection={<IconChartLine size={15} />}
              >
                {fr.together}
              </Button>
            )}
            <RangeControl range={range} />
          </div>
          <div className={classes.charts}>
            {shown.map(metric => (
              <Card
                key={metric.id}
                title={<Link to={`/metric/${metric.id}`}>{names.get(metric.id)}</Link>}
                aside={situationText(metric)}
              >
                <MetricChart
                  metric={metric}
                  span={range.span}
                  onView={range.setView}
                  onBack={range.back}
                  height={168}
                  sync={`host-${id}`}
                />
              </Card>
            ))}
          </div>
        </TwoColumns>
      </LivePart>
    </>
  )
}

const RANK = { error: 0, warning: 1, unknown: 2, ok: 3 } as const
/** What is bad first; among equals the order of the names, so that rows keep their place while values move. */
const byWorst = (a: Metric, b: Metric): number =>
  RANK[a.severity] - RANK[b.severity] || a.name.localeCompare(b.name, 'fr') || a.id - b.id

const HostActions = ({
  host,
  canCheck,
  canEdit,
}: {
  readonly host: Host
  readonly canCheck: boolean
  readonly canEdit: boolean
}) => {
  const [busy, setBusy] = useState(false)
  const check = async (): Promise<void> => {
    setBusy(true)
    try {
      const { scanners } = await call(hostRoutes.check, { params: { id: String(host.id) } })
      notifications.show({ title: fr.checked, message: fr.checkedText(scanners), color: 'blue' })
    } catch (error) {
      notifications.show({ title: fr.failed, message: errorText(error), color: 'red' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {canCheck && (
        <Button variant="default" loading={busy} leftSection={<IconRefresh size={16} />} onClick={() => void check()}>
          {fr.check}
        </Button>
      )}
      {canEdit && (
        <Button variant="default" component={Link} to={`/host/edit/${host.id}`} leftSection={<IconPencil size={16} />}>
          {fr.edit}
        </Button>
      )}
    </>
  )
}

interface MetricTableProps {
  readonly metrics: readonly Metric[]
  readonly names: ReadonlyMap<number, string>
}
const MetricTable = ({ metrics, names }: MetricTableProps) => (
  <Card flush>
    {metrics.length === 0 ? (
      <p className={classes.none}>{fr.noMetrics}</p>
    ) : (
      <table className={classes.table} aria-label={fr.metrics}>
        <thead>
          <tr>
            <th>{fr.columns.state}</th>
            <th>{fr.columns.name}</th>
            <th data-right>{fr.columns.value}</th>
            <th data-spark>{fr.columns.hour}</th>
            <th data-right data-since>
              {fr.columns.since}
            </th>
          </tr>
        </thead>
        <tbody>
          {metrics.map(metric => (
            <tr key={metric.id} data-severity={metric.severity} data-bad={metric.severity !== 'ok' || undefined}>
              <td>
                <SeverityBadge severity={metric.severity} soft={metric.kind === 'soft'} />
                <FlappingMark percent={metric.flapping} />
                {metric.kind === 'soft' && (
                  <span className={classes.attempt}>
                    {' '}
                    {metric.attempt}/{metric.maxAttempts}
                  </span>
                )}
              </td>
              <td>
                <Link to={`/metric/${metric.id}`}>{names.get(metric.id)}</Link>
                <ModelBadge modelId={metric.modelId} modelName={metric.modelName} />
                {metric.information !== '' && <div className={classes.information}>{metric.information}</div>}
              </td>
              <td data-right>{situationText(metric)}</td>
              <td data-spark>
                <Sparkline metricId={metric.id} severity={metric.severity} />
              </td>
              <td data-right data-since>
                <Since at={metric.since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Card>
)

const TITLES = { error: fr.why, warning: fr.whyWarning, unknown: fr.whyUnknown, ok: fr.why } as const
const Why = ({ host, metrics }: { readonly host: Host; readonly metrics: readonly Metric[] }) => {
  const { data: scanners = [] } = useHostScanners(host.id, useSession().can('scanner_read'))
  const probes = new Map(
    scanners.flatMap(({ id, probeName }) => (probeName === null ? [] : [[id, probeName] as const])),
  )
  const links = explain(host, metrics, probes)
  const causes = useHostCauses(host.id)
  if (links.length === 0) return null
  return (
    <Card title={TITLES[host.state === 'down' ? 'error' : host.severity]}>
      <ul className={classes.links}>
        {links.map(link => (
          <li key={link.text}>
            <SeverityIcon severity={link.severity} />
            <span>
              {link.text}
              {link.since !== null && (
                <span className={classes.information}>
                  {' '}
                  depuis <Since at={link.since} />
                </span>
              )}
              {link.explained !== undefined && <Explaining cause={causeOf(causes, link.explained)} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The incident of what else explains it. */
const Explaining = ({ cause }: { readonly cause: HostCause | null }) =>
  cause === null ? null : (
    <span className={classes.information}>
      {' '}
      ·{' '}
      <Link to={`/dashboard/live-view/incident/${cause.incidentId}`} title={cause.title}>
        {fr.explaining}
      </Link>
    </span>
  )
