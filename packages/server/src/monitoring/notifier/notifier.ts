import { setImmediate } from 'node:timers/promises'
import { type Planned, planGroup, type RulePlan, type Send, type Thread } from '@narval/engine'
import type { Logger } from 'pino'
import type { Database, Db } from '../../store/database.ts'
import { enqueueDeliveries, type NewDelivery } from '../../store/deliveries.ts'
import { type People, readPeople, readRules, readSiteParents, type StoredRule } from '../../store/notification-rules.ts'
import type { Model } from '../fleet/model.ts'
import type { CausalChains } from '../incident/causal-chain.ts'
import { periodsAt, refusalsOf } from './notification-match.ts'
import { closingPlan, type NotificationSettings, planOf } from './notification-plan.ts'
import { readRecipientKey } from './notification-recipients.ts'
import { causeTexts, MAX_NAMED, messageOf, reasonText, shownOf } from './notification-text.ts'
import {
  deleteThread,
  insertThread,
  readEffects,
  readIncidents,
  readInstructions,
  readOpenIncidents,
  readThreads,
  saveThread,
  type ThreadRow,
} from './notifier.store.ts'
import { type Facts, factsOf, type InMaintenance, viewOf } from './notifier-facts.ts'
import { createReports } from './notifier-reports.ts'

export interface Notifier {
  start(): void
  /** Something changed that people may be told of: looked at now, not at the next second. */
  wake(): void
  /** Rules, people, channels or sites changed: read again before the next look. */
  forget(): void
  /** Looks once, and says what is to be said. */
  pass(): Promise<void>
  /** When the last look ended well, by the monotonic clock; null: none did yet. */
  lookedAt(): number | null
  stop(): Promise<void>
}

export interface NotifierDeps {
  readonly database: Database
  readonly model: Model
  readonly settings: () => NotificationSettings
  readonly inMaintenance: InMaintenance
  readonly chains: CausalChains
  /** Something was queued: it may be sent. */
  readonly onQueued: () => void
  /** False: another server may have the database now, nothing is decided; left out: always true. */
  readonly mayTell?: (() => boolean) | undefined
  readonly now: () => number
  readonly log: Logger
}

const EVERY_MS = 1_000
/** After a look that took long, as many times that long is left to the others. */
const SHARE = 20
/** What another process, or a forgotten event, changed is seen after so long. */
const KNOWN_MS = 10_000

interface Known {
  readonly rules: readonly StoredRule[]
  readonly people: People
  readonly siteParents: ReadonlyMap<number, number | null>
  readonly atMs: number
}

/** Tells people what rules say: each second it compares what was told with what is. */
export const createNotifier = (deps: NotifierDeps): Notifier => {
  const { database, now, log } = deps
  const tellReports = createReports(deps)
  let known: Known | null = null
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let isStopped = true
  /** Before it nobody's call brings the next look forward. */
  let restUntilMs = 0
  let isWanted = false
  let lookedAt: number | null = null

  const read = async (): Promise<Known> => {
    const { db } = database
    if (known !== null && Math.abs(now() - known.atMs) < KNOWN_MS) return known
    const atMs = now()
    const [rules, people, siteParents] = [await readRules(db), await readPeople(db), await readSiteParents(db)]
    known = { rules, people, siteParents, atMs }
    return known
  }
  const pass = (): Promise<void> => {
    running = running
      .catch(() => undefined)
      .then(async () => {
        if (deps.mayTell?.() === false) return
        const current = await read()
        await look(deps, current)
        if (current.rules.length > 0) await tellReports(current, now())
        lookedAt = performance.now()
      })
    return running
  }
  const schedule = (delayMs: number): void => {
    if (isStopped) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(async () => {
      const before = performance.now()
      // What wakes it meanwhile waits for its end: looks never follow one another without rest.
      restUntilMs = Number.POSITIVE_INFINITY
      isWanted = false
      await pass().catch(error => log.error({ err: error }, 'notifications were not decided'))
      const restMs = (performance.now() - before) * SHARE
      restUntilMs = performance.now() + restMs
      schedule(isWanted ? restMs : Math.max(EVERY_MS, restMs))
    }, delayMs)
  }
  return {
    pass,
    start() {
      isStopped = false
      schedule(EVERY_MS)
    },
    wake() {
      isWanted = true
      if (Number.isFinite(restUntilMs)) schedule(Math.max(0, restUntilMs - performance.now()))
    },
    forget() {
      known = null
    },
    lookedAt: () => lookedAt,
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await running.catch(() => undefined)
    },
  }
}

