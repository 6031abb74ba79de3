import type { Dialect } from '../../store/dialect.ts'
import { createTestClock, type TestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'

const REFUSED = { code: 'refused', message: 'connexion refusée' } as const

const GOOD = { rtt_avg: 1, rtt_min: 1, rtt_max: 1, jitter: 0, loss_ratio: 0 }

export interface MaintenanceBench {
  readonly test: TestApp
  readonly admin: Caller
  readonly clock: TestClock
  readonly site: Answered
  /** A host with a ping, that answers. */
  host(name: string, over?: object): Promise<{ id: number; scanner: number }>
  /** Three results that fail, or one that is good: confirmed. */
  fail(...hosts: readonly { scanner: number }[]): Promise<void>
  recover(...hosts: readonly { scanner: number }[]): Promise<void>
  plan(over: object): Promise<Answered>
  /** Time goes on, and what is due is done. */
  later(ms: number): Promise<void>
  /** Signs in again after hours that nothing was done in. */
  signIn(): Promise<void>
  get(id: number): Promise<Answered>
  runs(id: number): Promise<Answered[]>
  toasts(): Promise<string[]>
  problems(view?: string): Promise<string[]>
}

/** A server with a clock moved by hand, a site, and a probe that says what a test wants. */
export const createMaintenanceBench = async (dialect: Dialect, startMs?: number): Promise<MaintenanceBench> => {
  const clock = createTestClock(startMs ?? Date.parse('2026-11-20T08:00:00Z'))
  const test = await createTestApp({ dialect, now: clock.now })
  // A session is short beside the hours that go by: signed in again after each.
  let admin = await test.admin()
  const probe = await enrolTestProbe(test, clock.now)
  const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
  const { monitoring } = test.app
  const post = async (results: Parameters<typeof probe.post>[0]): Promise<void> => {
    if ((await probe.post(results)) !== 204) throw new Error('results were not taken')
    await monitoring.evaluation.idle()
  }
  const recover: MaintenanceBench['recover'] = async (...hosts) => {
    clock.forward(20_000)
    await post(hosts.map(({ scanner }) => ({ scanner, values: GOOD })))
  }
  return {
    ...{ test, clock, site, recover },
    get admin() {
      return admin
    },
    async host(name, over = {}) {
      const body = { name, address: '192.0.2.1', siteId: site.id, ...over }
      const { id } = await admin.make('/api/Host/Create', body)
      const [{ id: scanner }] = (await admin.call('GET', `/api/Scanner/Get?host=${id}`)).body
      await recover({ scanner })
      return { id, scanner }
    },
    async fail(...hosts) {
      for (let run = 0; run < 3; run += 1) {
        clock.forward(20_000)
        await post(hosts.map(({ scanner }) => ({ scanner, failure: REFUSED })))
      }
    },
    plan: over =>
      admin.make('/api/Maintenance/Create', {
        comment: 'Remplacement du commutateur',
        schedule: spanOf(clock.now(), 60),
        ...over,
      }),
    async later(ms) {
      clock.forward(ms)
      await monitoring.maintenances.pass()
      admin = await test.admin()
    },
    async signIn() {
      admin = await test.admin()
    },
    get: async id => (await admin.call('GET', `/api/Maintenance/Get/${id}`)).body,
    runs: async id => (await admin.call('GET', `/api/Maintenance/Runs/${id}`)).body,
    toasts: async () =>
      (await admin.call('GET', '/api/Notification/Get')).body.notifications.map((one: { title: string }) => one.title),
    problems: async (view = 'unhandled') => [
      ...new Set<string>(
        (await admin.call('PUT', '/api/DashboardDatatable', { filters: { view } })).body.data.map(
          (row: { hostName: string }) => row.hostName,
        ),
      ),
    ],
  }
}

/** One window from now (or later) on. */
export const spanOf = (nowMs: number, minutes: number, inMinutes = 0) => ({
  kind: 'one-off' as const,
  from: new Date(nowMs + inMinutes * 60_000).toISOString(),
  to: new Date(nowMs + (inMinutes + minutes) * 60_000).toISOString(),
})
