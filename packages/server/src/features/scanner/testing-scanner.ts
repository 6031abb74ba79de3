import type { Dialect } from '../../store/dialect.ts'
import type { TestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

interface ScannerScene {
  readonly test: TestApp
  /** Whose session does not outlive an hour of silence. */
  readonly admin: Caller
  readonly probe: TestProbe
  /** With the two scanners that follow. */
  readonly host: Answered
  readonly ping: Answered
  readonly tcp: Answered
}

/** A server, a probe that says what a test wants, and a host with a ping and a TCP connection. */
export const createScannerScene = async (dialect: Dialect, clock: TestClock): Promise<ScannerScene> => {
  const test = await createTestApp({ dialect, now: clock.now })
  const admin = await test.admin()
  const probe = await enrolTestProbe(test, clock.now)
  await probe.orders()
  const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO', city: 'Lyon' })
  const host = await admin.make('/api/Host/Create', { name: 'rtr-lyon', address: '192.0.2.1', siteId: site.id })
  const tcp = await admin.make('/api/Scanner/Create', {
    ...{ name: 'SSH', kind: 'tcp', hostId: host.id, parameters: { port: 22 } },
  })
  const scanners: Answered[] = (await admin.call('GET', `/api/Scanner/Get?host=${host.id}`)).body
  const ping = scanners.find(one => one.kind === 'ping')
  return { test, admin, probe, host, ping, tcp }
}
