import { CHECKS } from '@narval/contracts'
import {
  isInDoubt,
  type OpinionVerdict,
  questionsToAsk,
  secondProbes,
  type Weighed,
  weighOpinions,
} from '@narval/engine'
import type { Logger } from 'pino'
import type { Database } from '../../store/database.ts'
import type { Evaluation } from '../evaluation.ts'
import { type HostEntry, type MetricEntry, type Model, runnerOf, type ScannerEntry } from '../fleet/model.ts'
import type { Opinions } from '../judge-run.ts'
import { changeIncident } from '../monitoring.store.ts'
import { confirmedText } from '../texts.ts'
import type { Failover } from './failover.ts'
import { isPassive } from './own-machine.ts'
import type { Presence } from './presence.ts'
import type { OrderOutcome } from './probe-orders.ts'
import { insertOpinion, type KeptOpinion, readOpinions, readReach } from './second-opinion.store.ts'

interface AbleProbe {
  readonly id: number
  readonly local: boolean
}

/** Asks a probe to run a scanner's check once; null when it did not answer. */
export type AskCheck = (scannerId: number, probe: AbleProbe) => Promise<OrderOutcome | null>

export interface SecondOpinions {
  readonly opinions: Opinions
  /** Reads what was recorded: before anything is judged. */
  load(): Promise<void>
  /** The life tests of these hosts failed and may still be wrong. */
  doubt(hosts: readonly HostEntry[]): void
  /** Asks what had to wait; at each pass. */
  pass(): void
  readonly ask: AskCheck
  /** Probes that may be asked about a scanner's target now, best first. */
  probesFor(scanner: ScannerEntry): Promise<readonly AbleProbe[]>
  /** Waits for the questions that are under way. */
  idle(): Promise<void>
}

export interface SecondOpinionDeps {
  readonly database: Database
  readonly model: Model
  readonly presence: Presence
  readonly failover: Pick<Failover, 'othersOf'>
  readonly evaluation: () => Pick<Evaluation, 'alone'>
  readonly ask: AskCheck
  readonly onOpinion: (metric: MetricEntry) => void
  readonly now: () => number
  readonly log: Logger
}

/** Kept in memory of each host, and of each probe whose runs failed: what weighs is minutes old. */
const MAX_OF_HOST = 16
const MAX_OF_RUNNER = 64
/** Probes asked about one host in turn, when the first does not answer. */
const MAX_TRIED = 2
/** A host is not asked about again while the last word on its problem is younger than this. */
const FRESH_MS = 45_000
/** Says nothing of the target: the probe that was asked could not look. */
const INCONCLUSIVE: readonly string[] = ['denied', 'internal', 'credentials']

interface Desk {
  readonly waiting: Map<number, HostEntry>
  asked: number[]
  /** Hosts whose question is under way. */
  readonly busy: Set<number>
}

