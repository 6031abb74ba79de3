import { SEVERITIES, type Severity } from '@narval/engine'
import { memo } from 'react'
import { fr as words } from '../../i18n/fr.ts'
import { formatNumber } from '../../lib/format.ts'
import { worstOf } from '../../lib/severity-rank.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { byWorst, countStates, type Mark } from './clusters.ts'
import { fr } from './fr.ts'
import classes from './map-mark.module.css'

const wordOf = (state: Severity | null): string => (state === null ? fr.nothingKnown : words.severity[state])

/** What a mark says: « Lyon : Erreur », « 12 sites : 2 Erreur, 10 OK ». */
export const markLabel = ({ sites }: Mark): string => {
  const [only] = sites
  if (only !== undefined && sites.length === 1) return `${only.name}\u202f: ${wordOf(only.state)}`
  const counts = countStates(sites)
  const parts = SEVERITIES.filter(one => counts[one] > 0).map(one => fr.stateCount(counts[one], words.severity[one]))
  return fr.cluster(sites.length, parts.length === 0 ? fr.nothingKnown : parts.join(', '))
}

/** Marks by the worst of their sites. */
export const sortMarks = (marks: readonly Mark[]): Mark[] =>
  marks
    .flatMap(mark => {
      const [first, ...others] = mark.sites
      return first === undefined
        ? []
        : [{ mark, worst: others.reduce((worst, site) => (byWorst(site, worst) < 0 ? site : worst), first) }]
    })
    .toSorted((a, b) => byWorst(a.worst, b.worst))
    .map(({ mark }) => mark)

interface MapMarkProps {
  readonly mark: Mark
  readonly x: number
  readonly y: number
  readonly isSelected: boolean
  readonly onOpen: (mark: Mark) => void
  readonly onFocus: (key: string | null) => void
}

/** A site by its state, or several by their number in a ring of their states. */
export const MapMark = ({ mark, x, y, isSelected, onOpen, onFocus }: MapMarkProps) => (
  <button
    type="button"
    className={classes.mark}
    style={{ transform: `translate(${x}px, ${y}px)` }}
    aria-label={markLabel(mark)}
    data-selected={isSelected || undefined}
    data-many={mark.sites.length > 1 || undefined}
    // A pointer's click is the map's, which tells it from a drag.
    onClick={event => event.detail === 0 && onOpen(mark)}
    onFocus={() => onFocus(mark.key)}
    onBlur={() => onFocus(null)}
  >
    <Face mark={mark} />
  </button>
)

const Face = memo(({ mark }: { readonly mark: Mark }) => {
  const [only] = mark.sites
  if (only === undefined) return null
  if (mark.sites.length > 1) return <Ring mark={mark} />
  return (
    <span className={classes.site} data-severity={only.state ?? undefined}>
      {only.state === null ? <span className={classes.none} /> : <SeverityIcon severity={only.state} size={20} />}
    </span>
  )
})

const RADIUS = 17
const AROUND = 2 * Math.PI * RADIUS

const Ring = ({ mark }: { readonly mark: Mark }) => {
  const counts = countStates(mark.sites)
  const worst = worstOf(mark.sites.map(({ state }) => state))
  const known = SEVERITIES.reduce((sum, one) => sum + counts[one], 0)
  let turned = 0
  return (
    <span className={classes.cluster} data-severity={worst ?? undefined}>
      <svg width="42" height="42" viewBox="-21 -21 42 42" aria-hidden="true">
        <circle r="20.5" className={classes.ground} />
        <circle r={RADIUS} className={classes.track} />
        {SEVERITIES.filter(one => counts[one] > 0).map(one => {
          const part = (counts[one] / known) * AROUND
          const start = turned
          turned += part
          return (
            <circle
              key={one}
              r={RADIUS}
              className={classes.part}
              data-severity={one}
              strokeDasharray={`${part} ${AROUND - part}`}
              strokeDashoffset={-start}
            />
          )
        })}
      </svg>
      <span className={classes.count}>{formatNumber(mark.sites.length, 0)}</span>
      {worst !== null && worst !== 'ok' && (
        <span className={classes.worst}>
          <SeverityIcon severity={worst} size={15} />
        </span>
      )}
    </span>
  )
}
