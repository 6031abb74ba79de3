import { assignRunners, GIVE_BACK_AFTER_MS } from '@narval/engine'
import type { Database } from '../../store/database.ts'
import type { Evaluation } from '../evaluation.ts'
import type { Model, ScannerEntry } from '../fleet/model.ts'
import { runnerOf } from '../fleet/model.ts'
import { type FailoverGroup, type KeptTakeover, readFailover, saveCovered, saveFailover } from './failover.store.ts'
import type { Presence } from './presence.ts'

/** What becomes of a probe's result: judged, kept for charts alone, left out because the stand-in has it already, or refused. */
export type Claim = 'judged' | 'kept' | 'double' | 'foreign'

export interface Failover {
  /** Reads groups and takeovers: at the start, and when groups or probes changed. */
  load(): Promise<void>
  /** Moves scanners where probes fell silent or came back; to be called at each pass, before silence is judged. */
  step(): Promise<void>
  claim(probeId: number, lane: 'live' | 'backlog', scanner: ScannerEntry, atMs: number): Claim
  /** Results of a home's scanners arrived from its stand-in. */
  delivered(homeIds: Iterable<number>, atMs: number): Promise<void>
  /** Members by rank after this probe, round, without it. */
  othersOf(probeId: number): readonly number[]
}

export interface FailoverDeps {
  readonly database: Database
  readonly model: Model
  readonly presence: Presence
  readonly evaluation: Evaluation
  readonly giveBackAfterMs?: number | undefined
  readonly now: () => number
  /** Scanners changed hands: probes are to be told. */
  readonly onMoved: (homes: readonly number[]) => void
}

/** A stand-in's last results may arrive this much after its time, and clocks of probes differ. */
const SLACK_MS = 30_000
/** Longer than a spool lasts: late results of a home are compared with what its stand-ins did meanwhile. */
const REMEMBERED_MS = 8 * 24 * 3_600_000
const FORGOTTEN_MS = 30 * 24 * 3_600_000

