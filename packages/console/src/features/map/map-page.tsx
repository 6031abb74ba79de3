import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { FRANCE, type MapView, viewOf } from '../../lib/map-view.ts'
import { useSession } from '../../lib/session.ts'
import { siteTreeQuery, useLiveTree } from '../../lib/site-tree.ts'
import { useFreshness } from '../../ui/freshness.tsx'
import { Card, EmptyState, NotLoaded } from '../../ui/page.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import { useMapSize } from '../../ui/use-map-drawing.ts'
import { type PlacedSite, placeSites } from './clusters.ts'
import { fr } from './fr.ts'
import { MapFilters } from './map-filters.tsx'
import { MapList } from './map-list.tsx'
import classes from './map-page.module.css'
import { OverseasInsets } from './overseas-insets.tsx'
import { ALL_NEAREST, SITE_SCALE } from './presets.ts'
import { SiteCard } from './site-card.tsx'
import { SiteMap } from './site-map.tsx'
import { matches, useMapFilters } from './use-map-filters.ts'
import { useView } from './use-view.ts'

/** dashboard/status-view/map: the sites where they stand, in the colour of their state, alive. */
export const MapPage = () => {
  useLiveTree()
  const { data, error, refetch } = useQuery(siteTreeQuery)
  const places = useMemo(() => (data === undefined ? null : placeSites(data)), [data])
  return (
    <>
      <StatusViewTabs current="map" />
      {places !== null ? (
        places.placed.length + places.unplaced.length === 0 ? (
          <NoSites />
        ) : (
          <Places {...places} />
        )
      ) : (
        <NotLoaded error={error} onRetry={refetch} height={600} isAlone />
      )}
    </>
  )
}

const NoSites = () => (
  <Card>
    <EmptyState
      title={fr.noSitesTitle}
      action={
        useSession().can('site_write') && (
          <Button component={Link} to="/site/edit/new">
            {fr.addSite}
          </Button>
        )
      }
    >
      {fr.noSitesText}
    </EmptyState>
  </Card>
)

const around = (site: PlacedSite): MapView => ({ centre: site, scale: SITE_SCALE })

const Places = ({ placed, unplaced }: ReturnType<typeof placeSites>) => {
  const filters = useMapFilters()
  const { severities, typeId, selected, select } = filters
  const frame = useRef<HTMLDivElement>(null)
  const size = useMapSize(frame)
  const shown = useMemo(() => placed.filter(site => matches(site, severities, typeId)), [placed, severities, typeId])
  const chosen = placed.find(site => site.id === selected)
  // Unless the address says a place: where the page was opened for one site, it is there; else all of them are in sight.
  const [opened] = useState(chosen)
  const { view, change, fly } = useView(
    opened === undefined ? (viewOf(placed, size, ALL_NEAREST) ?? FRANCE) : around(opened),
    size,
  )
  const [together, setTogether] = useState<readonly number[]>([])
  const stale = useFreshness('site') === 'stale'
  const open = (sites: readonly PlacedSite[]): void => {
    const [first] = sites
    if (first === undefined) return
    setTogether(sites.length > 1 ? sites.map(({ id }) => id) : [])
    select(first.id)
  }
  const goTo = (site: PlacedSite): void => {
    setTogether([])
    select(site.id)
    fly(around(site))
    frame.current?.scrollIntoView({ block: 'nearest' })
  }
  const close = (): void => {
    setTogether([])
    select(null)
  }
  useEffect(() => {
    if (selected !== null && chosen === undefined && !unplaced.some(site => site.id === selected)) select(null)
  })
  return (
    <>
      <MapFilters filters={filters} placed={placed} shown={shown.length} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <SiteMap
            {...{ frame, size, view, change, fly, stale }}
            sites={shown}
            selected={selected}
            onAll={() => fly(viewOf(shown.length > 0 ? shown : placed, size, ALL_NEAREST) ?? FRANCE)}
            onOpen={open}
            onClose={close}
            card={
              chosen !== undefined && (
                <SiteCard
                  site={chosen}
                  together={placed.filter(site => together.includes(site.id))}
                  onPick={site => select(site.id)}
                  onClose={() => {
                    close()
                    frame.current?.focus({ preventScroll: true })
                  }}
                />
              )
            }
          />
          <OverseasInsets sites={shown} size={size} onOpen={fly} />
        </div>
        <MapList shown={shown} unplaced={unplaced} selected={selected} onGo={goTo} onClear={filters.clear} />
      </div>
    </>
  )
}
