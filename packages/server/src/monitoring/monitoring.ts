import type { HubName } from '@narval/contracts'
import type { Logger } from 'pino'
import type { Changes } from '../changes.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import type { Database } from '../store/database.ts'
import type { Committed } from './commit.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'
import { createFleet } from './fleet.ts'
import type { CollectSettings } from './fleet-entries.ts'
import { findSilence } from './freshness.ts'
import { createIngest, type Ingest } from './ingest.ts'
import type { Model } from './model.ts'
import { insertOutbox, type OutboxEntry, saveAnnounced } from './monitoring.store.ts'
import { createPresence, FRESHNESS_EVERY_MS, type Presence, type ProbePresence } from './presence.ts'
import { createLossAlerts } from './probe-losses.ts'
import { createPublisher, type Publisher } from './publisher.ts'

export interface Monitoring {
  readonly model: Model
  readonly presence: Presence
  readonly ingest: Ingest
  readonly evaluation: Evaluation
  readonly publisher: Publisher
  /** Reads the fleet again: after a change of objects, before its answer says that it is done. */
  reload(): Promise<void>
  /** The same of these hosts alone, with their scanners and metrics, created, changed or deleted; many are as well read with all. */
  reloadHosts(hostIds: readonly number[]): Promise<void>
  /** Reads states and last values, then judges what the journal holds beyond the last commit. */
  start(): Promise<{ replayed: number }>
  /** Looks for probes and scanners that have fallen silent; done every 5 s. */
  pass(): Promise<void>
  stop(): Promise<void>
}

export interface MonitoringDeps {
  readonly database: Database
  readonly samples: SampleStore
  readonly changes: Changes
  readonly settings: () => CollectSettings
  readonly publish: (hub: HubName, stream: string, argument: unknown) => void
  /** A scanner whose run succeeded has a value that is bad and not confirmed: ask again after the retry interval. */
  readonly onSoft: (scannerId: number, delayMs: number) => void
  readonly retryIntervalMs: () => number
  readonly now: () => number
  readonly log: Logger
}

/** More hosts than this are read again with all the others. */
const MAX_HOSTS_IN_PART = 500

/** The shell around the engine: from a probe's batch to states, incidents, outbox and hubs. */
export const createMonitoring = (deps: MonitoringDeps): Monitoring => {
  const { database, samples, now, log } = deps
  const model: Model = { version: 0, sites: new Map(), hosts: new Map(), scanners: new Map(), metrics: new Map() }
  const presence = createPresence(now)
  const offline = () => [...presence.probes.keys()].filter(id => presence.state(id) === 'offline').length
  const publisher = createPublisher({ model, publish: deps.publish, probesOffline: offline, now })
  const onCommit = (committed: Committed): void => {
    publisher.committed(committed)
    // The probe retries by itself what fails; it never judges a value, so those are asked again from here.
    for (const { state, scanner } of committed.metrics) {
      if (state.kind === 'soft' && scanner.lastError === null && state.severity !== 'unknown')
        deps.onSoft(scanner.id, deps.retryIntervalMs())
    }
  }
  const evaluation = createEvaluation({
    database,
    samples,
    model,
    now,
    log,
    onCommit,
  })
  let timer: NodeJS.Timeout | null = null

  const fleet = createFleet(database, model, deps.settings, now)
  const reload = createReload(() => evaluation.alone(fleet.readAll))
  const reloadHosts = async (hostIds: readonly number[]): Promise<void> => {
    let isDone = false
    if (hostIds.length <= MAX_HOSTS_IN_PART)
      await evaluation.alone(async () => {
        isDone = await fleet.readHosts(hostIds)
      })
    if (!isDone) await reload()
  }
  const losses = createLossAlerts({ database, presence, publisher, now })
  const ingest = createIngest({ database, samples, model, evaluation, reloadHosts })

  const pass = async (): Promise<void> => {
    presence.passed()
    await announceProbes(deps, presence, publisher)
    await losses.pass()
    await evaluation.between(effects => findSilence(effects, model, presence, now()))
  }

  deps.changes.on(change => {
    publisher.changed(change)
    if (change.entity === 'setting') void reload().catch(error => log.error({ err: error }, 'fleet not read again'))
  })

  return {
    model,
    presence,
    ingest,
    evaluation,
    publisher,
    reload,
    reloadHosts,
    pass,
    async start() {
      await reload()
      await readLastValues(samples, model)
      const replayed = await evaluation.replay()
      presence.listen()
      await evaluation.between(effects => {
        for (const host of model.hosts.values()) effects.hosts.add(host)
      })
      timer = setInterval(
        () => void pass().catch(error => log.error({ err: error }, 'freshness pass failed')),
        FRESHNESS_EVERY_MS,
      )
      return { replayed }
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      await evaluation.stop()
      publisher.stop()
    },
  }
}

/** Calls that come while one runs share the next: after `await`, what was changed before the call has been read. */
const createReload = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  return () => {
    if (running === null) {
      running = work().finally(() => {
        running = null
      })
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        running = work().finally(() => {
          running = null
        })
        return running
      })
    return next
  }
}

const LAST_PER_CALL = 20_000
const readLastValues = async (samples: SampleStore, model: Model): Promise<void> => {
  const ids = [...model.metrics.keys()]
  for (let start = 0; start < ids.length; start += LAST_PER_CALL) {
    for (const sample of await samples.last(ids.slice(start, start + LAST_PER_CALL))) {
      const metric = model.metrics.get(sample.series)
      if (metric === undefined) continue
      metric.atMs = sample.atMs
      if (metric.type === 'counter') metric.raw = sample.value
      else metric.value = sample.value
    }
  }
}

/** One alert when a probe goes silent, one when it is back; none for its hosts. */
const announceProbes = async (deps: MonitoringDeps, presence: Presence, publisher: Publisher): Promise<void> => {
  for (const probe of presence.probes.values()) {
    const state = presence.state(probe.id)
    if (state !== 'online' && state !== 'offline') continue
    const before = probe.announced
    // Known before any of its metrics grows stale, but not before the server itself has listened long enough.
    if (state === before || (before === null && state === 'offline' && deps.now() - probe.sinceMs < 60_000)) continue
    probe.announced = state
    publisher.touched([probe.id])
    if (before === null && state === 'online') continue
    const entry = probeAlert(probe, state, deps.now())
    try {
      const id = await insertAnnouncement(deps.database, probe.id, state, entry)
      if (id !== null) publisher.alert({ ...entry, id })
    } catch (error) {
      // The next pass says it.
      probe.announced = before
      throw error
    }
  }
}

/** The alert and the memory of it together: a start says neither twice (R19). */
const insertAnnouncement = (database: Database, probeId: number, state: 'online' | 'offline', entry: OutboxEntry) =>
  database.db.transaction().execute(async trx => {
    await saveAnnounced(trx, probeId, state)
    return insertOutbox(trx, entry)
  })

const probeAlert = (probe: ProbePresence, state: 'online' | 'offline', nowMs: number): OutboxEntry => ({
  eventKey: `probe-${probe.id}-${state}-${probe.lastContactMs}`,
  atMs: nowMs,
  severity: state === 'online' ? 'ok' : 'error',
  type: state === 'online' ? 'Success' : 'Error',
  title: state === 'online' ? `Sonde ${probe.name} de nouveau en ligne` : `Sonde ${probe.name} hors ligne`,
  message: state === 'online' ? 'Ses contrôles ont repris.' : 'Ses équipements sont inconnus tant qu’elle se tait.',
  link: '/probe/edit',
  incidentId: null,
})
