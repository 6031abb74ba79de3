import { randomBytes } from 'node:crypto'
import type { CheckResult } from '@narval/contracts'
import { isBacklog } from '@narval/engine'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliveries, HOSTS, type Lane, type Outcome, type Plan, type Planned, plans } from '../testing/delivery-plan.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { enrolTestProbe } from '../testing/test-probe.ts'

/**
 * R08 through ingest, journal, evaluation and commit. What is equal: states, hosts, incidents with their timelines and the
 * outbox, to those of a run that gets, at the same instants, each result that was news on arrival once and nothing else.
 * News is a result of the live lane, younger than all of its scanner so far and no backlog; where no scanner's results
 * overtake one another, that is all of them. Charts hold every result that was ever delivered, once. What is not equal:
 * the chain kept with a line, which is what was known when it was written, links, which bear ids, the
 * memory of changes in rows, which is written with the next change (in memory it is equal), and
 * since when a host is as it is, where results of one instant, judged apart, change it and change it back.
 */
const SEEDS = 1_000
/** So many of them go on at the same time, each with a probe and two hosts of its own: their batches share commits. */
const AT_ONCE = 20
const STEP_MS = 20_000
const START_MS = Date.parse('2026-11-20T08:00:00Z')
/** Seeds are this far apart on the clock, so that their charts do not touch. */
const SEED_MS = 20 * 60_000

/** What one probe does: the scanners of its hosts, a ping and a tcp each. */
interface Part {
  readonly probeId: number
  readonly scanners: readonly number[]
}
interface Fleet {
  readonly test: TestApp
  readonly parts: readonly Part[]
  readonly metrics: readonly number[]
  nowMs: number
}
/** Nobody looks for silence meanwhile: that is no matter of batches. */
const NO_SILENCE = { passEveryMs: 2 ** 31 - 1, silentAfterMs: 60_000, giveBackAfterMs: 60_000 }
const openFleet = async (): Promise<Fleet> => {
  const held = { nowMs: START_MS }
  const now = () => held.nowMs
  const test = await createTestApp({ now, timing: NO_SILENCE })
  const admin = await test.admin()
  const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
  const parts: Part[] = []
  for (let n = 0; n < AT_ONCE; n += 1) {
    const { id: probeId } = await enrolTestProbe(test, now, { name: `Sonde ${n}` })
    const scanners: number[] = []
    for (let h = 0; h < HOSTS; h += 1) {
      const body = { name: `srv-${n}-${h}`, address: '192.0.2.1', siteId: site.id, probeId }
      const { id: hostId } = await admin.make('/api/Host/Create', body)
      const [ping] = (await admin.call('GET', `/api/Scanner/Get?host=${hostId}`)).body
      const tcp = { name: 'SSH', kind: 'tcp', hostId, intervalSeconds: 20, attempts: 2, parameters: { port: 22 } }
      scanners.push(ping.id, (await admin.make('/api/Scanner/Create', tcp)).id)
    }
    parts.push({ probeId, scanners })
  }
  const metrics = [...test.app.monitoring.model.metrics.values()]
  for (const { id, key } of metrics) {
    if (key !== 'connect_time') continue
    const { name, updatedAt } = (await admin.call('GET', `/api/Metric/Get/${id}`)).body
    const thresholds = { warningHigh: 100, errorHigh: 200 }
    const { status } = await admin.call('PUT', `/api/Metric/Update/${id}`, { name, thresholds, updatedAt })
    expect(status).toBe(200)
  }
  return Object.assign(held, { test, parts, metrics: metrics.map(({ id }) => id).toSorted() })
}

/** As if nothing had ever been measured. */
const forgetAll = async ({ test }: Fleet): Promise<void> => {
  const { model, evaluation, reload } = test.app.monitoring
  await evaluation.idle()
  for (const table of ['incident_event', 'incident_effect', 'metric_state', 'incident', 'outbox'] as const)
    await test.database.db.deleteFrom(table).execute()
  await test.database.db.updateTable('host').set({ state: 'pending', severity_rank: 2, state_since: 0 }).execute()
  model.hosts.clear()
  model.scanners.clear()
  model.metrics.clear()
  await reload()
}

let mangled: Fleet
let orderly: Fleet
beforeAll(async () => {
  mangled = await openFleet()
  orderly = await openFleet()
}, 60_000)
afterAll(() => Promise.all([mangled, orderly].map(fleet => fleet?.test.close())))

