import type { HostChanged, HubName, MetricChanged, ServiceChanged, SiteChanged } from '@narval/contracts'
import { worstOfCounts } from '@narval/engine'
import type { Place } from './http/caller.ts'
import type { Wanted } from './hub/hubs.ts'
import type { HostEntry, Model, SiteEntry } from './monitoring/fleet/model.ts'
import { countFleet, countSite } from './monitoring/live.ts'
import { within } from './store/visible.ts'

type Publish = (hub: HubName, stream: string, argument: unknown, to?: Wanted) => void
/** What one account sees of what is in memory. */
interface Sight {
  /** A site with all that stands there. */
  readonly site: (id: number) => boolean
  /** A site of which it may be only some equipment. */
  readonly some: (site: SiteEntry) => boolean
  readonly host: (host: HostEntry) => boolean
}

interface ScopedDeps {
  readonly model: () => Model
  /** Accounts that are limited, and where they read. */
  readonly limited: () => ReadonlyMap<number, Place>
  readonly isConnected: (userId: number) => boolean
}

/**
 * Publishes to the hubs so that accounts that are limited hear of what they see alone: the others get the message as it
 * is, each of these what is left of it (S32). Alerts go to whom `to` wants, which knows what they see; without it to none of these.
 */
export const scopedPublish =
  (publish: Publish, { model, limited, isConnected }: ScopedDeps): Publish =>
  (hub, stream, argument, to) => {
    const few = limited()
    if (few.size === 0) return publish(hub, stream, argument, to)
    if (hub === 'communication') return publish(hub, stream, argument, to ?? (id => !few.has(id)))
    publish(hub, stream, argument, id => !few.has(id) && (to?.(id) ?? true))
    for (const [userId, place] of few) {
      if (!isConnected(userId)) continue
      const tell = (onHub: HubName, message: object | null): void => {
        if (message !== null) publish(onHub, stream, message, id => id === userId && (to?.(id) ?? true))
      }
      tell(hub, narrowed(hub, argument, sightOf(place), model()))
      if (hub !== 'host' || told<HostChanged>(argument).entities === undefined || place.tags.size === 0) continue
      // A tag that equipment got or lost changes which metrics one sees, and the figures of its site.
      tell('metric', { metrics: [], entities: [ELSEWHERE] } satisfies MetricChanged)
      tell('site', { sites: [], entities: [ELSEWHERE] } satisfies SiteChanged)
    }
  }

/** What of a message concerns what one sees; null: nothing. */
const narrowed = (hub: HubName, argument: unknown, sees: Sight, model: Model): object | null => {
  switch (hub) {
    case 'metric':
      return ofMetrics(told<MetricChanged>(argument), sees, model)
    case 'host':
      return ofHosts(told<HostChanged>(argument), sees, model)
    case 'site':
      return ofSites(told<SiteChanged>(argument), sees, model)
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

const sightOf = (place: Place): Sight => {
  const host = within(place)
  const site = (id: number): boolean => place.sites.has(id)
  return { host, site, some: one => site(one.id) || (place.tags.size > 0 && [...one.hosts.values()].some(host)) }
}

/** A row tells of equipment as it was when it was written: what has gone since is known by its site alone. */
const isRowSeen = (hostId: number, siteId: number, sees: Sight, model: Model): boolean => {
  const host = model.hosts.get(hostId)
  return host === undefined ? sees.site(siteId) : sees.host(host)
}

/** No object has this id: what one does not see changed, or what one sees no more, as it lost a tag or was moved. */
const ELSEWHERE = 0
const orElsewhere = (ids: readonly number[], isSeen: (id: number) => boolean): number[] => {
  const seen = ids.filter(isSeen)
  return seen.length === ids.length ? seen : [...seen, ELSEWHERE]
}

const ofMetrics = (message: MetricChanged, sees: Sight, model: Model): object | null => {
  const isSeen = (host: HostEntry | undefined): boolean => host !== undefined && sees.host(host)
  const isOfSeen = (id: number): boolean => isSeen(model.metrics.get(id)?.scanner.host ?? model.scanners.get(id)?.host)
  const { metrics, entities, incidents, commented } = message
  return unlessEmpty({
    metrics: metrics.filter(row => isRowSeen(row.hostId, row.siteId, sees, model)),
    ...(entities && { entities: entities.filter(isOfSeen) }),
    // Whose these are the database alone knows: it is said that something changed, not what.
    ...(incidents && { incidents: [] }),
    ...(commented && { commented: { metrics: commented.metrics?.filter(isOfSeen) ?? [], incidents: [] } }),
  })
}

const ofHosts = (message: HostChanged, sees: Sight, model: Model): object | null => {
  const isSeen = (id: number): boolean => {
    const host = model.hosts.get(id)
    return host !== undefined && sees.host(host)
  }
  const { hosts, entities, commented, models } = message
  return unlessEmpty({
    hosts: hosts.filter(({ id, siteId }) => isRowSeen(id, siteId, sees, model)),
    ...(entities && { entities: orElsewhere(entities, isSeen) }),
    ...(commented && { commented: commented.filter(isSeen) }),
    ...(models && { models }),
  })
}

/** Of a site that is seen in part the figures are those of the equipment that is seen. */
const ofSites = ({ sites, entities, commented }: SiteChanged, sees: Sight, model: Model): object | null => {
  const narrow = (told: SiteChanged['sites'][number]): SiteChanged['sites'] => {
    const site = model.sites.get(told.id)
    if (site === undefined || sees.site(told.id)) return sees.site(told.id) ? [told] : []
    if (!sees.some(site)) return []
    const { counts } = countSite(site, sees.host)
    return [{ id: told.id, counts, severity: worstOfCounts(counts) ?? 'ok' }]
  }
  const isSeen = (id: number): boolean => {
    const site = model.sites.get(id)
    return site === undefined ? sees.site(id) : sees.some(site)
  }
  return unlessEmpty({
    sites: sites.flatMap(narrow),
    ...(entities && { entities: entities.filter(isSeen) }),
    ...(commented && { commented: commented.filter(sees.site) }),
  })
}

/** Counters of their own; of probes and maintenances only that something changed. */
const ofServices = (message: ServiceChanged, sees: Sight, model: Model): object => {
  const { severities, probesOffline: _, probes, maintenances, ...rest } = message
  return {
    ...rest,
    ...(severities && countFleet(model, sees.host)),
    ...(probes && { probes: [] }),
    ...(maintenances && { maintenances: [] }),
  }
}
