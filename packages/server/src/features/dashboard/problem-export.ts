import { type ProblemRow, valueText } from '@narval/contracts'
import type { ExportColumn } from '../../http/exported.ts'

const SEVERITIES: Readonly<Record<ProblemRow['severity'], string>> = {
  error: 'Erreur',
  warning: 'Alerte',
  unknown: 'Inconnu',
  ok: 'OK',
}
const SIDES = [
  ['errorHigh', 'Erreur au-dessus de'],
  ['warningHigh', 'Alerte au-dessus de'],
  ['warningLow', 'Alerte au-dessous de'],
  ['errorLow', 'Erreur au-dessous de'],
] as const

/** The live view's rows as a file. */
export const PROBLEM_EXPORT: readonly ExportColumn<ProblemRow>[] = [
  { header: 'État', cell: row => SEVERITIES[row.severity] },
  { header: 'Confirmé', cell: row => row.kind === 'hard' },
  { header: 'Équipement', cell: row => row.hostName },
  { header: 'Métrique', cell: row => row.name },
  { header: 'Site', cell: row => row.siteName },
  { header: 'Sonde', cell: row => row.probeName },
  { header: 'Valeur', cell: row => row.value },
  { header: 'Unité', cell: row => row.unit },
  {
    header: 'Valeur en clair',
    cell: row => (row.value === null ? null : (row.states?.[row.value] ?? valueText(row.value, row.unit))),
  },
  ...SIDES.map(([side, header]) => ({ header, cell: (row: ProblemRow) => row.thresholds[side] })),
  { header: 'Depuis', cell: row => row.since },
  { header: 'Dernière vérification', cell: row => row.at },
  { header: 'Tentative', cell: row => row.attempt },
  { header: 'Tentatives avant validation', cell: row => row.maxAttempts },
  { header: 'Information', cell: row => row.information },
  { header: 'Acquitté par', cell: row => row.acknowledgedBy },
  { header: 'Commentaire d’acquittement', cell: row => row.acknowledgedComment },
  { header: 'En maintenance', cell: row => row.inMaintenance },
  { header: 'N° de métrique', cell: row => row.id },
  { header: 'N° d’incident', cell: row => row.incidentId },
]
