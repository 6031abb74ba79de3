import { SEVERITIES } from '@narval/engine'
import { fr } from '../i18n/fr.ts'
import { maintenanceWords } from '../i18n/maintenance.ts'
import type { TableFilter } from './data-table-types.ts'
import { SeverityIcon } from './severity.tsx'

/** Filter chips that several lists have. */
export const severityFilter: TableFilter = {
  name: 'severity',
  label: 'État',
  choices: SEVERITIES.map(severity => ({
    value: severity,
    label: fr.severity[severity],
    icon: <SeverityIcon severity={severity} />,
  })),
}
export const enabledFilter: TableFilter = {
  name: 'enabled',
  label: 'Activité',
  single: true,
  choices: [
    { value: 'true', label: 'Actifs' },
    { value: 'false', label: 'Désactivés' },
  ],
}
export const maintenanceFilter: TableFilter = {
  name: 'inMaintenance',
  label: 'Maintenance',
  single: true,
  choices: Object.entries(maintenanceWords.filterChoices).map(([value, label]) => ({ value, label })),
}
