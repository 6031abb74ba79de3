import { AVAILABILITY_KEY, type Wall, type WallProblem } from '@narval/contracts'
import { fr as common } from '../../i18n/fr.ts'
import { situationText } from '../../lib/situation.ts'
import { rowsOfPage } from '../../lib/wall-choice.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import type { Room } from './use-room.ts'
import classes from './wall.module.css'

/** Height of a row in the wall's text size; a narrow screen tells it on more lines. */
const ROW_EM = 3.5
const NARROW_EM = 58
const NARROW_ROW_EM = 5.4

/** Rows that fit. */
export const problemsPerPage = ({ width, height, em }: Room): number =>
  Math.max(1, Math.floor(height / ((width / em < NARROW_EM ? NARROW_ROW_EM : ROW_EM) * em)))

interface ProblemsViewProps {
  readonly wall: Wall
  readonly page: number
  readonly perPage: number
}

/** The worst problems that nobody has taken care of. */
export const ProblemsView = ({ wall: { problems }, page, perPage }: ProblemsViewProps) =>
  problems.rows.length === 0 ? (
    <div className={classes.fine}>
      <SeverityIcon severity="ok" size={96} />
      <p>{fr.noProblems}</p>
    </div>
  ) : (
    <ul className={classes.rows}>
      {rowsOfPage(problems.rows, page, perPage).map(row => (
        <Problem key={row.id} row={row} />
      ))}
    </ul>
  )

const textOf = (row: WallProblem): string =>
  row.information !== '' && (row.key === AVAILABILITY_KEY || row.severity === 'unknown')
    ? row.information
    : situationText(row)

const Problem = ({ row }: { readonly row: WallProblem }) => (
  <li className={classes.row} data-severity={row.severity}>
    <span className={classes.state}>
      <SeverityIcon severity={row.severity} />
      <span>
        {common.severity[row.severity]}
        {row.kind === 'soft' && <small>{fr.unconfirmed}</small>}
      </span>
    </span>
    <span className={classes.what}>
      <strong>{row.hostName}</strong>
      <span>{row.name}</span>
    </span>
    <span className={classes.value}>{textOf(row)}</span>
    <span className={classes.where}>{row.siteName}</span>
    <span className={classes.since}>
      <Since at={row.since} />
    </span>
  </li>
)