/** One look at all that goes on and at all that was told. */
const look = async (deps: NotifierDeps, known: Known): Promise<void> => {
  const { db } = deps.database
  const threads = await readThreads(db)
  if (known.rules.length + threads.length === 0) return
  const open = await readOpenIncidents(db)
  if (open.length + threads.length === 0) return
  const isOpen = new Set(open.map(({ id }) => id))
  const followed = threads.flatMap(({ thread }) => [...thread.incidents.map(({ id }) => id), ...thread.past])
  const gone = await readIncidents(db, [...new Set(followed.filter(id => !isOpen.has(id)))])
  const nowMs = deps.now()
  const facts = factsOf(deps.model, [...open, ...gone], await readEffects(db), deps.inMaintenance, nowMs)
  const covered = coverage(known, facts, nowMs)
  const byRule = Map.groupBy(threads, ({ ruleId }) => ruleId ?? 0)
  for (const rule of known.rules) {
    const own = byRule.get(rule.id) ?? []
    byRule.delete(rule.id)
    const period = covered.get(rule.id)
    if (own.length === 0 && (period === undefined || period.ids.size === 0)) continue
    const plan = rule.enabled
      ? planOf(rule, known.people, deps.settings(), { open: period?.inside ?? false })
      : closingPlan(rule.tellRecovery)
    await tellSafely({ deps, facts, plan, rule, threads: own, covered: period?.ids ?? new Set(), nowMs })
    await setImmediate()
  }
  for (const orphans of byRule.values())
    for (const thread of orphans)
      await tellSafely({
        ...{ deps, facts, rule: null, threads: [thread], covered: new Set<number>(), nowMs },
        plan: closingPlan(thread.tellRecovery),
      })
}

/** What each rule is about now, by id: a rule that stops keeps what it takes from those after it. */
const coverage = ({ rules, siteParents }: Known, facts: ReadonlyMap<number, Facts>, nowMs: number) => {
  const periods = periodsAt(rules, nowMs)
  const found = new Map(
    rules.map(({ id }) => [id, { inside: periods.get(id)?.inside ?? false, ids: new Set<number>() }]),
  )
  for (const { id, subjects, severity, row, muted } of facts.values()) {
    if (row.closed_at !== null || muted) continue
    for (const rule of rules) {
      const period = periods.get(rule.id)
      if (period === undefined || refusalsOf(rule, subjects, severity, siteParents, period).length > 0) continue
      found.get(rule.id)?.ids.add(id)
      if (rule.stop) break
    }
  }
  return found
}

interface Turn {
  readonly deps: NotifierDeps
  readonly facts: ReadonlyMap<number, Facts>
  readonly plan: RulePlan
  /** Null: it was deleted. */
  readonly rule: StoredRule | null
  readonly threads: readonly ThreadRow[]
  readonly covered: ReadonlySet<number>
  readonly nowMs: number
}

interface Outcome {
  readonly row: ThreadRow | null
  readonly siteId: number
  readonly planned: Planned
}

/** What one rule can not tell keeps no other from telling; the next look tries again. */
const tellSafely = (turn: Turn): Promise<void> =>
  tellOf(turn).catch(error => turn.deps.log.error({ err: error, rule: turn.rule?.id ?? null }, 'a rule could not tell'))

/** Plans all conversations of one rule and writes what came of it, with what is to be sent, in one transaction. */
const tellOf = async (turn: Turn): Promise<void> => {
  const { deps, nowMs } = turn
  const outcomes = planSites(turn).filter(
    ({ row, planned: { thread, sends } }) =>
      sends.length > 0 || (row?.state ?? 'null') !== JSON.stringify(thread?.ended === true ? null : thread),
  )
  if (outcomes.length === 0) return
  await deps.database.db.transaction().execute(async trx => {
    for (const outcome of outcomes) {
      const id = await saveOutcome(trx, turn, outcome)
      for (const send of outcome.planned.sends)
        await enqueueDeliveries(trx, await deliveriesOf(trx, turn, outcome, { id, send }), nowMs)
    }
  })
  if (outcomes.some(({ planned }) => planned.sends.length > 0)) deps.onQueued()
}

