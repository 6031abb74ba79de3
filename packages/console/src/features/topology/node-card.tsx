import type { Topology, TopologyHost } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { rankOf } from '../../lib/severity-rank.ts'
import { incidentsQuery } from '../../ui/incident-list.tsx'
import { HostStateBadge, SeverityBadge } from '../../ui/severity.tsx'
import { CardFacts, CardList, StageCard } from '../../ui/stage-card.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import type { Graph, GraphNode } from './graph.ts'
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
    <StageCard
      name={node.name}
      to={host === null ? null : `/host/${host.id}`}
      links={host !== null ? linksOf(host) : [{ to: '/probe/edit', label: fr.links.probe }]}
      onClose={onClose}
    >
      {probe !== null && <CardFacts>{fr.probeStates[probe.state]}</CardFacts>}
      {host !== null && (
        <>
          <CardFacts>
            <HostStateBadge state={host.state} />
            {host.state === 'available' && host.severity !== 'ok' && <SeverityBadge severity={host.severity} />}
            <span>
              {fr.since} <Since at={host.since} />
            </span>
          </CardFacts>
          <CardFacts>
            {host.typeName !== null && <span>{host.typeName}</span>}
            <Link to={`/site/${host.siteId}`}>{sites.find(({ id }) => id === host.siteId)?.name}</Link>
          </CardFacts>
          <OpenIncidents hostId={host.id} since={host.since} />
        </>
      )}
      <Neighbours title={fr.reachedBy} nodes={above} onGo={onGo} />
      <Neighbours title={fr.reaches} nodes={below} onGo={onGo} />
    </StageCard>
  )
}

const linksOf = ({ id, siteId }: TopologyHost) => [
  { to: `/host/${id}`, label: fr.links.host },
  { to: `/dashboard/status-view/topology?site=${siteId}`, label: fr.links.site },
]

/** Asked again with each of its states. */
const OpenIncidents = ({ hostId, since }: { readonly hostId: number; readonly since: string }) => {
  const query = incidentsQuery(hostId)
  const { data } = useQuery({ ...query, queryKey: [...query.queryKey, since] })
  if (data === undefined) return null
  const open = data.filter(({ closedAt }) => closedAt === null)
  const items = open.slice(0, NEIGHBOURS).map(({ id, severity, title }) => ({
    ...{ key: id, severity },
    content: <Link to={`/dashboard/live-view/incident/${id}`}>{title}</Link>,
  }))
  return <CardList title={fr.incidents} items={items} none={fr.noIncidents} more={moreThan(open.length)} />
}

/** « et 3 autres », where some are not listed. */
const moreThan = (count: number): string | null => (count > NEIGHBOURS ? fr.more(count - NEIGHBOURS) : null)

interface NeighboursProps {
  readonly title: string
  readonly nodes: readonly GraphNode[]
  readonly onGo: (key: string) => void
}

const Neighbours = ({ title, nodes, onGo }: NeighboursProps) => {
  const items = nodes.slice(0, NEIGHBOURS).map(({ key, severity, name }) => ({
    ...{ key, severity },
    content: (
      <button type="button" className={classes.go} onClick={() => onGo(key)}>
        {name}
      </button>
    ),
  }))
  return <CardList title={title} count={nodes.length} items={items} more={moreThan(nodes.length)} />
}
