import { type Metric, THRESHOLD_SIDES, valueText } from '@narval/contracts'
import type { ExportColumn } from '../../http/exported.ts'
import { importColumns } from '../../store/import-columns.ts'

const sides = Object.fromEntries(THRESHOLD_SIDES.map(side => [side, (metric: Metric) => metric.thresholds[side]]))

/** Columns of metrics as a file: first those that an import reads back, then what is known of them now. */
export const METRIC_EXPORT: readonly ExportColumn<Metric>[] = [
  ...importColumns<Metric>('metric', {
    id: metric => metric.id,
    host: metric => metric.hostName,
    scanner: metric => metric.scannerName,
    key: metric => metric.key,
    name: metric => metric.name,
    ...sides,
    attempts: metric => metric.attempts,
    noData: metric => (metric.noData === 'keep' ? 'gardé' : 'inconnu'),
    enabled: metric => metric.enabled,
  }),
  { header: 'Site', cell: metric => metric.siteName },
  { header: 'Unité', cell: metric => metric.unit },
  { header: 'Valeur', cell: metric => metric.value },
  {
    header: 'Valeur en clair',
    cell: metric =>
      metric.value === null ? null : (metric.states?.[metric.value] ?? valueText(metric.value, metric.unit)),
  },
  { header: 'Mesurée le', cell: metric => metric.at },
  { header: 'Sévérité', cell: metric => metric.severity },
  { header: 'Depuis', cell: metric => metric.since },
  { header: 'Information', cell: metric => metric.information },
]
