import type { Incident, IncidentKind } from '@narval/contracts'
import type { ExportColumn } from '../../http/exported.ts'

const KINDS: Readonly<Record<IncidentKind, string>> = {
  metric: 'Métrique',
  probe: 'Sonde hors ligne',
  link: 'Liaison d’une sonde',
}

/** Columns of incidents as a file. */
export const INCIDENT_EXPORT: readonly ExportColumn<Incident>[] = [
  { header: 'Identifiant', cell: incident => incident.id },
  { header: 'Incident', cell: incident => incident.title },
  { header: 'Nature', cell: incident => KINDS[incident.kind] },
  { header: 'Sévérité', cell: incident => incident.severity },
  { header: 'Pire sévérité', cell: incident => incident.worst },
  { header: 'Information', cell: incident => incident.information },
  { header: 'Site', cell: incident => incident.siteName },
  { header: 'Équipement', cell: incident => incident.hostName },
  { header: 'Métrique', cell: incident => incident.metricName },
  { header: 'Sonde', cell: incident => incident.probeName },
  { header: 'Ouvert le', cell: incident => incident.openedAt },
  { header: 'Terminé le', cell: incident => incident.closedAt },
  { header: 'En panne depuis', cell: incident => (incident.closedAt === null ? incident.failsSince : null) },
  { header: 'Réouvertures', cell: incident => incident.reopened },
  { header: 'Bagotant', cell: incident => incident.flapping },
  { header: 'En maintenance', cell: incident => incident.inMaintenance },
  { header: 'Pris en charge par', cell: incident => incident.owner },
  { header: 'Responsable sans droit d’agir', cell: incident => incident.ownerLost },
  { header: 'Acquitté par', cell: incident => incident.acknowledgedBy },
  { header: 'Acquitté le', cell: incident => incident.acknowledgedAt },
  { header: 'Commentaire de l’acquittement', cell: incident => incident.acknowledgedComment },
  { header: 'Incident qui l’explique', cell: incident => incident.parentId },
  { header: 'Incidents fusionnés', cell: incident => incident.merged },
  { header: 'Équipements injoignables', cell: incident => incident.unreachable },
]
