import type { HostChanged, HubName, MetricChanged, ServiceChanged, SiteChanged } from '@narval/contracts'
import type { Wanted } from './hub/hubs.ts'
import type { Model } from './monitoring/fleet/model.ts'
import { countFleet } from './monitoring/live.ts'

type Publish = (hub: HubName, stream: string, argument: unknown, to?: Wanted) => void
type Sees = (siteId: number) => boolean

interface ScopedDeps {
  readonly model: () => Model
  /** Accounts that are limited to sites. */
  readonly limited: () => ReadonlyMap<number, ReadonlySet<number>>
  readonly isConnected: (userId: number) => boolean
}

/**
 * Publishes to the hubs so that accounts that are limited to sites hear of these alone: the others get the message as it
 * is, each of these what is left of it (S32). Alerts go to whom `to` wants, which knows their sites; without it to none of these.
 */
export const scopedPublish =
  (publish: Publish, { model, limited, isConnected }: ScopedDeps): Publish =>
  (hub, stream, argument, to) => {
    const few = limited()
    if (few.size === 0) return publish(hub, stream, argument, to)
    if (hub === 'communication') return publish(hub, stream, argument, to ?? (id => !few.has(id)))
    publish(hub, stream, argument, id => !few.has(id) && (to?.(id) ?? true))
    for (const [userId, sites] of few) {
      if (!isConnected(userId)) continue
      const left = narrowed(hub, argument, siteId => sites.has(siteId), model())
      if (left !== null) publish(hub, stream, left, id => id === userId && (to?.(id) ?? true))
    }
  }

/** What of a message concerns these sites; null: nothing. */
const narrowed = (hub: HubName, argument: unknown, sees: Sees, model: Model): object | null => {
  switch (hub) {
    case 'metric':
      return ofMetrics(told<MetricChanged>(argument), sees, model)
    case 'host':
      return ofHosts(told<HostChanged>(argument), sees, model)
    case 'site':
      return ofSites(told<SiteChanged>(argument), sees)
    case 'service':
      return ofServices(told<ServiceChanged>(argument), sees, model)
    default:
      return null
  }
}

/** The cast: `publisher.ts` gives each hub its own kind of message. */
const told = <T extends object>(argument: unknown): T => argument as T

/** Rows none of which is left say nothing; what was said beside them, be it that something changed, is still said. */
const unlessEmpty = <T extends object>(message: T): T | null =>
  Object.values(message).some((value, place) => place > 0 || (Array.isArray(value) && value.length > 0))
    ? message
    : null

const ofMetrics = (message: MetricChanged, sees: Sees, model: Model): object | null => {
  const isSeen = (id: number): boolean => {
    const host = model.metrics.get(id)?.scanner.host ?? model.scanners.get(id)?.host
    return host !== undefined && sees(host.site.id)
  }
  const { metrics, entities, incidents, commented } = message
  return unlessEmpty({
    metrics: metrics.filter(({ siteId }) => sees(siteId)),
    ...(entities && { entities: entities.filter(isSeen) }),
    // Whose these are the database alone knows: it is said that something changed, not what.
    ...(incidents && { incidents: [] }),
    ...(commented && { commented: { metrics: commented.metrics?.filter(isSeen) ?? [], incidents: [] } }),
  })
}

const ofHosts = (message: HostChanged, sees: Sees, model: Model): object | null => {
  const isSeen = (id: number): boolean => {
    const host = model.hosts.get(id)
    return host !== undefined && sees(host.site.id)
  }
  const { hosts, entities, commented, models } = message
  return unlessEmpty({
    hosts: hosts.filter(({ siteId }) => sees(siteId)),
    ...(entities && { entities: entities.filter(isSeen) }),
    ...(commented && { commented: commented.filter(isSeen) }),
    ...(models && { models }),
  })
}

const ofSites = ({ sites, entities, commented }: SiteChanged, sees: Sees): object | null =>
  unlessEmpty({
    sites: sites.filter(({ id }) => sees(id)),
    ...(entities && { entities: entities.filter(sees) }),
    ...(commented && { commented: commented.filter(sees) }),
  })

/** Counters of their own; of probes and maintenances only that something changed. */
const ofServices = (message: ServiceChanged, sees: Sees, model: Model): object => {
  const { severities, probesOffline: _, probes, maintenances, ...rest } = message
  return {
    ...rest,
    ...(severities && countFleet(model, sees)),
    ...(probes && { probes: [] }),
    ...(maintenances && { maintenances: [] }),
  }
}
