import { Button, Text } from '@mantine/core'
import { CHECKS, type CheckKind, type Metric, type Scanner } from '@narval/contracts'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { formatValue, UNIT_LABELS } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import { LearnButton, learns } from './learn-dialog.tsx'
import classes from './produced-metrics.module.css'
import { useScannerMetrics } from './scanner-queries.ts'

/** What a kind will produce, before its first run. */
export const ExpectedMetrics = ({ kind }: { readonly kind: CheckKind }) => (
  <ul className={classes.list}>
    {CHECKS[kind].metrics.map(metric => (
      <li key={metric.key} className={classes.item}>
        <span>{metric.name.replace('{instance}', '…')}</span>
        <span className={classes.unit}>{metric.unit === '' ? '' : UNIT_LABELS[metric.unit]}</span>
      </li>
    ))}
  </ul>
)

/** What a scanner has produced so far, with the present values. */
export const ProducedMetrics = ({ scanner }: { readonly scanner: Scanner }) => {
  const writes = useSession().canOn(scanner, 'metric_write')
  const { data, isError } = useScannerMetrics(scanner.id)
  if (isError) return <Text size="sm">{fr.loadFailed}</Text>
  if (data === undefined) return null
  return (
    <>
      {data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {fr.noMetrics}
        </Text>
      ) : (
        <ul className={classes.list}>
          {data.map(metric => (
            <ProducedMetric key={metric.id} metric={metric} editable={writes} />
          ))}
        </ul>
      )}
      {writes && (
        <Button
          component={Link}
          to={`/metric/edit/new?scannerId=${scanner.id}`}
          variant="subtle"
          size="compact-sm"
          mt={8}
        >
          {fr.addMetric}
        </Button>
      )}
      {writes && learns(scanner, data) && <LearnButton scanner={scanner} />}
    </>
  )
}

const ProducedMetric = ({ metric, editable }: { readonly metric: Metric; readonly editable: boolean }) => (
  <li className={classes.item}>
    <SeverityIcon severity={metric.severity} size={14} label={common.severity[metric.severity]} />
    <Link to={editable ? `/metric/edit/${metric.id}` : `/metric/${metric.id}`}>{metric.name}</Link>
    <span className={classes.unit}>{formatValue(metric.value, metric.unit, metric.states)}</span>
  </li>
)
