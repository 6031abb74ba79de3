import { SegmentedControl, Select } from '@mantine/core'
import type { Topology } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { idOf } from '../../lib/address.ts'
import { siteTreeQuery } from '../../lib/site-tree.ts'
import { FreshnessSign, useFreshness } from '../../ui/freshness.tsx'
import { Card, EmptyState, NotLoaded } from '../../ui/page.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import toolbar from '../../ui/toolbar.module.css'
import { useAddress } from '../../ui/use-address.ts'
import { Diagram } from './diagram.tsx'
import { DRAWN_MAX, fold } from './fold.ts'
import { fr } from './fr.ts'
import { chainOf, graphOf, hostKey } from './graph.ts'
import { NodeCard } from './node-card.tsx'
import { TopologyList } from './topology-list.tsx'
import classes from './topology-page.module.css'
import { useTopology } from './use-topology.ts'

const useParams = () => {
  const { params, put } = useAddress()
  return {
    siteId: idOf(params.get('site')),
    hostId: idOf(params.get('host')),
    isList: params.get('view') === 'list',
    put,
  }
}

/** dashboard/status-view/topology: what equipment hangs on what, drawn or listed, alive. */
export const TopologyPage = () => {
  const { siteId } = useParams()
  const { data, error, refetch } = useTopology(siteId)
  return (
    <>
      <StatusViewTabs current="topology" />
      {data !== undefined ? (
        <Shown key={siteId ?? 0} topology={data} />
      ) : (
        <NotLoaded error={error} onRetry={refetch} height={600} isAlone />
      )}
    </>
  )
}

const NONE: ReadonlySet<string> = new Set()

const Shown = ({ topology }: { readonly topology: Topology }) => {
  const { hostId, isList, put } = useParams()
  const graph = useMemo(() => graphOf(topology), [topology])
  const focus = hostId !== null && graph.nodes.has(hostKey(hostId)) ? hostKey(hostId) : null
  const lit = useMemo(() => (focus === null ? null : chainOf(graph, focus)), [graph, focus])
  const [selected, setSelected] = useState<string | null>(null)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const folded = useMemo(
    () => fold(graph, { toggled, kept: lit === null ? NONE : keptOf(graph, focus) }),
    [graph, toggled, lit, focus],
  )
  const stale = useFreshness('host') === 'stale'
  const act = (key: string): void => {
    const box = folded.boxes.find(one => one.key === key)
    if (box?.node === null) setToggled(new Map(toggled).set(key, !box.open))
    else setSelected(key)
  }
  const goTo = (key: string): void => {
    const host = graph.nodes.get(key)?.host
    setSelected(key)
    put({ host: host == null ? null : String(host.id) })
  }
  const chosen = selected === null ? undefined : graph.nodes.get(selected)
  const shown = topology.hosts.length
  return (
    <>
      <Controls topology={topology} />
      {topology.total > shown && <p className={classes.note}>{fr.limited(shown, topology.total)}</p>}
      {!isList && topology.total <= shown && shown > DRAWN_MAX && <p className={classes.note}>{fr.folded}</p>}
      {shown === 0 ? (
        <Card>
          <EmptyState title={fr.emptyTitle}>{fr.emptyText}</EmptyState>
        </Card>
      ) : isList ? (
        <div data-stale={stale || undefined} className={classes.list}>
          <TopologyList graph={graph} lit={lit} />
        </div>
      ) : (
        <Diagram
          {...{ folded, focus, lit, selected, stale }}
          onAct={act}
          onClose={() => setSelected(null)}
          card={
            chosen !== undefined && (
              <NodeCard
                node={chosen}
                graph={graph}
                sites={topology.sites}
                onGo={goTo}
                onClose={() => setSelected(null)}
              />
            )
          }
        />
      )}
    </>
  )
}

/** What one looks for and all above it; what is below opens by itself where there is room. */
const keptOf = ({ nodes }: ReturnType<typeof graphOf>, focus: string | null): ReadonlySet<string> => {
  const kept = new Set(focus === null ? [] : [focus])
  for (const key of kept) for (const parent of nodes.get(key)?.parents ?? []) kept.add(parent)
  return kept
}

const LIMIT = 30

const Controls = ({ topology }: { readonly topology: Topology }) => {
  const { siteId, hostId, isList, put } = useParams()
  const { data: sites } = useQuery(siteTreeQuery)
  const siteOptions = useMemo(() => (sites ?? []).map(({ id, name }) => ({ value: String(id), label: name })), [sites])
  const hostOptions = useMemo(
    () => topology.hosts.map(({ id, name }) => ({ value: String(id), label: name })),
    [topology.hosts],
  )
  return (
    <div className={toolbar.toolbar}>
      <SegmentedControl
        aria-label={fr.views.label}
        value={isList ? 'list' : 'diagram'}
        onChange={value => put({ view: value === 'list' ? 'list' : null })}
        data={[
          { value: 'diagram', label: fr.views.diagram },
          { value: 'list', label: fr.views.list },
        ]}
      />
      <Select
        className={classes.select}
        aria-label={fr.site}
        placeholder={fr.allSites}
        data={siteOptions}
        value={siteId === null ? null : String(siteId)}
        onChange={site => put({ site, host: null })}
        limit={LIMIT}
        searchable
        clearable
      />
      <Select
        className={classes.select}
        aria-label={fr.find}
        placeholder={fr.find}
        data={hostOptions}
        value={hostId === null ? null : String(hostId)}
        onChange={host => put({ host })}
        nothingFoundMessage={fr.findNothing}
        limit={LIMIT}
        searchable
        clearable
      />
      <span className={toolbar.spacer} />
      <FreshnessSign hub="host" />
      <span className={toolbar.count}>{fr.hosts(topology.hosts.length)}</span>
    </div>
  )
}
