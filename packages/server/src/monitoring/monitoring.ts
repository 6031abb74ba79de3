import { remembersChanges } from '@narval/engine'
import type { Logger } from 'pino'
import type { Changes } from '../changes.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import { batches } from '../store/batches.ts'
import type { Database } from '../store/database.ts'
import { createTurns, type Turn, takeInTurns } from '../turns.ts'
import { createAskAgain } from './ask-again.ts'
import type { Committed } from './commit.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'
import { createFleet } from './fleet/fleet.ts'
import type { CollectSettings } from './fleet/fleet-entries.ts'
import type { Model } from './fleet/model.ts'
import { findSilence } from './freshness.ts'
import { createStateHistory, type StateHistory } from './history/state-history.ts'
import { type Acknowledgements, createAcknowledgements } from './incident/acknowledgement.ts'
import { createBlinding } from './incident/blinding.ts'
import { type CausalChains, createCausalChains } from './incident/causal-chain.ts'
import { createIngest, type Ingest } from './ingest.ts'
import { createMaintenances, type Maintenances } from './maintenance/maintenance.ts'
import { createFailover, type Failover } from './probe/failover.ts'
import { createPresence, PRESENCE_TIMING, type Presence, type PresenceTiming } from './probe/presence.ts'
import { createProbeAlerts } from './probe/probe-alerts.ts'
import { createLossAlerts } from './probe/probe-losses.ts'
import { type AskCheck, createSecondOpinions, type SecondOpinions } from './probe/second-opinion.ts'
import { createPublisher, type Publisher, type PublisherDeps } from './publisher.ts'
import { createRunHistory, type RunHistory } from './run/run-history.ts'
import { createRunLog } from './run/run-log.ts'

export interface Monitoring {
  readonly model: Model
  readonly presence: Presence
  readonly ingest: Ingest
  readonly evaluation: Evaluation
  readonly publisher: Publisher
  readonly failover: Failover
  readonly secondOpinions: SecondOpinions
  readonly runs: RunHistory
  readonly acknowledgements: Acknowledgements
  readonly maintenances: Maintenances
  readonly chains: CausalChains
  readonly history: StateHistory
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
  readonly publish: PublisherDeps['publish']
  readonly isFollowed?: PublisherDeps['isFollowed']
  readonly audience?: PublisherDeps['audience']
  /** A scanner whose run succeeded has a value that is bad and not confirmed: ask again after the retry interval. */
  readonly onSoft: (scannerId: number, delayMs: number) => void
  /** Scanners went to another probe: probes are to be told. */
  readonly onMoved: () => void
  /** Something was written that people may be told of. */
  readonly onAlerts: () => void
  readonly askCheck: AskCheck
  /** Left out: as in production. */
  readonly timing?: (PresenceTiming & { readonly giveBackAfterMs: number }) | undefined
  /** How others have the event loop while much is judged, written and told; left out: after some 8 ms. */
  readonly turns?: (() => Turn) | undefined
  readonly now: () => number
  readonly log: Logger
}

/** More hosts than this are read again with all the others. */
const MAX_HOSTS_IN_PART = 500

/** Metrics that may have to be asked again, before it is asked whether it is the turn of others. */
const ASKED = 100

/** How much of what memory alone knows of the last runs a crash may lose. */
const SAVE_RUNS_EVERY_MS = 3_600_000

