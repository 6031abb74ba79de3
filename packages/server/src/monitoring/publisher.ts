import {
  ALERT_TYPES,
  type AlertMessage,
  DISPLAY_STREAM,
  GLOBAL_STREAM,
  type HostChanged,
  type HubName,
  hostStream,
  type MetricChanged,
  type ServiceChanged,
  type SiteChanged,
} from '@narval/contracts'
import { worstOfCounts } from '@narval/engine'
import type { Change } from '../changes.ts'
import type { Wanted } from '../hub/hubs.ts'
import { batches } from '../store/batches.ts'
import { toIso } from '../store/time.ts'
import { createTurns, type Turn, takeInTurns } from '../turns.ts'
import type { Committed } from './commit.ts'
import type { HostEntry, MetricEntry, Model, SiteEntry } from './fleet/model.ts'
import { countFleet, toMaintenance, toMetricLive } from './live.ts'
import type { Alert } from './monitoring.store.ts'

/** Values and soft states wait for the next turn; confirmed changes go within `SOON_MS`. */
const TURN_MS = 1_000
const SOON_MS = 20
/** All that happens within it is one ring for walls. */
const WALL_MS = 500
/** Rows of one message: the hub's frames stay small, and a mass failure is several messages. */
const ROWS_PER_MESSAGE = 500
/** Hosts whose own streams are told before it is asked whether it is the turn of others. */
const HOSTS_A_STEP = 50

export interface Publisher {
  committed(committed: Omit<Committed, 'released' | 'incidents'>): void
  changed(change: Change): void
  alert(alert: Alert): void
  /** Counters or probes changed without a commit of states. */
  touched(probes: readonly number[]): void
  stop(): void
}

export interface PublisherDeps {
  readonly model: Model
  /** `to`: only to these users. */
  readonly publish: (hub: HubName, stream: string, argument: unknown, to?: Wanted) => void
  /** Whether anybody follows a stream; left out: all are followed. */
  readonly isFollowed?: ((hub: HubName, stream: string) => boolean) | undefined
  /** Who is to be sent each of these alerts, by its id; left out: everybody. */
  readonly audience?: ((alerts: readonly Alert[]) => Promise<ReadonlyMap<number, Wanted>>) | undefined
  readonly probesOffline: () => number
  /** How others have the event loop while many are told; left out: after some 8 ms. */
  readonly turns?: (() => Turn) | undefined
  readonly now: () => number
}

/** Tells the hubs what was committed: coalesced by turn, each metric once whatever it did meanwhile. */
export const createPublisher = (deps: PublisherDeps): Publisher => {
  const walls = createWallBell(deps)
  const turns = deps.turns ?? createTurns
  const metrics = new Set<MetricEntry>()
  const hosts = new Set<HostEntry>()
  const sites = new Set<SiteEntry>()
  const probes = new Set<number>()
  let counters = false
  let deliveries = false
  let timer: NodeJS.Timeout | null = null
  let dueMs = Number.POSITIVE_INFINITY
  let flushedMs = 0

  let isSending = false

  /** What waits, in steps; rows are read as they are sent, so that none is older than what is known. */
  function* sendAll(): Generator<void> {
    const [changed, moved, counted, services] = [[...metrics], [...hosts], [...sites], [...probes]]
    const [isCounted, isDelivered] = [counters || probes.size > 0, deliveries]
    for (const set of [metrics, hosts, sites, probes]) set.clear()
    counters = false
    deliveries = false
    isSending = true
    try {
      yield* sendMetrics(deps, changed)
      yield* sendHosts(deps, moved)
      sendSites(deps, counted)
      if (isCounted) sendService(deps, services)
      if (isDelivered) sendDelivered(deps)
      walls.ring()
    } finally {
      isSending = false
    }
  }
  const flush = (): void => {
    timer = null
    dueMs = Number.POSITIVE_INFINITY
    flushedMs = deps.now()
    // What came meanwhile goes when this is sent.
    if (isSending) within(SOON_MS)
    else void takeInTurns(sendAll(), turns())
  }
  const within = (delayMs: number): void => {
    const wanted = deps.now() + delayMs
    if (timer !== null && dueMs <= wanted) return
    if (timer !== null) clearTimeout(timer)
    dueMs = wanted
    timer = setTimeout(flush, delayMs)
  }
  // In the order in which they came, those of one commit by one question.
  const waiting: Alert[] = []
  let isTelling = false
  const tell = async (): Promise<void> => {
    isTelling = true
    while (waiting.length > 0) {
      const some = waiting.splice(0)
      // Rather told to all than to nobody.
      const audience = await deps.audience?.(some).catch(() => undefined)
      for (const alert of some) deps.publish('communication', GLOBAL_STREAM, messageOf(alert), audience?.get(alert.id))
    }
    isTelling = false
  }
  const nextTurn = (): number => Math.max(SOON_MS, flushedMs + TURN_MS - deps.now())

  return {
    committed(committed) {
      for (const metric of committed.metrics) metrics.add(metric)
      for (const host of committed.hosts) hosts.add(host)
      for (const site of committed.sites) sites.add(site)
      if (committed.hard || committed.alerts.length > 0) counters = true
      if (metrics.size + hosts.size > 0) within(committed.hard ? SOON_MS : nextTurn())
      for (const alert of committed.alerts) this.alert(alert)
    },
    alert(alert) {
      waiting.push(alert)
      if (!isTelling) void tell()
    },
    changed(change) {
      if (change.entity === 'delivery') {
        deliveries = true
        return within(nextTurn())
      }
      sendEntities(deps, change)
      walls.ring()
    },
    touched(changed) {
      for (const probe of changed) probes.add(probe)
      counters = true
      within(nextTurn())
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      walls.stop()
    },
  }
}

