import type { ProblemRow } from '@narval/contracts'
import { situationText } from '../../lib/situation.ts'
import type { TableColumn } from '../../ui/data-table-types.ts'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'

const { columns: words } = fr

/** « 1/3 » while a bad result is not confirmed, « 3/3 » once it is; nothing when all is well. */
export const attemptText = ({
  severity,
  attempt,
  maxAttempts,
}: Pick<ProblemRow, 'severity' | 'attempt' | 'maxAttempts'>): string =>
  severity === 'ok' || attempt === 0 ? '' : `${attempt}/${maxAttempts}`

/** Columns of the problem list, the worst news first; the page adds its actions. */
export const PROBLEM_COLUMNS: readonly TableColumn<ProblemRow>[] = [
  {
    id: 'severity',
    header: words.state,
    width: 112,
    card: 'corner',
    cell: row => <SeverityBadge severity={row.severity} soft={row.kind === 'soft'} />,
  },
  { id: 'hostName', header: words.host, grow: 1.3, card: 'title', cell: row => <strong>{row.hostName}</strong> },
  { id: 'name', header: words.metric, grow: 1.3, cell: row => row.name },
  { id: 'siteName', header: words.site, grow: 1.1, cell: row => row.siteName },
  { id: 'value', header: words.value, grow: 1.1, align: 'right', sortable: false, cell: row => situationText(row) },
  {
    id: 'hour',
    header: words.hour,
    width: 112,
    sortable: false,
    card: 'none',
    cell: row => <Sparkline metricId={row.id} severity={row.severity} />,
  },
  { id: 'since', header: words.since, width: 98, align: 'right', cell: row => <Since at={row.since} /> },
  {
    id: 'at',
    header: words.last,
    width: 112,
    align: 'right',
    sortable: false,
    card: 'none',
    cell: row => <Ago at={row.at} />,
  },
  { id: 'attempt', header: words.attempt, width: 92, align: 'right', cell: attemptText },
  { id: 'information', header: words.information, grow: 1.5, cell: row => row.information },
  {
    id: 'acknowledgedBy',
    header: words.acknowledged,
    width: 122,
    cell: row => <span title={row.acknowledgedComment ?? undefined}>{row.acknowledgedBy ?? ''}</span>,
  },
]