const planSites = ({ facts, plan, threads, covered, nowMs }: Turn): Outcome[] => {
  const followed = new Map(threads.flatMap(row => row.thread.incidents.map(({ id }) => [id, row.siteId] as const)))
  const sites = new Map<number, Facts[]>(threads.map(({ siteId }) => [siteId, []]))
  // What ended and came back is not told among what ended.
  const back = threads.flatMap(({ thread }) => thread.past).filter(id => facts.get(id)?.row.closed_at === null)
  for (const id of new Set([...followed.keys(), ...back, ...covered])) {
    const one = facts.get(id)
    if (one === undefined) continue
    const siteId = followed.get(id) ?? one.siteId ?? 0
    const group = sites.get(siteId)
    if (group === undefined) sites.set(siteId, [one])
    else group.push(one)
  }
  return [...sites].flatMap(([siteId, group]) => {
    const own = threads.filter(row => row.siteId === siteId)
    const views = group.map(one => viewOf(one, covered.has(one.id)))
    return planGroup(
      own.map(({ thread }) => thread),
      views,
      plan,
      nowMs,
    ).map((planned, index) => ({ row: own[index] ?? null, siteId, planned }))
  })
}

/** @returns the id of the conversation; what is over is forgotten, what was sent of it stays among the deliveries. */
const saveOutcome = async (trx: Db, { rule, nowMs }: Turn, { row, siteId, planned }: Outcome): Promise<number> => {
  const { thread, sends } = planned
  if (row !== null) {
    if (thread === null || thread.ended) await deleteThread(trx, row.id)
    else await saveThread(trx, row.id, JSON.stringify(thread), nowMs)
    return row.id
  }
  if (rule === null || (thread === null && sends.length === 0)) return 0
  const of = { ruleId: rule.id, ruleName: rule.name, tellRecovery: rule.tellRecovery, siteId }
  return insertThread(trx, of, JSON.stringify(thread), nowMs)
}

/** Of the first incident: it is the one that explains the others. */
const chainOf = ({ chains }: NotifierDeps, { row, metric }: Facts): string[] => {
  const links =
    metric !== null
      ? chains.ofMetric(metric)
      : row.probe_id === null
        ? []
        : chains.ofProbe(row.probe_id, row.kind === 'link', row.id)
  return causeTexts(links)
}

const deliveriesOf = async (
  trx: Db,
  turn: Turn,
  outcome: Outcome,
  { id: threadId, send }: { readonly id: number; readonly send: Send },
): Promise<NewDelivery[]> => {
  const { deps, facts, rule, nowMs } = turn
  const named = shownOf(send, facts).slice(0, MAX_NAMED)
  const instructions = await readInstructions(
    trx,
    [...new Set(named.flatMap(({ host }) => host?.id ?? []))],
    [...new Set(named.flatMap(({ siteId }) => siteId ?? []))],
  )
  const timeZone = rule?.period.timeZone ?? 'Europe/Paris'
  const first = named.find(({ row }) => row.closed_at === null)
  const told = outcome.planned.thread?.incidents.flatMap(one => (one.said === null ? [] : one.id)) ?? []
  const chains = new Map(first === undefined ? [] : [[first.id, chainOf(deps, first)]])
  const context = { facts, instructions, chains, timeZone, ended: endedOf(outcome, send), told }
  const message = messageOf(send, context, nowMs)
  const ruleName = rule?.name ?? outcome.row?.ruleName ?? ''
  return send.recipients.map(({ key, step }) => ({
    ...{ key: `thread-${threadId}-${send.sequence}-${key.replace(':', '-')}`, ...readRecipientKey(key) },
    ...{ incidentId: message.incidents[0]?.id ?? null, ruleId: rule?.id ?? null, ruleName, message, dueMs: nowMs },
    reason: reasonText(send.kind, ruleName, step, rule?.steps[step]?.afterMinutes ?? null),
  }))
}

const endedOf = ({ row }: Outcome, send: Send): number => {
  const thread: Thread | undefined = row?.thread
  return send.recovered.length + (thread?.pastCount ?? 0)
}