const messageOf = ({ type, title, message, id, link }: Alert): AlertMessage => ({
  ...{ type: ALERT_TYPES.find(one => one === type) ?? 'Info', title, message, id, link },
})

const rowOf = (metric: MetricEntry): MetricChanged['metrics'][number] => ({
  ...toMetricLive(metric),
  hostId: metric.scanner.host.id,
  siteId: metric.scanner.host.site.id,
})

/** Rows for a stream are made only where somebody follows it: of thousands of hosts, a few are looked at. */
const hears = ({ isFollowed }: PublisherDeps, hub: HubName, stream: string): boolean =>
  isFollowed?.(hub, stream) ?? true

/** A host's stream gets all of its metrics; the global one only what is, or has just been, a problem. */
function* sendMetrics(deps: PublisherDeps, changed: readonly MetricEntry[]): Generator<void> {
  const byHost = [...Map.groupBy(changed, metric => metric.scanner.host.id)]
  for (const some of batches(byHost, HOSTS_A_STEP)) {
    for (const [hostId, own] of some) {
      const stream = hostStream(hostId)
      if (hears(deps, 'metric', stream))
        deps.publish('metric', stream, { metrics: own.map(rowOf) } satisfies MetricChanged)
    }
    yield
  }
  if (!hears(deps, 'metric', GLOBAL_STREAM)) return
  const recentMs = deps.now() - 10_000
  const problems = changed.filter(
    ({ state }) => state.severity !== 'ok' || state.kind === 'soft' || state.sinceMs > recentMs,
  )
  for (const slice of batches(problems, ROWS_PER_MESSAGE)) {
    const message: MetricChanged = { metrics: slice.map(rowOf) }
    deps.publish('metric', GLOBAL_STREAM, message)
    yield
  }
}

function* sendHosts(deps: PublisherDeps, changed: readonly HostEntry[]): Generator<void> {
  if (hears(deps, 'host', GLOBAL_STREAM))
    for (const slice of batches(changed, ROWS_PER_MESSAGE)) {
      deps.publish('host', GLOBAL_STREAM, { hosts: rowsOf(slice) } satisfies HostChanged)
      yield
    }
  for (const some of batches(changed, HOSTS_A_STEP)) {
    for (const host of some) {
      const stream = String(host.id)
      if (hears(deps, 'host', stream)) deps.publish('host', stream, { hosts: rowsOf([host]) } satisfies HostChanged)
    }
    yield
  }
}

const rowsOf = (changed: readonly HostEntry[]): HostChanged['hosts'] =>
  changed.map(({ id, site, state, severity, sinceMs, counts, maintenance }) => ({
    id,
    siteId: site.id,
    state,
    severity,
    since: toIso(sinceMs),
    counts,
    ...toMaintenance(maintenance),
  }))

const sendSites = (deps: PublisherDeps, changed: readonly SiteEntry[]): void => {
  const rows = changed.map(({ id, counts }) => ({ id, severity: worstOfCounts(counts) ?? ('ok' as const), counts }))
  for (const slice of batches(rows, ROWS_PER_MESSAGE))
    deps.publish('site', GLOBAL_STREAM, { sites: slice } satisfies SiteChanged)
  for (const row of rows) deps.publish('site', String(row.id), { sites: [row] } satisfies SiteChanged)
}

