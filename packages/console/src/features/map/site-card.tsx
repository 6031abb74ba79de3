import { CloseButton } from '@mantine/core'
import { dashboardRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { situationText } from '../../lib/situation.ts'
import { Counts } from '../../ui/counts.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
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
  return (
    <section className={classes.card} aria-label={site.name}>
      <header className={classes.head}>
        <h2>
          <Link to={`/site/${site.id}`}>{site.name}</Link>
        </h2>
        <CloseButton aria-label={fr.close} onClick={onClose} />
      </header>
      <p className={classes.facts}>
        {site.state === null ? fr.nothingKnown : <SeverityBadge severity={site.state} />}
        <span>{[site.typeName, fr.hosts(site.hosts)].filter(Boolean).join(' · ')}</span>
        <Counts counts={site.counts} />
      </p>
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
      {data !== undefined && (
        <>
          <h3 className={classes.title}>{fr.problems}</h3>
          {data.data.length === 0 ? (
            <p className={classes.none}>{fr.noProblems}</p>
          ) : (
            <ul className={classes.problems}>
              {data.data.map(problem => (
                <li key={problem.id}>
                  <SeverityIcon severity={problem.severity} size={14} />
                  <span>
                    <Link to={`/host/${problem.hostId}`}>{problem.hostName}</Link> · {problem.name}
                    <span className={classes.detail}>
                      {problem.information === '' ? situationText(problem) : problem.information}
                      {' · '}
                      <Since at={problem.since} />
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )}
          {data.recordsFiltered > data.data.length && (
            <p className={classes.none}>{fr.moreProblems(data.recordsFiltered - data.data.length)}</p>
          )}
        </>
      )}
      <p className={classes.links}>
        <Link to={`/site/${site.id}`}>{fr.links.site}</Link>
        <Link to={`/dashboard/live-view?view=problems&siteId=${site.id}`}>{fr.links.live}</Link>
        <Link to={`/dashboard/status-view/topology?site=${site.id}`}>{fr.links.topology}</Link>
        <Link to={`/dashboard/status-view/availability?site=${site.id}`}>{fr.links.availability}</Link>
      </p>
    </section>
  )
}
