import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { createTurns, type Turn } from '../../turns.ts'
import type { HostEntry, Model } from '../fleet/model.ts'
import type { Effects } from '../judge-metric.ts'
import { readPosition, savePosition } from '../monitoring.store.ts'
import {
  changesOf,
  codeOf,
  flaps,
  hostChangesOf,
  hostCode,
  hostRow,
  type Move,
  metricRow,
  rankNow,
  rankOf,
} from './changes.ts'
import {
  type HostChangeRow,
  lastHostChanges,
  lastMetricChanges,
  type MetricChangeRow,
  metricChanges,
  pruneStateHistory,
  saveHostChanges,
  saveMetricChanges,
  saveStatusHour,
} from './history.store.ts'
import { createHourLedger, HOUR_MS, type HourLedger, hourOf, type LedgerHour } from './hour-ledger.ts'
import { createKnown } from './known.ts'
import { createServerRuns } from './server-runs.ts'

/** What a transaction wrote; the history has it once it is committed. */
export interface Noted {
  readonly moves: readonly Move[]
  /** State of each host by its code. */
  readonly hosts: ReadonlyMap<number, number>
}

/**
 * What states there were. Metrics and hosts have a row for each change, written in the transaction of the states
 * themselves; hours are counted from the very same changes in memory, and written when they are over.
 */
export interface StateHistory {
  /** Counts on from where the last start ended; what was read before it is the beginning. */
  start(): Promise<void>
  /** Writes what an evaluation confirmed; `exists`: a deletion may have crossed it. */
  write(
    trx: Db,
    effects: Effects,
    hosts: readonly HostEntry[],
    exists: ReadonlySet<number>,
    nowMs: number,
    turn?: Turn,
  ): Promise<Noted>
  /** What `write` wrote is committed. */
  committed(noted: Noted): void
  /** The fleet was read again, or these hosts: what counts now, or no more. Nothing may be judged meanwhile. */
  settle(hostIds: readonly number[] | null): Promise<void>
  /** The hours that are not written yet, the newest first. */
  openHours(): LedgerHour[]
  /** Changes with each row that is written: what was read before may be another one. */
  version(): number
  /** The server lives; hours that are over are written. Done every minute. */
  beat(): Promise<void>
  prune(days: number): Promise<void>
  stop(): Promise<void>
}