/** Asks other probes about hosts whose life test begins to fail, a few at a time, and keeps what they say. */
export const createSecondOpinions = (deps: SecondOpinionDeps): SecondOpinions => {
  const { database, model, presence, now } = deps
  const memory = createMemory()
  const desks = new Map<number, Desk>()
  const askedMs = new Map<number, number>()
  const underWay = new Set<Promise<void>>()

  const isOnline = (probe: number): boolean => presence.state(probe) === 'online'
  const probesFor = async (scanner: ScannerEntry): Promise<readonly AbleProbe[]> => {
    const runner = runnerOf(model, scanner)
    if (runner === null || !isAskable(scanner)) return []
    const { sites, probes } = await readReach(database.db, scanner.host.site.id)
    const isLocal = (id: number) => probes.some(probe => probe.id === id && probe.local)
    const able = probes.filter(({ id, local }) => isOnline(id) && (!scanner.ownMachine || (local && isLocal(runner))))
    const online = able.map(({ id, site }) => ({ probe: id, site }))
    const chosen = secondProbes(runner, { group: deps.failover.othersOf(runner), sites, online })
    return chosen.flatMap(id => able.find(probe => probe.id === id) ?? [])
  }
  const question = async (host: HostEntry, life: MetricEntry, runner: number): Promise<void> => {
    const problemMs = life.state.problemSinceMs ?? now()
    for (const probe of (await probesFor(life.scanner)).slice(0, MAX_TRIED)) {
      const found = verdictOf(await deps.ask(life.scanner.id, probe))
      if (found === null) continue
      const probeName = presence.probes.get(probe.id)?.name ?? ''
      const about = { hostId: host.id, metricId: life.id, runnerId: runner, probeId: probe.id, probeName, problemMs }
      // In the queue of judgements: what was judged before did not know of it, what is judged after does, in a replay too.
      await deps.evaluation().alone(async () => {
        const present = model.metrics.get(life.id)
        if (present === undefined) return
        const incidentId = present.state.problemSinceMs === problemMs ? present.incidentId : null
        memory.add(await keep(database, { ...about, ...found, atMs: now() }, present, incidentId))
        deps.onOpinion(present)
      })
      return
    }
  }
  const pump = (runner: number, desk: Desk): void => {
    const nowMs = now()
    for (const [id, host] of desk.waiting) if (lifeInDoubt(model, host, runner) === null) desk.waiting.delete(id)
    desk.asked = desk.asked.filter(atMs => atMs > nowMs - 60_000)
    const waiting = [...desk.waiting.keys()].map(host => ({ host, askedMs: askedMs.get(host) ?? 0 }))
    for (const id of questionsToAsk(waiting, desk.asked, desk.busy.size, nowMs)) {
      const host = desk.waiting.get(id)
      const life = host === undefined ? null : lifeInDoubt(model, host, runner)
      desk.waiting.delete(id)
      if (host === undefined || life === null) continue
      desk.asked.push(nowMs)
      askedMs.set(id, nowMs)
      desk.busy.add(id)
      const asking = question(host, life, runner)
        .catch(error => deps.log.error({ err: error, host: id }, 'second opinion not kept'))
        .finally(() => {
          desk.busy.delete(id)
          underWay.delete(asking)
          pump(runner, desk)
        })
      underWay.add(asking)
    }
  }

  return {
    opinions: {
      weigh: (host, runnerId, nowMs) =>
        host.life === null ? { verdict: 'none', opinion: null } : memory.weigh(host.id, host.life, runnerId, nowMs),
    },
    async load() {
      for (const opinion of await readOpinions(database.db)) memory.add(opinion)
    },
    doubt(hosts) {
      const asking = new Set<number>()
      for (const host of hosts) {
        const runner = host.life === null ? null : runnerOf(model, host.life.scanner)
        if (runner === null || host.life === null || !isAskable(host.life.scanner)) continue
        if (![...presence.probes.keys()].some(id => id !== runner && isOnline(id))) continue
        const desk = desks.get(runner) ?? { waiting: new Map(), asked: [], busy: new Set<number>() }
        desks.set(runner, desk)
        if (desk.busy.has(host.id) || now() - memory.newestMs(host.id, host.life) < FRESH_MS) continue
        desk.waiting.set(host.id, host)
        asking.add(runner)
      }
      // Once for all: each looks at every host that waits.
      for (const runner of asking) {
        const desk = desks.get(runner)
        if (desk !== undefined) pump(runner, desk)
      }
    },
    pass() {
      for (const [runner, desk] of desks) pump(runner, desk)
    },
    ask: deps.ask,
    probesFor,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** Whether another probe could run such a check: not what the server makes, nor what is waited for. */
const isAskable = ({ kind }: ScannerEntry): boolean => CHECKS[kind].runner !== 'server' && !isPassive(kind)

/** The life test of a host while another word may still change its verdict; null otherwise. */
const lifeInDoubt = (model: Model, { id }: HostEntry, runner: number): MetricEntry | null => {
  const life = model.hosts.get(id)?.life ?? null
  return life !== null && isInDoubt(life.state) && runnerOf(model, life.scanner) === runner ? life : null
}

const verdictOf = (outcome: OrderOutcome | null): { verdict: OpinionVerdict; message: string } | null => {
  if (outcome?.kind !== 'test') return null
  if (outcome.failure === null) return { verdict: 'answers', message: '' }
  return INCONCLUSIVE.includes(outcome.failure.code) ? null : { verdict: 'fails', message: outcome.failure.message }
}

/** Written, with what an incident that is open already is to say of it. */
const keep = (database: Database, opinion: Omit<KeptOpinion, 'id'>, life: MetricEntry, incidentId: number | null) =>
  database.db.transaction().execute(async trx => {
    if (incidentId !== null && opinion.verdict === 'fails')
      await changeIncident(
        trx,
        incidentId,
        life.state.hardSeverity,
        confirmedText(`${life.scanner.host.site.name} · ${life.information}`, opinion.probeName),
      )
    return insertOpinion(trx, opinion, incidentId)
  })

const createMemory = () => {
  const ofHosts = new Map<number, KeptOpinion[]>()
  const ofRunners = new Map<number, KeptOpinion[]>()
  const put = (held: Map<number, KeptOpinion[]>, id: number, opinion: KeptOpinion, max: number): void => {
    held.set(id, [...(held.get(id) ?? []), opinion].slice(-max))
  }
  return {
    add(opinion: KeptOpinion): void {
      put(ofHosts, opinion.hostId, opinion, MAX_OF_HOST)
      put(ofRunners, opinion.runnerId, opinion, MAX_OF_RUNNER)
    },
    /** When another probe last spoke of the present problem; -Infinity: never. */
    newestMs(hostId: number, life: MetricEntry): number {
      const known = ofHosts.get(hostId)?.findLast(one => one.problemMs === life.state.problemSinceMs)
      return known?.atMs ?? Number.NEGATIVE_INFINITY
    },
    weigh(hostId: number, life: MetricEntry, runnerId: number, nowMs: number): Weighed<KeptOpinion> {
      const own = (ofHosts.get(hostId) ?? []).filter(one => one.metricId === life.id && one.runnerId === runnerId)
      return weighOpinions(own, ofRunners.get(runnerId) ?? [], life.state, life.scanner.intervalMs, nowMs)
    },
  }
}