/** Keeps who runs whose scanners: decided by the engine, written before it holds, known again after a restart. */
export const createFailover = (deps: FailoverDeps): Failover => {
  const { database, model, presence, now } = deps
  let groups: readonly FailoverGroup[] = []
  let takeovers: readonly KeptTakeover[] = []
  let local: ReadonlySet<number> = new Set()
  let chain: Promise<unknown> = Promise.resolve()

  const isOnline = (probe: number): boolean => presence.state(probe) === 'online'
  const isSameMachine = (takeover: KeptTakeover): boolean => local.has(takeover.home) && local.has(takeover.runner)
  /** Whether this scanner goes with the others of its probe. */
  const moves = (takeover: KeptTakeover, scanner: ScannerEntry): boolean =>
    takeover.home === scanner.probeId && (!scanner.ownMachine || isSameMachine(takeover))
  const show = (): void => {
    model.standIns.clear()
    for (const takeover of takeovers.filter(({ untilMs }) => untilMs === null))
      model.standIns.set(takeover.home, {
        id: takeover.runner,
        name: presence.probes.get(takeover.runner)?.name ?? '',
        sinceMs: takeover.sinceMs,
        backSinceMs: takeover.backSinceMs,
        sameMachine: isSameMachine(takeover),
      })
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = chain.then(work)
    chain = done.catch(() => undefined)
    return done
  }
  const move = async (): Promise<void> => {
    const nowMs = now()
    const held = takeovers.filter(({ untilMs }) => untilMs === null)
    const wanted = groups.flatMap(({ members }) => {
      const own = held.filter(({ home }) => members.includes(home))
      return assignRunners(members, isOnline, own, nowMs, deps.giveBackAfterMs ?? GIVE_BACK_AFTER_MS)
    })
    const isHeld = (one: { home: number; runner: number }) => (other: { home: number; runner: number }) =>
      one.home === other.home && one.runner === other.runner
    const ended = held.filter(one => !wanted.some(isHeld(one)))
    const begun = wanted.filter(one => !held.some(isHeld(one)))
    const changed = wanted.flatMap(one => {
      const known = held.find(isHeld(one))
      return known === undefined || known.backSinceMs === one.backSinceMs ? [] : [{ ...known, ...one }]
    })
    if (ended.length + begun.length + changed.length === 0) return show()
    const over = ended.map(one => ({ ...one, untilMs: endOf(one, nowMs) }))
    const kept = await saveFailover(database, { ended: over, changed, begun }, nowMs - FORGOTTEN_MS)
    const next = new Map([...takeovers, ...over, ...changed, ...kept].map(one => [one.id, one]))
    takeovers = [...next.values()].filter(({ untilMs }) => untilMs === null || untilMs > nowMs - REMEMBERED_MS)
    const homes = [...new Set([...ended, ...begun].map(({ home }) => home))]
    await deps.evaluation.alone(async () => {
      show()
      listenAgain(model, new Set(homes), now())
    })
    if (homes.length > 0) deps.onMoved(homes)
  }
  /** A stand-in that fell silent covered nothing since it was last heard. */
  const endOf = ({ runner }: KeptTakeover, nowMs: number): number =>
    isOnline(runner) ? nowMs : Math.min(nowMs, presence.probes.get(runner)?.lastContactMs ?? nowMs)
  const isCovered = (scanner: ScannerEntry, atMs: number): boolean =>
    takeovers.some(one => {
      if (one.coveredFromMs === null || !moves(one, scanner)) return false
      const toMs = one.untilMs ?? presence.probes.get(one.runner)?.lastContactMs ?? 0
      return atMs >= one.coveredFromMs && atMs <= toMs
    })

  return {
    load: () =>
      inTurn(async () => {
        const read = await readFailover(database, now() - REMEMBERED_MS)
        groups = read.groups
        takeovers = read.takeovers
        local = read.local
        show()
      }),
    step: () => inTurn(move),
    claim(probeId, lane, scanner, atMs) {
      const isRunner = runnerOf(model, scanner) === probeId
      if (isRunner && (lane === 'live' || scanner.probeId !== probeId)) return 'judged'
      if (scanner.probeId === probeId) return isCovered(scanner, atMs) ? 'double' : isRunner ? 'judged' : 'kept'
      const didRun = takeovers.some(
        one =>
          one.runner === probeId &&
          moves(one, scanner) &&
          atMs >= one.sinceMs - SLACK_MS &&
          atMs <= (one.untilMs ?? Number.POSITIVE_INFINITY) + SLACK_MS,
      )
      return didRun ? 'kept' : 'foreign'
    },
    async delivered(homeIds, atMs) {
      for (const home of homeIds) {
        const first = takeovers.find(one => one.home === home && one.untilMs === null && one.coveredFromMs === null)
        if (first === undefined) continue
        takeovers = takeovers.map(one => (one === first ? { ...one, coveredFromMs: atMs } : one))
        await saveCovered(database.db, first.id, atMs)
      }
    },
    othersOf(probeId) {
      const members = groups.find(group => group.members.includes(probeId))?.members ?? []
      const rank = members.indexOf(probeId)
      return [...members.slice(rank + 1), ...members.slice(0, Math.max(0, rank))]
    },
  }
}

/** Who runs these scanners now gets its time to be heard, as after any change of probe. */
const listenAgain = (model: Model, homes: ReadonlySet<number>, nowMs: number): void => {
  for (const scanner of model.scanners.values()) {
    if (scanner.probeId === null || !homes.has(scanner.probeId)) continue
    // What stays with a silent home is not spoken for by anybody.
    if (runnerOf(model, scanner) === scanner.probeId && model.standIns.has(scanner.probeId)) continue
    scanner.heardMs = nowMs
    for (const metric of scanner.metrics.values()) metric.heardMs = nowMs
  }
}