/** The shell around the engine: from a probe's batch to states, incidents, outbox and hubs. */
export const createMonitoring = (deps: MonitoringDeps): Monitoring => {
  const { database, samples, now, log, turns = createTurns } = deps
  const model: Model = {
    ...{ version: 0, sites: new Map(), hosts: new Map(), scanners: new Map(), metrics: new Map() },
    standIns: new Map(),
  }
  const presence = createPresence(now, deps.timing ?? PRESENCE_TIMING)
  const offline = () => [...presence.probes.keys()].filter(id => presence.state(id) === 'offline').length
  const publisher = createPublisher({
    model,
    publish: deps.publish,
    isFollowed: deps.isFollowed,
    audience: deps.audience,
    probesOffline: offline,
    now,
    turns,
  })
  const onCommit = async (committed: Committed, turn: Turn): Promise<void> => {
    publisher.committed(committed)
    for (const ids of batches(committed.incidents)) publisher.changed({ entity: 'incident', ids, action: 'updated' })
    if (committed.alerts.length > 0) deps.onAlerts()
    await takeInTurns(askAgain(committed), turn, ASKED)
  }
  const secondOpinions = createSecondOpinions({
    ...{ database, model, presence, now, log },
    failover: { othersOf: id => failover.othersOf(id) },
    evaluation: () => evaluation,
    ask: deps.askCheck,
    onOpinion: ({ id }) => publisher.changed({ entity: 'metric', ids: [id], action: 'updated' }),
  })
  const askAgain = createAskAgain({ onSoft: deps.onSoft, doubt: hosts => secondOpinions.doubt(hosts) })
  const { opinions } = secondOpinions
  const runLog = createRunLog()
  const chains = createCausalChains({ model, presence, opinions, now })
  const maintenances = createMaintenances({ database, model, publisher, now })
  const history = createStateHistory({ database, model, now, log, alone: work => evaluation.alone(work) })
  const blinding = createBlinding({ database, model, presence, now })
  const evaluation: Evaluation = createEvaluation({
    ...{ database, samples, model, runs: runLog, history, blinding, opinions, now, log, onCommit, turns },
    ...{ isMuted: maintenances.covers, runOver: maintenances.runOver, chainOf: metric => chains.ofMetric(metric) },
  })
  const failover = createFailover({
    ...{ database, model, presence, evaluation, now },
    giveBackAfterMs: deps.timing?.giveBackAfterMs,
    onMoved(homes) {
      deps.onMoved()
      const moved = [...model.hosts.values()].filter(host =>
        [...host.scanners.values()].some(({ probeId }) => probeId !== null && homes.includes(probeId)),
      )
      publisher.changed({ entity: 'host', ids: moved.map(({ id }) => id), action: 'updated' })
      publisher.touched([...new Set(homes.flatMap(home => [home, model.standIns.get(home)?.id ?? home]))])
    },
  })
  let timer: NodeJS.Timeout | null = null
  let saving: NodeJS.Timeout | null = null

  const fleet = createFleet(database, model, deps.settings, now)
  const reload = createReload(() =>
    evaluation.alone(async () => {
      await fleet.readAll()
      await history.settle(null)
      await maintenances.refresh()
    }),
  )
  const reloadHosts = async (hostIds: readonly number[]): Promise<void> => {
    let isDone = false
    if (hostIds.length <= MAX_HOSTS_IN_PART)
      await evaluation.alone(async () => {
        isDone = await fleet.readHosts(hostIds)
        if (!isDone) return
        await history.settle(hostIds)
        await maintenances.refresh()
      })
    if (!isDone) await reload()
  }
  const losses = createLossAlerts({ database, presence, publisher, now })
  const ingest = createIngest({ database, samples, model, evaluation, failover, reloadHosts })
  const alerts = createProbeAlerts({ database, model, presence, publisher, blinding, now })

  const acknowledgements = createAcknowledgements({
    ...{ database, model, evaluation, publisher, now, log },
    hours: () => deps.settings().acknowledgeHours,
  })

  const pass = async (): Promise<void> => {
    presence.passed()
    await failover.step()
    await alerts.pass()
    await losses.pass()
    await evaluation.between(effects => findSilence(effects, model, presence, now()))
    await evaluation.alone(async () => {
      for (const ids of batches(await blinding.sweep()))
        publisher.changed({ entity: 'incident', ids, action: 'updated' })
    })
    await maintenances.pass()
    secondOpinions.pass()
  }

  const runs = createRunHistory({
    ...{ database, samples, presence, log: runLog },
    isKnown: id => model.scanners.has(id),
  })
  const saveRuns = (): Promise<void> => runs.save().catch(error => log.error({ err: error }, 'last runs not saved'))
  /** What metrics remember of their changes of state moves on with each result, and is written with a change alone. */
  const saveMemory = (): Promise<void> =>
    evaluation.between(effects => {
      for (const metric of model.metrics.values())
        if (remembersChanges(metric.state.flapping)) effects.states.add(metric)
    })
  const saveAll = (): Promise<void> =>
    saveMemory()
      .catch(error => log.error({ err: error }, 'changes of state not saved'))
      .then(saveRuns)

  deps.changes.on(change => {
    publisher.changed(change)
    if (change.entity === 'probe') {
      void failover.load().catch(error => log.error({ err: error }, 'groups of probes not read again'))
    }
    if (change.entity === 'setting') void reload().catch(error => log.error({ err: error }, 'fleet not read again'))
  })

  return {
    model,
    presence,
    ingest,
    evaluation,
    publisher,
    failover,
    secondOpinions,
    runs,
    acknowledgements,
    maintenances,
    chains,
    history,
    reload,
    reloadHosts,
    pass,
    async start() {
      await reload()
      await history.start()
      await readLastValues(samples, model)
      await Promise.all([failover.load(), secondOpinions.load(), alerts.load(), blinding.load()])
      await maintenances.load()
      const replayed = await evaluation.replay()
      presence.listen()
      await evaluation.between(effects => {
        for (const host of model.hosts.values()) effects.hosts.add(host)
      })
      await acknowledgements.start()
      timer = setInterval(
        () => void pass().catch(error => log.error({ err: error }, 'freshness pass failed')),
        presence.timing.passEveryMs,
      )
      saving = setInterval(() => void saveAll(), SAVE_RUNS_EVERY_MS)
      return { replayed }
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      if (saving !== null) clearInterval(saving)
      acknowledgements.stop()
      await evaluation.idle()
      await history.stop()
      await saveAll()
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
