import { AVAILABILITY_KEY, type ProblemRow } from '@narval/contracts'
import { IconUserCheck } from '@tabler/icons-react'
import { NOTHING } from '../../lib/format.ts'
import { situationText } from '../../lib/situation.ts'
import type { TableColumn } from '../../ui/data-table-types.ts'
import { FlappingMark } from '../../ui/flapping-mark.tsx'
import { MaintenanceMark } from '../../ui/maintenance-mark.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './problem-columns.module.css'

const { columns: words } = fr

/** « 1/3 » while a bad result is not confirmed, « 3/3 » once it is; nothing when all is well. */
export const attemptText = ({
  severity,
  attempt,
  maxAttempts,
}: Pick<ProblemRow, 'severity' | 'attempt' | 'maxAttempts'>): string =>
  severity === 'ok' || attempt === 0 ? '' : `${attempt}/${maxAttempts}`

/** What is wrong in one line: the value beyond its threshold, or the failure or cause in words. */
export const problemText = (row: ProblemRow): string =>
  row.information !== '' && (row.key === AVAILABILITY_KEY || row.severity === 'unknown')
    ? row.information
    : situationText(row)

const StateCell = ({ row }: { readonly row: ProblemRow }) => (
  <span className={classes.state}>
    <SeverityBadge severity={row.severity} soft={row.kind === 'soft'} />
    <span className={classes.attempt}>{attemptText(row)}</span>
    <FlappingMark percent={row.flapping} />
    <MaintenanceMark maintenance={row.maintenance} small />
    {row.acknowledgedBy !== null && (
      <span title={fr.acknowledgedBy(row.acknowledgedBy, row.acknowledgedComment ?? '')}>
        <IconUserCheck size={15} aria-label={fr.acknowledgedBy(row.acknowledgedBy, row.acknowledgedComment ?? '')} />
      </span>
    )}
  </span>
)

/** Columns of the problem list, the worst news first; the page adds its actions. */
export const PROBLEM_COLUMNS: readonly TableColumn<ProblemRow>[] = [
  { id: 'severity', header: words.state, width: 148, card: 'corner', cell: row => <StateCell row={row} /> },
  {
    id: 'hostName',
    header: words.host,
    grow: 1.7,
    wrap: true,
    card: 'title',
    cell: row => <strong>{row.hostName}</strong>,
  },
  { id: 'name', header: words.metric, grow: 1.6, wrap: true, cell: row => row.name },
  { id: 'siteName', header: words.site, grow: 0.8, wrap: true, cell: row => row.siteName },
  { id: 'probeName', header: words.probe, sortable: false, hidden: true, cell: row => row.probeName ?? '' },
  { id: 'value', header: words.value, grow: 1.6, wrap: true, sortable: false, cell: problemText },
  {
    id: 'hour',
    header: words.hour,
    width: 100,
    sortable: false,
    card: 'none',
    cell: row => <Sparkline metricId={row.id} severity={row.severity} />,
  },
  { id: 'since', header: words.since, width: 84, align: 'right', cell: row => <Since at={row.since} /> },
  {
    id: 'at',
    header: words.last,
    width: 96,
    align: 'right',
    sortable: false,
    card: 'none',
    cell: row => <Ago at={row.at} />,
  },
  {
    id: 'attempt',
    header: words.attempt,
    width: 98,
    align: 'right',
    hidden: true,
    cell: row => attemptText(row) || NOTHING,
  },
  { id: 'information', header: words.information, grow: 1.7, hidden: true, cell: row => row.information },
  { id: 'acknowledgedBy', header: words.acknowledged, hidden: true, cell: row => row.acknowledgedBy ?? '' },
]