export interface StateHistoryDeps {
  readonly database: Database
  readonly model: Model
  readonly now: () => number
  readonly log: Logger
  /** Runs something between two evaluations. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
}

const BEAT_MS = 60_000
/** What changed in an hour may be committed a little after its end. */
const CLOSED_AFTER_MS = 60_000
/** Rows that the first look after a start compares at once. */
const COMPARED = 1_000
const POSITION = 'status-hour'

export const createStateHistory = (deps: StateHistoryDeps): StateHistory => {
  const { database, model, now, log } = deps
  const { db } = database
  const runs = createServerRuns(db, now)
  const known = createKnown()
  let ledger: HourLedger = createHourLedger(hourOf(now()), runs.watched)
  let isStarted = false
  let version = 0
  let timer: NodeJS.Timeout | null = null
  let comparing: Promise<void> = Promise.resolve()
  let stopped = false

  /** Takes into account what is committed. */
  const apply = ({ id, hostId, siteId, before, after, atMs }: Move): void => {
    ledger.move(siteId, before, after, Math.min(atMs, now()))
    ledger.count(siteId, before, -1)
    ledger.count(siteId, after, 1)
    known.setMetric(id, hostId, codeOf(after))
  }
  const committed = ({ moves, hosts }: Noted): void => {
    if (moves.length + hosts.size === 0) return
    runs.alive()
    for (const move of moves) apply(move)
    for (const [id, code] of hosts) known.setHost(id, code)
    version += 1
  }

  /** A first reading is what the history begins with: nothing is written. */
  const adopt = (): void => {
    for (const metric of model.metrics.values()) {
      const rank = rankNow(metric)
      ledger.count(metric.scanner.host.site.id, rank, 1)
      known.setMetric(metric.id, metric.scanner.host.id, codeOf(rank))
    }
    for (const host of model.hosts.values()) {
      known.setHost(host.id, hostCode(host))
      known.setSite(host.id, host.site.id)
    }
  }

  /** Hours that the last run of the server left open. */
  const recount = async (): Promise<void> => {
    for await (const rows of metricChanges(db, ledger.openFrom(), Number.MAX_SAFE_INTEGER))
      for (const { metric_id, at, before_rank, severity_rank } of rows) {
        const metric = model.metrics.get(metric_id)
        if (metric !== undefined)
          ledger.move(metric.scanner.host.site.id, before_rank, severity_rank, Math.min(at, now()))
      }
  }

  const closeHours = async (): Promise<void> => {
    const nowMs = now()
    const over = ledger.hours(nowMs).filter(({ at }) => at + HOUR_MS + CLOSED_AFTER_MS <= nowMs)
    const last = over[0]
    if (last === undefined) return
    const untilMs = last.at + HOUR_MS
    await db.transaction().execute(async trx => {
      for (const hour of over) await saveStatusHour(trx, hour.at, hour.sites)
      await savePosition(trx, POSITION, untilMs)
    })
    ledger.close(untilMs)
    version += 1
  }

  const settleMetrics = (
    hostIds: readonly number[] | null,
    nowMs: number,
  ): { rows: MetricChangeRow[]; moves: Move[] } => {
    const rows: MetricChangeRow[] = []
    const moves: Move[] = []
    for (const id of known.metricsOf(model, hostIds)) {
      const metric = model.metrics.get(id)
      const before = rankOf(known.metric(id))
      const oldHost = known.hostOf(id)
      const oldSite = known.siteOf(oldHost)
      const siteId = metric?.scanner.host.site.id ?? oldSite
      const hostId = metric?.scanner.host.id ?? oldHost
      const after = metric === undefined ? null : rankNow(metric)
      if (before === after && (siteId === oldSite || after === null)) continue
      const atMs = Math.max(nowMs, metric?.state.hardSinceMs ?? 0)
      // What moves to another site leaves one and comes to the other.
      if (siteId !== oldSite && before !== null) {
        moves.push({ id, hostId, siteId: oldSite, before, after: null, atMs })
        moves.push({ id, hostId, siteId, before: null, after, atMs })
      } else moves.push({ id, hostId, siteId, before, after, atMs })
      if (metric !== undefined && before !== after)
        rows.push(metricRow(id, atMs, before, after, metric.state.hardCause))
    }
    return { rows, moves }
  }

  const settleHosts = (hostIds: readonly number[] | null, nowMs: number) => {
    const rows: HostChangeRow[] = []
    const hosts = new Map<number, number>()
    for (const id of hostIds ?? model.hosts.keys()) {
      const host = model.hosts.get(id)
      if (host === undefined || known.host(id) !== 0) continue
      rows.push(hostRow(id, Math.max(host.sinceMs, host.createdMs, nowMs), host.state, flaps(host)))
      hosts.set(id, hostCode(host))
    }
    return { rows, hosts }
  }

  const settle = async (hostIds: readonly number[] | null): Promise<void> => {
    if (!isStarted) return
    const nowMs = now()
    const metrics = settleMetrics(hostIds, nowMs)
    const hosts = settleHosts(hostIds, nowMs)
    if (metrics.rows.length + hosts.rows.length > 0)
      await db.transaction().execute(async trx => {
        const turn = createTurns()
        await saveMetricChanges(trx, metrics.rows, turn)
        await saveHostChanges(trx, hosts.rows, turn)
      })
    committed({ moves: metrics.moves, hosts: hosts.hosts })
    for (const id of hostIds ?? model.hosts.keys()) {
      const host = model.hosts.get(id)
      if (host !== undefined) known.setSite(id, host.site.id)
    }
  }

  /** A server that was killed between a change of an object and what it means here left a row out. */
  const compare = async (): Promise<void> => {
    for (const ids of batches([...model.metrics.keys()], COMPARED)) {
      if (stopped) return
      await deps.alone(() => compareMetrics(ids))
      await setImmediate()
    }
    for (const ids of batches([...model.hosts.keys()], COMPARED)) {
      if (stopped) return
      await deps.alone(() => compareHosts(ids))
    }
  }
  const compareMetrics = async (ids: readonly number[]): Promise<void> => {
    const last = await lastMetricChanges(db, ids)
    const nowMs = now()
    const rows = ids.flatMap(id => {
      const metric = model.metrics.get(id)
      const [before, after] = [last.get(id) ?? null, rankOf(known.metric(id))]
      if (metric === undefined || before === after) return []
      return metricRow(id, Math.max(nowMs, metric.state.hardSinceMs), before, after, metric.state.hardCause)
    })
    if (rows.length === 0) return
    await saveMetricChanges(db, rows, createTurns())
    version += 1
    for (const row of rows) {
      const metric = model.metrics.get(row.metric_id)
      if (metric !== undefined) ledger.move(metric.scanner.host.site.id, row.before_rank, row.severity_rank, nowMs)
    }
  }
  const compareHosts = async (ids: readonly number[]): Promise<void> => {
    const last = await lastHostChanges(db, ids)
    const rows = ids.flatMap(id => {
      const host = model.hosts.get(id)
      const row = last.get(id)
      const isSame = row?.state === host?.state && row?.flapping === Number(host !== undefined && flaps(host))
      return host === undefined || isSame ? [] : hostRow(id, Math.max(now(), host.sinceMs), host.state, flaps(host))
    })
    await saveHostChanges(db, rows, createTurns())
  }

  const beat = async (): Promise<void> => {
    await runs.save()
    await closeHours()
  }

  return {
    async start() {
      await runs.begin()
      const position = await readPosition(db, POSITION)
      const nowHour = hourOf(now())
      ledger = createHourLedger(position === 0 ? nowHour : Math.min(position, nowHour), runs.watched)
      await runs.read(ledger.openFrom())
      adopt()
      await recount()
      isStarted = true
      comparing = compare().catch(error => log.error({ err: error }, 'history of states not compared'))
      timer = setInterval(() => {
        void beat().catch(error => log.error({ err: error }, 'hours of states not written'))
      }, BEAT_MS)
    },
    async write(trx, effects, hosts, exists, nowMs, turn = createTurns()) {
      const { rows, moves } = await changesOf(effects, exists, known, turn)
      const written = await hostChangesOf(effects, hosts, known, nowMs, turn)
      await saveMetricChanges(trx, rows, turn)
      await saveHostChanges(trx, written.rows, turn)
      return { moves, hosts: written.hosts }
    },
    committed,
    settle,
    openHours() {
      runs.alive()
      return ledger.hours(now())
    },
    version: () => version,
    beat,
    prune: days => pruneStateHistory(db, now() - days * 86_400_000),
    async stop() {
      if (stopped) return
      stopped = true
      if (timer !== null) clearInterval(timer)
      await comparing
      if (isStarted) await beat()
    },
  }
}