const VALUES: Readonly<Record<Outcome, number>> = { good: 20, slow: 150, slower: 250, failed: 0 }
const resultOf = ({ scanners }: Part, one: Planned, startMs: number): CheckResult => {
  const isPing = one.scanner % 2 === 0
  const failed = one.outcome === 'failed'
  const values: Record<string, number> = failed ? {} : { [isPing ? 'rtt_avg' : 'connect_time']: VALUES[one.outcome] }
  return {
    scanner: scanners[one.scanner] ?? 0,
    at: startMs + one.step * STEP_MS,
    durationMs: 1,
    failure: failed ? { code: 'timeout', message: `délai dépassé, mesure ${one.step}` } : null,
    values,
  }
}

/** Between two checks of everything. */
const arrivalOf = (startMs: number, instant: number): number => startMs + instant * STEP_MS + STEP_MS / 2

/** Of each instant, what was news, by host. */
const newsOf = (
  { test }: Fleet,
  { scanners }: Part,
  instants: readonly (readonly Planned[])[],
  startMs: number,
): Planned[][] => {
  const intervals = scanners.map(id => test.app.monitoring.model.scanners.get(id)?.intervalMs ?? 0)
  const last = new Map<number, number>()
  return instants.map((each, instant) => {
    const arrivedMs = arrivalOf(startMs, instant)
    const news = each.filter(({ scanner, step, lane }) => {
      const isNews = lane === 'live' && step > (last.get(scanner) ?? -1)
      if (!isNews || isBacklog(startMs + step * STEP_MS, arrivedMs, intervals[scanner] ?? 0)) return false
      last.set(scanner, step)
      return true
    })
    return news.toSorted((a, b) => (a.scanner >> 1) - (b.scanner >> 1))
  })
}

const accept = (
  fleet: Fleet,
  { probeId }: Part,
  bootId: string,
  lane: Lane,
  sequence: number,
  results: readonly CheckResult[],
) =>
  fleet.test.app.monitoring.ingest.accept(
    probeId,
    { bootId, lane, sequence, sentAt: fleet.nowMs, results: [...results] },
    fleet.nowMs,
  )

/** What a probe delivers at an instant. */
type Deliver = (instant: number) => Promise<void>

/** Cut anywhere, sent again whenever. */
const mangledBy = (fleet: Fleet, part: Part, plan: Plan, startMs: number, onResend: () => void): Deliver => {
  const instants = deliveries(plan)
  const bootId = randomBytes(16).toString('hex')
  const sent: { lane: Lane; sequence: number; results: CheckResult[] }[] = []
  const sequences = { live: 0, backlog: 0 }
  const send = async (lane: Lane, results: CheckResult[]): Promise<void> => {
    const back = plan.resends[sent.length % plan.resends.length] ?? null
    const batch = { lane, sequence: ++sequences[lane], results }
    sent.push(batch)
    const again = back === null ? undefined : sent.at(-1 - back)
    if (again !== undefined) onResend()
    const both = again === undefined ? [batch] : [batch, again]
    await Promise.all(both.map(one => accept(fleet, part, bootId, one.lane, one.sequence, one.results)))
  }
  return async instant => {
    for (const lane of ['live', 'backlog'] as const) {
      const due = (instants[instant] ?? []).filter(one => one.lane === lane)
      const results = due.map(one => resultOf(part, one, startMs))
      while (results.length > 0) await send(lane, results.splice(0, plan.cuts[sent.length % plan.cuts.length]))
    }
  }
}

/** One batch an instant, of what was news. */
const orderlyBy = (fleet: Fleet, part: Part, plan: Plan, startMs: number): Deliver => {
  const news = newsOf(fleet, part, deliveries(plan), startMs)
  const bootId = randomBytes(16).toString('hex')
  return instant => {
    const results = (news[instant] ?? []).map(one => resultOf(part, one, startMs))
    return accept(fleet, part, bootId, 'live', instant + 1, results)
  }
}

const deliverAll = async (fleet: Fleet, probes: readonly Deliver[], instants: number, startMs: number) => {
  for (let instant = 0; instant < instants; instant += 1) {
    fleet.nowMs = arrivalOf(startMs, instant)
    await Promise.all(probes.map(deliver => deliver(instant)))
    await fleet.test.app.monitoring.evaluation.idle()
  }
}

