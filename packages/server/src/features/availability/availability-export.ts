import type {
  AvailabilityInterval,
  AvailabilityRow,
  MetricAvailabilityInterval,
  MetricAvailabilityRow,
} from '@narval/contracts'
import type { ExportColumn } from '../../http/exported.ts'

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1_000))

const percent = (ratio: number | null): number | null => (ratio === null ? null : Math.round(ratio * 100_000) / 1_000)

const TIMES: readonly ExportColumn<MetricAvailabilityRow | AvailabilityRow>[] = [
  { header: 'Inconnu (s)', cell: row => seconds(row.unknownMs) },
  { header: 'En maintenance (s)', cell: row => seconds(row.maintenanceMs) },
  { header: 'Hors service (s)', cell: row => seconds(row.outOfServiceMs) },
  { header: 'Non supervisé (s)', cell: row => seconds(row.notMonitoredMs) },
  { header: 'Pannes', cell: row => row.outages },
  { header: 'Plus longue panne (s)', cell: row => seconds(row.longestOutageMs) },
  { header: 'Durée moyenne d’une panne (s)', cell: row => seconds(row.mttrMs) },
  { header: 'Temps moyen entre pannes (s)', cell: row => seconds(row.mtbfMs) },
]

/** A report as a file; times in whole seconds, the ratio floored to three decimals of a percent. */
export const AVAILABILITY_EXPORT: readonly ExportColumn<AvailabilityRow>[] = [
  { header: 'Identifiant', cell: row => row.id },
  { header: 'Nom', cell: row => row.name },
  { header: 'Site', cell: row => row.siteName },
  { header: 'Type', cell: row => row.typeName },
  { header: 'Équipements', cell: row => row.hosts },
  { header: 'Disponibilité (%)', cell: row => percent(row.ratio) },
  { header: 'Disponible (s)', cell: row => seconds(row.availableMs) },
  { header: 'Indisponible (s)', cell: row => seconds(row.downMs) },
  { header: 'Injoignable (s)', cell: row => seconds(row.unreachableMs) },
  { header: 'Bagotant (s)', cell: row => seconds(row.flappingMs) },
  ...TIMES,
]

const SET_ASIDE = {
  'not-monitored': 'Non supervisé',
  'out-of-service': 'Hors service',
  maintenance: 'En maintenance',
} as const
const REASONS: Readonly<Record<AvailabilityInterval['reason'], string>> = {
  ...SET_ASIDE,
  unreachable: 'Injoignable',
  flapping: 'Bagotant',
  down: 'Indisponible',
  unknown: 'Inconnu',
  available: 'Disponible',
}

type Told = Pick<AvailabilityInterval, 'from' | 'to' | 'source' | 'incident' | 'maintenances'>
const WHEN: readonly ExportColumn<Told>[] = [
  { header: 'Début', cell: interval => interval.from },
  { header: 'Fin', cell: interval => interval.to },
  { header: 'Durée (s)', cell: ({ from, to }) => seconds(Date.parse(to) - Date.parse(from)) },
]
const WHY: readonly ExportColumn<Told>[] = [
  { header: 'Connu', cell: interval => interval.source },
  { header: 'Incident', cell: interval => interval.incident?.id ?? null },
  { header: 'Titre de l’incident', cell: interval => interval.incident?.title ?? null },
  { header: 'Maintenances', cell: interval => interval.maintenances.map(({ comment }) => comment).join(', ') },
]

/** The intervals of a host as a file. */
export const INTERVAL_EXPORT: readonly ExportColumn<AvailabilityInterval>[] = [
  ...WHEN,
  { header: 'Compté comme', cell: interval => REASONS[interval.reason] },
  { header: 'État', cell: interval => interval.state },
  ...WHY,
]

/** A report on metrics as a file, likewise. */
export const METRIC_EXPORT: readonly ExportColumn<MetricAvailabilityRow>[] = [
  { header: 'Identifiant', cell: row => row.id },
  { header: 'Métrique', cell: row => row.name },
  { header: 'Scanner', cell: row => row.scannerName },
  { header: 'Équipement', cell: row => row.hostName },
  { header: 'Site', cell: row => row.siteName },
  { header: 'Disponibilité (%)', cell: row => percent(row.ratio) },
  { header: 'OK (s)', cell: row => seconds(row.okMs) },
  { header: 'Alerte (s)', cell: row => seconds(row.warningMs) },
  { header: 'Erreur (s)', cell: row => seconds(row.errorMs) },
  ...TIMES,
]

const METRIC_REASONS: Readonly<Record<MetricAvailabilityInterval['reason'], string>> = {
  ...SET_ASIDE,
  error: 'Erreur',
  warning: 'Alerte',
  unknown: 'Inconnu',
  ok: 'OK',
}

/** The intervals of a metric as a file. */
export const METRIC_INTERVAL_EXPORT: readonly ExportColumn<MetricAvailabilityInterval>[] = [
  ...WHEN,
  { header: 'Compté comme', cell: interval => METRIC_REASONS[interval.reason] },
  { header: 'Sévérité', cell: interval => interval.severity },
  { header: 'Cause', cell: interval => interval.cause },
  ...WHY,
]
