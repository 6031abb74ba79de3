import { expect } from 'vitest'
import type { AppDeps } from '../app.ts'
import { FRESHNESS_EVERY_MS } from '../monitoring/probe/presence.ts'
import { type Answered, type Caller, createTestApp, type TestApp } from './test-app.ts'
import { enrolTestProbe, type TestProbe } from './test-probe.ts'

export const SCENE_FAILURE = { code: 'timeout', message: 'Pas de réponse après 2 s.' } as const
const GOOD = { values: { rtt_avg: 1, loss_ratio: 0 } }
const STEP_MS = 20_000

/** Hosts that hang on one another, with the one probe that runs their life tests, on a clock of the test's own. */
export interface HostScene {
  readonly test: TestApp
  readonly admin: Caller
  readonly probe: TestProbe
  readonly siteId: number
  now(): number
  /** Time goes by; the session is a new one. */
  wait(ms: number): Promise<void>
  /** The clock alone goes on: sessions may be over. */
  skip(ms: number): void
  /** Time goes by in a server that is awake. */
  listen(ms: number): Promise<void>
  /** Makes a host that hangs on others, and gives it its life test. */
  add(name: string, ...parents: readonly string[]): Promise<void>
  idOf(name: string): number
  /** The life test of a host. */
  scannerOf(name: string): number
  /** Twenty seconds later, the life tests of these hosts fail, or answer. */
  fail(...names: readonly string[]): Promise<void>
  answer(...names: readonly string[]): Promise<void>
  /** The same at the same instant. */
  failNow(...names: readonly string[]): Promise<void>
  answerNow(...names: readonly string[]): Promise<void>
  stateOf(name: string): string | undefined
  statesOf(names: readonly string[]): (string | undefined)[]
  /** Titles of all alerts, oldest first. */
  told(): Promise<string[]>
  incidents(filters?: Record<string, unknown>): Promise<Answered[]>
  detail(id: number): Promise<Answered>
  kindsOf(id: number): Promise<string[]>
  /** Hosts whose life tests the probe was ever asked to run out of turn. */
  rechecked(): Promise<string[]>
}

/** `options`: what the application is made of otherwise than in other tests. */
export const createHostScene = async (
  dialect: 'sqlite' | 'postgres',
  options: Pick<AppDeps, 'turns'> = {},
): Promise<HostScene> => {
  let nowMs = Date.parse('2026-11-20T08:00:00Z')
  const now = () => nowMs
  const test = await createTestApp({ dialect, now, ...options })
  let admin = await test.admin()
  const probe = await enrolTestProbe(test, now)
  const siteId: number = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
  const life = new Map<string, number>()
  const ids = new Map<string, number>()
  const { monitoring } = test.app

  const run = async (names: readonly string[], isFailing: boolean, laterMs: number) => {
    nowMs += laterMs
    const results = names.map(name => ({
      scanner: life.get(name) ?? 0,
      ...(isFailing ? { failure: SCENE_FAILURE } : GOOD),
    }))
    expect(await probe.post(results)).toBe(204)
    await monitoring.evaluation.idle()
  }
  const detail = async (id: number) => (await admin.call('GET', `/api/Incident/Detail/${id}`)).body
  const stateOf = (name: string) => monitoring.model.hosts.get(ids.get(name) ?? 0)?.state
  return {
    ...{ test, probe, siteId, now, detail, stateOf },
    get admin() {
      return admin
    },
    async wait(ms) {
      nowMs += ms
      admin = await test.admin()
    },
    skip(ms) {
      nowMs += ms
    },
    async listen(ms) {
      for (let passed = 0; passed < ms; passed += FRESHNESS_EVERY_MS) {
        nowMs += FRESHNESS_EVERY_MS
        await monitoring.pass()
      }
    },
    async add(name, ...parents) {
      const parentIds = parents.map(parent => ids.get(parent))
      const { id } = await admin.make('/api/Host/Create', { name, address: '192.0.2.1', siteId, parentIds })
      ids.set(name, id)
      life.set(name, (await admin.call('GET', `/api/Scanner/Get?host=${id}`)).body[0].id)
    },
    idOf: name => ids.get(name) ?? 0,
    scannerOf: name => life.get(name) ?? 0,
    fail: (...names) => run(names, true, STEP_MS),
    answer: (...names) => run(names, false, STEP_MS),
    failNow: (...names) => run(names, true, 0),
    answerNow: (...names) => run(names, false, 0),
    statesOf: names => [...new Set(names.map(stateOf))],
    async told() {
      const rows = await test.database.db.selectFrom('outbox').select('title').orderBy('id').execute()
      return rows.map(row => row.title)
    },
    incidents: async (filters = { open: true }) =>
      (await admin.call('PUT', '/api/IncidentDatatable', { filters, length: -1 })).body.data,
    kindsOf: async id => (await detail(id)).timeline.map(({ kind }: { kind: string }) => kind),
    async rechecked() {
      // The wish goes to the probe by a timer of its own.
      await new Promise(resolve => setTimeout(resolve, 60))
      const { orders } = await probe.orders()
      const scanners = orders.flatMap(order => (order.kind === 'recheck' ? order.scanners : []))
      return [...life].filter(([, scanner]) => scanners.includes(scanner)).map(([name]) => name)
    },
  }
}
