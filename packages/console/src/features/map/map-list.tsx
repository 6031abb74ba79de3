import { Button } from '@mantine/core'
import type { SiteNode } from '@narval/contracts'
import { useState } from 'react'
import { Link } from 'react-router'
import { fr as words } from '../../i18n/fr.ts'
import { ofSite } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { Counts } from '../../ui/counts.tsx'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { byWorst, type PlacedSite } from './clusters.ts'
import { fr } from './fr.ts'
import classes from './map-list.module.css'

const FIRST = 100

interface MapListProps {
  readonly shown: readonly PlacedSite[]
  readonly unplaced: readonly SiteNode[]
  readonly selected: number | null
  readonly onGo: (site: PlacedSite) => void
  /** Null where no filter holds. */
  readonly onClear: (() => void) | null
}

/** The same sites as the map, the worst first, for whoever does not see it; and those that have no place. */
export const MapList = ({ shown, unplaced, selected, onGo, onClear }: MapListProps) => {
  const [most, setMost] = useState(FIRST)
  const sorted = shown.toSorted(byWorst)
  return (
    <div className={classes.lists}>
      <Card title={fr.list} flush>
        {sorted.length === 0 ? (
          <div className={classes.none}>
            <p>{onClear === null ? fr.nonePlaced : fr.noneMatches}</p>
            {onClear !== null && (
              <Button variant="default" size="compact-sm" onClick={onClear}>
                {fr.clearFilters}
              </Button>
            )}
          </div>
        ) : (
          <ul className={classes.list} aria-label={fr.listShown}>
            {sorted.slice(0, most).map(site => (
              <li key={site.id}>
                <button
                  type="button"
                  className={classes.row}
                  aria-current={site.id === selected || undefined}
                  onClick={() => onGo(site)}
                >
                  <span className={classes.icon}>
                    {site.state !== null && (
                      <SeverityIcon severity={site.state} size={15} label={words.severity[site.state]} />
                    )}
                  </span>
                  <span className={classes.name}>{site.name}</span>
                  <Counts counts={site.counts} />
                </button>
              </li>
            ))}
          </ul>
        )}
        {sorted.length > most && (
          <Button variant="subtle" fullWidth onClick={() => setMost(sorted.length)}>
            {fr.more(sorted.length - most)}
          </Button>
        )}
      </Card>
      {unplaced.length > 0 && <Unplaced sites={unplaced} />}
    </div>
  )
}

const Unplaced = ({ sites }: { readonly sites: readonly SiteNode[] }) => {
  const { canOn } = useSession()
  const [most, setMost] = useState(FIRST)
  return (
    <Card title={fr.unplaced(sites.length)}>
      <p className={classes.text}>{fr.unplacedText}</p>
      <ul className={classes.plain}>
        {sites.slice(0, most).map(site => (
          <li key={site.id}>
            <Link to={`/site/${site.id}`}>{site.name}</Link>
            {canOn(ofSite(site), 'site_write') && (
              <Link to={`/site/edit/${site.id}`} aria-label={fr.placeName(site.name)}>
                {fr.place}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {sites.length > most && (
        <Button variant="subtle" size="compact-sm" onClick={() => setMost(sites.length)}>
          {fr.more(sites.length - most)}
        </Button>
      )}
    </Card>
  )
}
