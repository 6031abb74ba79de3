import { useMemo } from 'react'
import { fr as words } from '../../i18n/fr.ts'
import { type MapSize, type MapView, pixelOfWorld } from '../../lib/map-view.ts'
import { worstOf } from '../../lib/severity-rank.ts'
import { MapGround } from '../../ui/map-ground.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import type { PlacedSite } from './clusters.ts'
import { fr } from './fr.ts'
import classes from './overseas-insets.module.css'
import { isWithin, OVERSEAS, type Overseas, overseasView } from './presets.ts'

const INSET: MapSize = { width: 56, height: 46 }

interface OverseasInsetsProps {
  readonly sites: readonly PlacedSite[]
  /** Of the map that goes there. */
  readonly size: MapSize
  readonly onOpen: (view: MapView) => void
}

/** The overseas departments beside the map, each with its sites; one click goes there. */
export const OverseasInsets = ({ sites, size, onOpen }: OverseasInsetsProps) => (
  <fieldset className={classes.insets} aria-label={fr.views}>
    {OVERSEAS.map(place => (
      <Inset key={place.key} place={place} sites={sites} onOpen={() => onOpen(overseasView(place, size))} />
    ))}
  </fieldset>
)

interface InsetProps {
  readonly place: Overseas
  readonly sites: readonly PlacedSite[]
  readonly onOpen: () => void
}

const Inset = ({ place, sites, onOpen }: InsetProps) => {
  const view = useMemo(() => overseasView(place, INSET), [place])
  const own = sites.filter(site => isWithin(place, site))
  const worst = worstOf(own.map(({ state }) => state))
  return (
    <button type="button" className={classes.inset} onClick={onOpen}>
      <span className={classes.picture} style={{ width: INSET.width, height: INSET.height }}>
        <MapGround view={view} size={INSET} isBare />
        {own.map(site => {
          const [x, y] = pixelOfWorld(view, INSET, site.at)
          return (
            <span
              key={site.id}
              className={classes.dot}
              data-severity={site.state ?? undefined}
              style={{ transform: `translate(${x}px, ${y}px)` }}
            />
          )
        })}
      </span>
      <span className={classes.words}>
        <span className={classes.name}>{fr.overseas[place.key]}</span>
        <span className={classes.count}>
          {worst !== null && <SeverityIcon severity={worst} size={13} label={words.severity[worst]} />}
          {fr.sites(own.length)}
        </span>
      </span>
    </button>
  )
}
