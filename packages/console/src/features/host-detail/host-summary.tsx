import type { Host, HostNeighbours } from '@narval/contracts'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { Facts } from '../../ui/facts.tsx'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './host-page.module.css'
import { useHostNeighbours } from './host-queries.ts'

const probeText = ({ effectiveProbe, standIn }: Host): string => {
  if (effectiveProbe === null) return fr.noProbe
  const { name, origin, originName } = effectiveProbe
  const probe =
    origin === 'host' ? name : origin === 'site' ? fr.probeOfSite(name, originName) : fr.probeOfPlatform(name)
  return standIn === null ? probe : fr.standIn(standIn.name, probe)
}

/** What the host is, where it stands, who checks it and by which models. */
export const HostSummary = ({ host }: { readonly host: Host }) => (
  <Card title={fr.summary}>
    <Facts
      facts={[
        { label: fr.facts.description, value: host.description },
        { label: fr.facts.address, value: host.address },
        { label: fr.facts.site, value: <Link to={`/site/${host.siteId}`}>{host.siteName}</Link> },
        { label: fr.facts.type, value: host.typeName },
        { label: fr.facts.model, value: host.modelName },
        { label: fr.facts.probe, value: probeText(host) },
        {
          label: fr.facts.monitoringModels,
          value: host.monitoringModels.length === 0 ? null : <Models models={host.monitoringModels} />,
        },
        {
          label: fr.facts.tags,
          value: host.tags.length === 0 ? null : <Tags tags={host.tags} />,
        },
        { label: fr.facts.created, value: <Ago at={host.createdAt} /> },
        {
          label: fr.facts.updated,
          value: (
            <>
              <Ago at={host.updatedAt} />
              {host.updatedBy !== null && ` ${fr.by(host.updatedBy)}`}
            </>
          ),
        },
      ]}
    />
  </Card>
)

/** Links for whoever may open a model. */
const Models = ({ models }: { readonly models: Host['monitoringModels'] }) => {
  const { can } = useSession()
  return models.map((model, at) => (
    <Fragment key={model.id}>
      {at > 0 && ', '}
      {can('scanner_read') ? <Link to={`/host/model/${model.id}`}>{model.name}</Link> : model.name}
    </Fragment>
  ))
}

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span className={classes.tags}>
    {tags.map(tag => (
      <Link key={tag} className={classes.tag} to={`/host?q=${encodeURIComponent(tag)}`}>
        {tag}
      </Link>
    ))}
  </span>
)

/** Through what it is reached, and what is reached through it. */
export const HostDependencies = ({ host }: { readonly host: Host }) => {
  const { data } = useHostNeighbours(host)
  if (data === undefined || data.parents.length + data.children.length === 0) return null
  return (
    <Card
      title={fr.dependencies}
      aside={<Link to={`/dashboard/status-view/topology?host=${host.id}`}>{fr.inTopology}</Link>}
    >
      <Neighbours title={fr.parents} hosts={data.parents} />
      <Neighbours title={fr.children} hosts={data.children} />
    </Card>
  )
}

const Neighbours = ({ title, hosts }: { readonly title: string; readonly hosts: HostNeighbours['parents'] }) =>
  hosts.length === 0 ? null : (
    <section className={classes.neighbours} aria-label={title}>
      <h3>{title}</h3>
      <ul className={classes.links}>
        {hosts.map(one => (
          <li key={one.id}>
            <SeverityIcon severity={one.state === 'down' ? 'error' : one.severity} />
            <span>
              <Link to={`/host/${one.id}`}>{one.name}</Link>
              <span className={classes.information}> {one.siteName}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
