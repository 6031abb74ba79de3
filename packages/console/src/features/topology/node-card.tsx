import { CloseButton } from '@mantine/core'
import type { Topology } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { incidentsQuery } from '../../ui/incident-list.tsx'
import { HostStateBadge, SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { type Graph, type GraphNode, rankOf } from './graph.ts'
import classes from './node-card.module.css'

const NEIGHBOURS = 8

interface NodeCardProps {
  readonly node: GraphNode
  readonly graph: Graph
  readonly sites: Topology['sites']
  readonly onGo: (key: string) => void
  readonly onClose: () => void
}

/** What a host or a probe of the diagram is, what is wrong with it, and what is beside it. */
export const NodeCard = ({ node, graph, sites, onGo, onClose }: NodeCardProps) => {
  const { host, probe } = node
  const above = node.parents.flatMap(key => graph.nodes.get(key) ?? [])
  const below = (graph.children.get(node.key) ?? [])
    .flatMap(key => graph.nodes.get(key) ?? [])
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
  return (
    <section className={classes.card} aria-label={node.name}>
      <header className={classes.head}>
        <h2>{host === null ? node.name : <Link to={`/host/${host.id}`}>{node.name}</Link>}</h2>
        <CloseButton aria-label={fr.close} onClick={onClose} />
      </header>
      {probe !== null && <p className={classes.facts}>{fr.probeStates[probe.state]}</p>}
      {host !== null && (
        <>
          <p className={classes.facts}>
            <HostStateBadge state={host.state} />
            {host.state === 'available' && host.severity !== 'ok' && <SeverityBadge severity={host.severity} />}
            <span>
              {fr.since} <Since at={host.since} />
            </span>
          </p>
          <p className={classes.facts}>
            {host.typeName !== null && <span>{host.typeName}</span>}
            <Link to={`/site/${host.siteId}`}>{sites.find(({ id }) => id === host.siteId)?.name}</Link>
          </p>
          <OpenIncidents hostId={host.id} since={host.since} />
        </>
      )}
      <Neighbours title={fr.reachedBy} nodes={above} onGo={onGo} />
      <Neighbours title={fr.reaches} nodes={below} onGo={onGo} />
      <p className={classes.links}>
        {host !== null && (
          <>
            <Link to={`/host/${host.id}`}>{fr.links.host}</Link>
            <Link to={`/dashboard/status-view/topology?site=${host.siteId}`}>{fr.links.site}</Link>
          </>
        )}
        {probe !== null && <Link to="/probe/edit">{fr.links.probe}</Link>}
      </p>
    </section>
  )
}

/** Asked again with each of its states. */
const OpenIncidents = ({ hostId, since }: { readonly hostId: number; readonly since: string }) => {
  const query = incidentsQuery(hostId)
  const { data } = useQuery({ ...query, queryKey: [...query.queryKey, since] })
  if (data === undefined) return null
  const open = data.filter(({ closedAt }) => closedAt === null)
  return (
    <>
      <h3 className={classes.title}>{fr.incidents}</h3>
      {open.length === 0 ? (
        <p className={classes.none}>{fr.noIncidents}</p>
      ) : (
        <ul className={classes.list}>
          {open.slice(0, NEIGHBOURS).map(incident => (
            <li key={incident.id}>
              <SeverityIcon severity={incident.severity} size={14} />
              <Link to={`/dashboard/live-view/incident/${incident.id}`}>{incident.title}</Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface NeighboursProps {
  readonly title: string
  readonly nodes: readonly GraphNode[]
  readonly onGo: (key: string) => void
}

const Neighbours = ({ title, nodes, onGo }: NeighboursProps) =>
  nodes.length === 0 ? null : (
    <>
      <h3 className={classes.title}>
        {title} <span className={classes.count}>{nodes.length}</span>
      </h3>
      <ul className={classes.list}>
        {nodes.slice(0, NEIGHBOURS).map(node => (
          <li key={node.key}>
            {node.severity !== null && <SeverityIcon severity={node.severity} size={14} />}
            <button type="button" className={classes.go} onClick={() => onGo(node.key)}>
              {node.name}
            </button>
          </li>
        ))}
      </ul>
      {nodes.length > NEIGHBOURS && <p className={classes.none}>{fr.more(nodes.length - NEIGHBOURS)}</p>}
    </>
  )