/** Everything that judging leaves but the numbers of rows and what made them unique, which follow the batches. */
const outcomeOf = async ({ test }: Fleet) => {
  const { db } = test.database
  const { model } = test.app.monitoring
  const incidents = await db.selectFrom('incident').selectAll().execute()
  const metricOf = new Map(incidents.map(({ id, metric_id }) => [id, metric_id]))
  const bare = <T extends { id: number; event_key: string }>({ id: _, event_key: __, ...rest }: T) => rest
  const events = await db.selectFrom('incident_event').selectAll().execute()
  const outbox = await db.selectFrom('outbox').selectAll().execute()
  const byText = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).toSorted()
  return {
    states: [...model.metrics.values()].map(({ id, state, information, value, atMs }) => ({
      ...{ id, state, information, value, atMs },
    })),
    rows: (await db.selectFrom('metric_state').selectAll().orderBy('metric_id').execute()).map(
      ({ incident_id, flapping: _, ...row }) => ({
        ...row,
        incident: incident_id === null ? null : metricOf.get(incident_id),
      }),
    ),
    hosts: await db.selectFrom('host').select(['id', 'state', 'severity_rank']).orderBy('id').execute(),
    incidents: byText(incidents.map(bare)),
    timelines: byText(
      events.map(({ detail: _, ...event }) => ({ ...bare(event), incident_id: metricOf.get(event.incident_id) })),
    ),
    outbox: byText(
      outbox.map(({ link: _, ...row }) => ({ ...bare(row), incident_id: metricOf.get(row.incident_id ?? 0) })),
    ),
  }
}

const pointsOf = async ({ test, metrics }: Fleet, fromMs: number): Promise<number[]> => {
  const range = { fromMs, toMs: fromMs + SEED_MS, points: 1_000, aggregate: 'last', resolution: 'raw' } as const
  const { series } = await test.samples.range({ series: metrics, ...range })
  return series.map(({ atMs }) => atMs.length)
}

it(`R08: ${SEEDS} seeds of duplicated, reordered and split batches end in the states, incidents, timelines and outbox of the orderly run`, async () => {
  let round = 0
  const seen = { resent: 0, incidents: 0 }
  const onResend = (): void => {
    seen.resent += 1
  }
  await fc.assert(
    fc.asyncProperty(fc.array(plans, { minLength: AT_ONCE, maxLength: AT_ONCE }), async all => {
      const startMs = START_MS + ++round * SEED_MS
      mangled.nowMs = orderly.nowMs = startMs
      await Promise.all([forgetAll(mangled), forgetAll(orderly)])
      const by = (fleet: Fleet, make: (part: Part, plan: Plan) => Deliver) =>
        fleet.parts.flatMap((part, n) => (all[n] === undefined ? [] : make(part, all[n])))
      const anyhow = by(mangled, (part, plan) => mangledBy(mangled, part, plan, startMs, onResend))
      const inOrder = by(orderly, (part, plan) => orderlyBy(orderly, part, plan, startMs))
      const instants = Math.max(...all.map(plan => deliveries(plan).length))
      await Promise.all([
        deliverAll(mangled, anyhow, instants, startMs),
        deliverAll(orderly, inOrder, instants, startMs),
      ])
      const [found, expected] = await Promise.all([outcomeOf(mangled), outcomeOf(orderly)])
      expect(found).toEqual(expected)
      // Availability of each run once, and the measure of each that succeeded.
      const results = all.flatMap(plan => plan.results)
      const good = results.filter(one => one.outcome !== 'failed').length
      const stored = await pointsOf(mangled, startMs)
      expect(stored.reduce((sum, count) => sum + count, 0)).toBe(results.length + good)
      seen.incidents += found.incidents.length
    }),
    { numRuns: SEEDS / AT_ONCE, endOnFailure: true },
  )
  const { duplicates, results } = mangled.test.app.monitoring.ingest.stats
  const news = orderly.test.app.monitoring.ingest.stats.results
  expect(duplicates).toBe(seen.resent)
  // Otherwise nothing was tried.
  expect(Math.min(results - news, seen.resent, seen.incidents)).toBeGreaterThan(SEEDS)
}, 60_000)
