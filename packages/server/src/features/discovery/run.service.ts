import {
  type AddressInterval,
  countAddresses,
  type DiscoveredPart,
  type DiscoveryRun,
  type DiscoveryRunState,
  formatAddress,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { conflict, forbidden, notFound } from '../../http/refusal.ts'
import { siteCredential } from '../../monitoring/check-credentials.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { AssignProbe, LongOrder, OrderOutcome } from '../../monitoring/probe/probe-orders.ts'
import type { SecretBox } from '../../secret-box.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { SiteProbes } from '../../store/site-probe.ts'
import { transaction } from '../../store/transaction.ts'
import { keyOf } from './finding.store.ts'
import { writePart } from './part-writer.ts'
import { inputOf, intervalsOf, type RangeRow, readRanges, toRun } from './range.store.ts'
import { createRunBook } from './run-book.ts'
import { settleRun } from './run-end.ts'
import { lieOf, troubleOf } from './run-rules.ts'
import { texts } from './texts.ts'

export interface RunDeps {
  readonly database: Database
  readonly now: () => number
  readonly monitoring: Monitoring
  readonly secrets: SecretBox
  readonly siteProbes: SiteProbes
  readonly assign: AssignProbe
  readonly log: Logger
}

/** How often runs are looked after. */
export const RUN_TICK_MS = 5_000
/** Ticks without a word before a run is given up: a minute, however long the server itself was stopped (R24). */
const QUIET_TICKS = 12
/** A probe that is there fetches an order within a second. */
const ORDER_LIFE_MS = 60_000
/** How often a probe that says to be busy is asked again. */
const BUSY_RETRIES = 12
/** Beside the time that the rate asks for: an address that answers nothing takes this long, beside many others. */
const PER_ADDRESS_MS = 400
const SPARE_MS = 10 * 60_000

/** A run that is under way, or waits for its probe. */
interface Active {
  readonly runId: number
  readonly rangeId: number
  readonly probeId: number
  readonly intervals: readonly AddressInterval[]
  readonly total: number
  readonly found: Set<string>
  order: LongOrder | null
  part: number
  done: number
  quietTicks: number
  retries: number
  begun: boolean
  over: boolean
  gateway: string | null
  /** Parts one after the other, whatever the probe does. */
  queue: Promise<void>
}

/** Leads runs: one at a time on each probe, each part judged before it is believed. */
export const createRunService = (deps: RunDeps) => {
  const { database, now, monitoring, log } = deps
  const { db } = database
  const book = createRunBook(database, now)
  const active = new Map<number, Active>()

  const probeOf = async (row: RangeRow) => {
    const probeId = row.probe_id ?? (await deps.siteProbes.all()).get(row.site_id)?.probeId ?? null
    if (probeId === null) return null
    const probe = await db
      .selectFrom('probe')
      .select(['id', 'name', 'approval', 'local'])
      .where('id', '=', probeId)
      .executeTakeFirst()
    return probe ?? null
  }
  const end = async (run: Active, state: DiscoveryRunState, error: string, notes: readonly string[] = []) => {
    if (run.over) return
    run.over = true
    active.delete(run.runId)
    await book.ended(run.runId, state, error, notes)
    void dispatch(run.probeId)
  }
  /** Gives up: the probe is told to stop. */
  const giveUp = async (run: Active, state: DiscoveryRunState, error: string): Promise<void> => {
    run.order?.end()
    await end(run, state, error)
  }
  /** Sends the oldest run that waits for this probe, unless one is under way there. */
  const dispatch = async (probeId: number): Promise<void> => {
    const own = [...active.values()].filter(run => run.probeId === probeId && !run.over)
    const next = own.find(run => run.order === null)
    if (next === undefined || own.some(run => run.order !== null)) return
    const placeholder: LongOrder = { withdraw: () => undefined, end: () => undefined, over: () => undefined }
    next.order = placeholder
    next.quietTicks = 0
    try {
      const order = await orderOf(next)
      if (order === null) return await end(next, 'failed', texts.rangeGone)
      next.order = await deps.assign(probeId, order, {
        lifeMs: ORDER_LIFE_MS,
        onAnswer: outcome => inTurn(next, outcome),
      })
      if (next.over) next.order.end()
    } catch (err) {
      log.error({ err, run: next.runId }, 'discovery not sent')
      await end(next, 'failed', texts.fault)
    }
  }
  const orderOf = async (run: Active) => {
    const [row] = await readRanges(db, run.rangeId)
    const probe = row === undefined ? null : await probeOf(row)
    if (row === undefined || probe === null) return null
    const { methods, ports, rate } = inputOf(row)
    const credential = methods.includes('snmp')
      ? { credential: await siteCredential(db, deps.secrets, 'snmp', row.site_id) }
      : {}
    return {
      kind: 'discover' as const,
      task: {
        intervals: run.intervals.map(({ family, from, to }) => ({
          from: formatAddress(family, from),
          to: formatAddress(family, to),
        })),
        ...{ rate, methods, ports: methods.includes('ports') ? ports : [] },
        // Only the local probe may look at its own machine (S47).
        loopback: probe.local === 1,
        limitMs: SPARE_MS + run.total * (1_000 / rate + PER_ADDRESS_MS),
      },
      ...credential,
    }
  }
  const inTurn = (run: Active, outcome: OrderOutcome): Promise<void> => {
    const taken = run.queue.then(() => take(run, outcome))
    run.queue = taken.catch(() => undefined)
    return taken
  }
  const take = async (run: Active, outcome: OrderOutcome): Promise<void> => {
    if (run.over) throw conflict(texts.over)
    run.quietTicks = 0
    if (outcome.kind === 'refused') return refused(run, outcome.message)
    if (outcome.kind !== 'discovered') return void (await lied(run, texts.wrongAnswer))
    // It was taken already, and the answer to that was lost.
    if (outcome.part === run.part) return
    const lie = lieOf(run, outcome)
    if (lie !== null) return lied(run, lie)
    await write(run, outcome)
    if (outcome.last) await finish(run, outcome)
  }
  const refused = async (run: Active, message: string): Promise<void> => {
    run.order?.over()
    run.order = null
    run.retries += 1
    // It leads another one still, which it is about to give up.
    if (run.retries > BUSY_RETRIES) await end(run, 'failed', message)
  }
  const lied = async (run: Active, why: string): Promise<never> => {
    log.warn({ probe: run.probeId, run: run.runId }, 'a probe answered a discovery wrongly')
    await audit(
      db,
      {
        action: 'discovery-run',
        outcome: 'refused',
        actor: null,
        object: `probe ${run.probeId}`,
        detail: { run: run.runId, why },
      },
      now(),
    )
    await giveUp(run, 'failed', why)
    throw forbidden(why)
  }
  const write = async (run: Active, part: DiscoveredPart): Promise<void> => {
    const isFirst = !run.begun
    if (isFirst) {
      run.begun = true
      run.order?.withdraw()
      await book.begun(run.runId)
    }
    const [row] = await readRanges(db, run.rangeId)
    if (row === undefined) return void (await giveUp(run, 'failed', texts.rangeGone))
    const about = {
      runId: run.runId,
      rangeId: run.rangeId,
      siteId: row.site_id,
      ports: inputOf(row).methods.includes('ports'),
    }
    await transaction(db, async trx => {
      const { added, changed } = await writePart(trx, part.found, about, now())
      await trx
        .updateTable('discovery_run')
        .set({
          ...{ done: part.done, found: run.found.size + part.found.length },
          ...{ added: sql<number>`added + ${added}`, changed: sql<number>`changed + ${changed}` },
        })
        .where('id', '=', run.runId)
        .execute()
    })
    for (const { address } of part.found) run.found.add(keyOf(address))
    run.part = part.part
    run.done = part.done
    run.gateway = part.gateway ?? run.gateway
  }
  const finish = async (run: Active, { failure, notes }: DiscoveredPart): Promise<void> => {
    run.order?.over()
    if (failure !== null) return end(run, failure.state, failure.message, notes)
    await transaction(db, async trx => {
      const { vanished, changed } = await settleRun(trx, run, run.intervals, now())
      await trx
        .updateTable('discovery_run')
        .set({ vanished, changed: sql<number>`changed + ${changed}` })
        .where('id', '=', run.runId)
        .execute()
    })
    await end(run, 'done', '', notes)
  }
  const activeOf = (rangeId: number): Active | undefined => [...active.values()].find(run => run.rangeId === rangeId)

  return {
    book,
    underWay: () => active.size,
    /** Starts a run; one that can not be is told as such when nobody waits for it (`by` null), and refused otherwise. */
    async start(rangeId: number, by: string | null): Promise<DiscoveryRun> {
      const [row] = await readRanges(db, rangeId)
      if (row === undefined) throw notFound(texts.noRange)
      if (activeOf(rangeId) !== undefined) throw conflict(texts.underWay)
      const probe = await probeOf(row)
      const intervals = intervalsOf(row)
      const total = countAddresses(intervals)
      const trouble = troubleOf(probe, intervals, id => monitoring.presence.state(id) === 'online')
      if (trouble !== null && by !== null) throw conflict(trouble)
      const about = { rangeId, probeId: probe?.id ?? null, probeName: probe?.name ?? '', total, startedBy: by }
      const opened = await book.open(about)
      if (by !== null)
        await audit(
          db,
          {
            action: 'discovery-run',
            outcome: 'success',
            actor: by,
            object: `discovery-range ${rangeId}`,
            detail: { name: row.name },
          },
          now(),
        )
      if (trouble !== null || probe === null) {
        await book.ended(opened.id, 'failed', trouble ?? texts.noProbe)
        return toRun(opened)
      }
      active.set(opened.id, {
        ...{ runId: opened.id, rangeId, probeId: probe.id, intervals, total, found: new Set<string>() },
        ...{ order: null, part: 0, done: 0, quietTicks: 0, retries: 0, begun: false, over: false, gateway: null },
        queue: Promise.resolve(),
      })
      await dispatch(probe.id)
      return toRun(opened)
    },
    async cancel(runId: number, by: string): Promise<DiscoveryRun> {
      const run = active.get(runId)
      if (run !== undefined) await giveUp(run, 'cancelled', texts.cancelledBy(by))
      const told = await book.get(runId)
      if (told === null) throw notFound(texts.noRun)
      if (run === undefined) throw conflict(texts.notUnderWay)
      return told
    },
    /** The range goes: nothing of it is to be asked any more. */
    async drop(rangeId: number): Promise<void> {
      const run = activeOf(rangeId)
      if (run !== undefined) await giveUp(run, 'cancelled', texts.rangeGone)
    },
    isActive: (rangeId: number): boolean => activeOf(rangeId) !== undefined,
    /** To be called every `RUN_TICK_MS`. */
    async tick(): Promise<void> {
      for (const run of [...active.values()]) {
        if (run.order === null) {
          await dispatch(run.probeId)
          continue
        }
        run.quietTicks += 1
        if (run.quietTicks <= QUIET_TICKS) continue
        if (run.begun) await giveUp(run, 'interrupted', texts.silent)
        else await giveUp(run, 'failed', texts.neverBegun)
      }
    },
  }
}
export type RunService = ReturnType<typeof createRunService>