const sendService = (deps: PublisherDeps, probes: readonly number[]): void => {
  const message: ServiceChanged = {
    ...countFleet(deps.model),
    probesOffline: deps.probesOffline(),
    probes,
    at: toIso(deps.now()),
  }
  deps.publish('service', GLOBAL_STREAM, message)
}

/** Walls hear that something may have changed, never what: a screen sees what its own question is answered. */
const createWallBell = (deps: PublisherDeps) => {
  let timer: NodeJS.Timeout | null = null
  return {
    ring(): void {
      timer ??= setTimeout(() => {
        timer = null
        deps.publish('service', DISPLAY_STREAM, { at: toIso(deps.now()) } satisfies ServiceChanged)
      }, WALL_MS)
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

const sendDelivered = ({ publish, now }: PublisherDeps): void =>
  publish('service', GLOBAL_STREAM, { deliveries: true, at: toIso(now()) } satisfies ServiceChanged)

const sendEntities = (deps: PublisherDeps, change: Change): void => {
  const { entity, ids } = change
  if (entity === 'site') deps.publish('site', GLOBAL_STREAM, { sites: [], entities: ids } satisfies SiteChanged)
  if (entity === 'host') deps.publish('host', GLOBAL_STREAM, { hosts: [], entities: ids } satisfies HostChanged)
  if (entity === 'model') deps.publish('host', GLOBAL_STREAM, { hosts: [], models: ids } satisfies HostChanged)
  if (entity === 'metric' || entity === 'scanner')
    deps.publish('metric', GLOBAL_STREAM, { metrics: [], entities: ids } satisfies MetricChanged)
  if (entity === 'metric' || entity === 'scanner') sendToHosts(deps, change)
  if (entity === 'comment') sendCommented(deps, change)
  if (entity === 'incident')
    deps.publish('metric', GLOBAL_STREAM, { metrics: [], incidents: ids } satisfies MetricChanged)
  if (entity === 'maintenance')
    deps.publish('service', GLOBAL_STREAM, { maintenances: ids, at: toIso(deps.now()) } satisfies ServiceChanged)
  if (entity === 'log-book')
    deps.publish('service', GLOBAL_STREAM, { logBook: true, at: toIso(deps.now()) } satisfies ServiceChanged)
  if (entity === 'account') {
    const message = { account: true, at: toIso(deps.now()) } satisfies ServiceChanged
    deps.publish('service', GLOBAL_STREAM, message, id => ids.includes(id))
  }
  if (entity === 'probe')
    deps.publish('service', GLOBAL_STREAM, { probes: ids, at: toIso(deps.now()) } satisfies ServiceChanged)
}

const sendCommented = ({ publish }: PublisherDeps, { ids, object }: Change): void => {
  if (object === 'site') publish('site', GLOBAL_STREAM, { sites: [], commented: ids } satisfies SiteChanged)
  if (object === 'host') publish('host', GLOBAL_STREAM, { hosts: [], commented: ids } satisfies HostChanged)
  if (object === 'metric')
    publish('metric', GLOBAL_STREAM, { metrics: [], commented: { metrics: ids } } satisfies MetricChanged)
  if (object === 'incident')
    publish('metric', GLOBAL_STREAM, { metrics: [], commented: { incidents: ids } } satisfies MetricChanged)
}

/** A host's stream tells of its metrics alone, those of a changed scanner too; of what is gone, the ids that were given. */
const sendToHosts = ({ model, publish }: PublisherDeps, { entity, ids, hostIds = [] }: Change): void => {
  const changed =
    entity === 'metric'
      ? ids.flatMap(id => model.metrics.get(id) ?? [])
      : ids.flatMap(id => [...(model.scanners.get(id)?.metrics.values() ?? [])])
  const byHost = Map.groupBy(changed, metric => metric.scanner.host.id)
  const gone = entity === 'metric' ? ids.filter(id => !model.metrics.has(id)).slice(0, ROWS_PER_MESSAGE) : []
  for (const hostId of new Set([...byHost.keys(), ...hostIds])) {
    const entities = [...(byHost.get(hostId) ?? []).map(metric => metric.id), ...gone]
    publish('metric', hostStream(hostId), { metrics: [], entities } satisfies MetricChanged)
  }
}
