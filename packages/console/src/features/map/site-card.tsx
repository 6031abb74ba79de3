import { dashboardRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { situationText } from '../../lib/situation.ts'
import { Counts } from '../../ui/counts.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { CardFacts, CardList, StageCard } from '../../ui/stage-card.tsx'
import { Since } from '../../ui/time.tsx'
import type { PlacedSite } from './clusters.ts'
import { fr } from './fr.ts'
import classes from './site-card.module.css'

const PROBLEMS = 5

/** The worst problems of a site; asked again when its counts change. */
const problemsQuery = ({ id, counts }: PlacedSite) => ({
  queryKey: ['map-problems', id, counts],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(dashboardRoutes.datatable.put, {
      body: { length: PROBLEMS, filters: { view: 'problems', siteId: [id] } },
      signal,
    }),
})

interface SiteCardProps {
  readonly site: PlacedSite
  /** Sites at the very same place; none where it stands alone. */
  readonly together: readonly PlacedSite[]
  readonly onPick: (site: PlacedSite) => void
  readonly onClose: () => void
}

/** What a site is and what is wrong there, over the map. */
export const SiteCard = ({ site, together, onPick, onClose }: SiteCardProps) => {
  const { data } = useQuery({ ...problemsQuery(site), placeholderData: known => known })
  const problems = data?.data.map(problem => ({
    ...{ key: problem.id, severity: problem.severity },
    content: (
      <>
        <Link to={`/host/${problem.hostId}`}>{problem.hostName}</Link> · {problem.name}
        <span className={classes.detail}>
          {problem.information === '' ? situationText(problem) : problem.information}
          {' · '}
          <Since at={problem.since} />
        </span>
      </>
    ),
  }))
  const others = data === undefined ? 0 : data.recordsFiltered - data.data.length
  return (
    <StageCard name={site.name} to={`/site/${site.id}`} links={linksOf(site)} onClose={onClose}>
      <CardFacts>
        {site.state === null ? fr.nothingKnown : <SeverityBadge severity={site.state} />}
        <span>{[site.typeName, fr.hosts(site.hosts)].filter(Boolean).join(' · ')}</span>
        <Counts counts={site.counts} />
      </CardFacts>
      {together.length > 1 && (
        <ul className={classes.together} aria-label={fr.here}>
          {together.map(one => (
            <li key={one.id}>
              <button
                type="button"
                className={classes.choice}
                aria-current={one.id === site.id || undefined}
                onClick={() => onPick(one)}
              >
                {one.state !== null && <SeverityIcon severity={one.state} size={14} />}
                {one.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {problems !== undefined && (
        <CardList
          title={fr.problems}
          items={problems}
          none={fr.noProblems}
          more={others > 0 ? fr.moreProblems(others) : null}
        />
      )}
    </StageCard>
  )
}

const linksOf = ({ id }: PlacedSite) => [
  { to: `/site/${id}`, label: fr.links.site },
  { to: `/dashboard/live-view?view=problems&siteId=${id}`, label: fr.links.live },
  { to: `/dashboard/status-view/topology?site=${id}`, label: fr.links.topology },
  { to: `/dashboard/status-view/availability?site=${id}`, label: fr.links.availability },
]
