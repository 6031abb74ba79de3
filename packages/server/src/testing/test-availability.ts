import { afterEach, beforeEach } from 'vitest'
import { createTestClock, type TestClock } from './clock.ts'
import { type Answered, type Caller, createTestApp, type DIALECTS, type TestApp } from './test-app.ts'

/** An application for each test, begun at an instant (epoch ms), whose availability is asked as its administrator. */
export const useAvailability = (dialect: (typeof DIALECTS)[number], startMs: number) => {
  let test: TestApp
  let clock: TestClock
  let admin: Caller
  beforeEach(async () => {
    clock = createTestClock(startMs)
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
  })
  afterEach(() => test.close())
  return {
    test: () => test,
    db: () => test.database.db,
    clock: () => clock,
    admin: () => admin,
    /** What `/api/Availability/…` answers. */
    get: async (path: string, caller: Caller = admin) => (await caller.call('GET', `/api/Availability/${path}`)).body,
    /** Lets time pass, beyond the end of a session too. */
    later: async (ms: number): Promise<void> => {
      clock.forward(ms)
      admin = await test.admin()
    },
    /** Which states there were is written by the test alone. */
    forgetHistory: async (): Promise<void> => {
      await test.database.db.deleteFrom('host_change').execute()
      await test.database.db.deleteFrom('server_run').execute()
    },
    makeSite: (name: string, code: string, over: object = {}): Promise<Answered> =>
      admin.make('/api/Site/Create', { name, code, ...over }),
    makeHost: (siteId: number, name: string, over: object = {}): Promise<Answered> =>
      admin.make('/api/Host/Create', { name, address: '192.0.2.1', siteId, ...over }),
  }
}
