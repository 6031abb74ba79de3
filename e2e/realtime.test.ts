import { HUB_RECONNECT_DELAYS_MS, HUB_RETRY_MS, notificationRoutes } from '@narval/contracts'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdBack, openBrowser, openPage, signInPage } from './kit/browser.ts'
import { type ApiClient, createPerson, type Person, signIn } from './kit/client.ts'
import { createTcpScanners, SELDOM_S, type TcpScanner } from './kit/fleet.ts'
import { type Line, openLine } from './kit/line.ts'
import { freePort, type RunningServer, removeFolder, startServer, stopServer, temporaryFolder } from './kit/server.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

let server: RunningServer
let line: Line
let browser: Browser
let api: ApiClient
let claire: Person
let probe: WireProbe
let scanners: TcpScanner[]
const folder = temporaryFolder()

beforeAll(async () => {
  server = await startServer(folder, await freePort(), { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal' })
  line = await openLine(await freePort(), server.port)
  api = await signIn(server.url)
  claire = await createPerson(server.url, api, 'claire')
  probe = await approvedWireProbe(server.url, api)
  scanners = []
  for (let index = 0; index < 7; index++)
    scanners.push(
      ...(await createTcpScanners(api, { probeId: probe.id, intervalSeconds: SELDOM_S, name: `srv-${index}` })),
    )
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await line.cut()
  await stopServer(server)
  removeFolder(folder)
})

beforeEach(() => line.mend())

let sequence = 0
/** Makes these scanners fail, each an alert, and waits until all of them are kept. */
const raise = async (...indexes: number[]): Promise<void> => {
  const before = (await api.call(notificationRoutes.list)).latest
  const results = indexes.map(index => ({
    scanner: scanners[index]?.scanner.id ?? 0,
    at: Date.now(),
    durationMs: 1,
    failure: { code: 'refused' as const, message: `Panne ${index}` },
    values: {},
  }))
  sequence += 1
  expect(await probe.post(sequence, results)).toBe(204)
  await expect.poll(async () => (await api.call(notificationRoutes.list)).latest).toBe(before + indexes.length)
}

interface Attempt {
  readonly at: number
  /** When its failure was known; null until then. */
  failedAt: number | null
}
/** Writes down each negotiation of the hub of alerts, by the page's own clock. */
const watchAttempts = async (page: Page): Promise<() => Promise<Attempt[]>> => {
  await page.addInitScript(() => {
    const attempts: Attempt[] = []
    const real = globalThis.fetch.bind(globalThis)
    Reflect.set(globalThis, 'attempts', attempts)
    globalThis.fetch = async (input, init) => {
      if (!String(input).includes('/Hub/Communication/negotiate')) return real(input, init)
      const attempt: Attempt = { at: Date.now(), failedAt: null }
      attempts.push(attempt)
      try {
        return await real(input, init)
      } catch (error) {
        attempt.failedAt = Date.now()
        throw error
      }
    }
  })
  return () => page.evaluate(() => Reflect.get(globalThis, 'attempts'))
}

/** Between the failure of one attempt and the next, the first being at once (spec §9). */
const DELAYS = [...HUB_RECONNECT_DELAYS_MS.slice(1), HUB_RETRY_MS, HUB_RETRY_MS, HUB_RETRY_MS]

/** How the console asks for the alerts that it has missed. */
const MISSED = `${notificationRoutes.list.path}?after=`

const banner = (page: Page) => page.getByText('Temps réel interrompu')
const toasts = (page: Page) => page.locator('.mantine-Notification-root')

/** Resolves once the alerts are joined and the list that was asked for since then has come. */
const caughtUp = (page: Page): Promise<void> =>
  new Promise(resolve => {
    let joined = false
    page.on('websocket', socket => {
      if (socket.url().includes('/Hub/Communication'))
        socket.on('framereceived', ({ payload }) => {
          joined ||= payload.includes('"type":3')
        })
    })
    const lists = new Set<Request>()
    page.on('request', request => {
      if (joined && request.url().endsWith(notificationRoutes.list.path)) lists.add(request)
    })
    page.on('requestfinished', request => {
      if (lists.has(request)) resolve()
    })
  })
/** On the live view, real time running, the page's clock standing still from now on. */
const openStill = async (page: Page): Promise<void> => {
  const heard = caughtUp(page)
  await page.clock.install()
  await signInPage(page, claire.login, claire.password)
  await page.waitForURL('**/dashboard/live-view')
  await page.getByText('En direct').waitFor()
  await heard
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
}
/** Lets the page's clock go on by small steps until real time runs again. */
const untilLive = (page: Page): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(100)
        return page.getByText('En direct').count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)

describe('R21: the browser loses the server', () => {
  it('it is said; the hub tries after 0, 2, 10 and 30 s, then every 3 s; missed alerts are fetched; each alert is one toast', async () => {
    const { page, faults } = await openPage(browser, line.url)
    const attempts = await watchAttempts(page)
    const asked: string[] = []
    page.on('request', request => asked.push(request.url().slice(line.url.length)))
    await openStill(page)
    const known = (await attempts()).length
    const failed = async () => (await attempts()).filter(attempt => attempt.failedAt !== null).length

    await line.cut()
    await expect
      .poll(async () => {
        await page.clock.runFor(1)
        return (await attempts()).length - known
      })
      .toBe(1)
    await expect.poll(failed).toBe(1)
    for (const [index, delay] of DELAYS.entries()) {
      // No further: what is due then takes a moment, and is written down with the clock of its end.
      const dueMs = ((await attempts()).at(-1)?.failedAt ?? 0) + delay
      await page.clock.runFor(dueMs - (await page.evaluate(() => Date.now())))
      await expect.poll(failed).toBe(index + 2)
    }
    const made = (await attempts()).slice(known)
    expect(made.slice(1).map(({ at }, index) => at - (made[index]?.failedAt ?? 0))).toEqual(DELAYS)
    expect([await banner(page).count(), await page.getByText('Liaison interrompue').count()]).toEqual([1, 1])

    await raise(0, 1)
    const release = await holdBack(page, MISSED)
    const lists = () => asked.filter(path => path.startsWith(MISSED)).length
    expect(lists()).toBe(0)
    await line.mend()
    await page.clock.runFor(HUB_RETRY_MS)
    await page.getByText('En direct').waitFor()
    await expect.poll(lists).toBe(1)
    await banner(page).waitFor({ state: 'detached' })
    // The hub brings one that the list, still on its way, will bring too; its toast has gone by then.
    await raise(2)
    await toasts(page).getByText('Panne 2').waitFor()
    await page.clock.runFor(21_000)
    await expect.poll(() => toasts(page).count()).toBe(0)
    release()
    await expect.poll(() => toasts(page).count()).toBe(2)
    for (const index of [0, 1]) expect(await toasts(page).getByText(`Panne ${index}`).count()).toBe(1)

    await line.cut()
    await raise(3, 4, 5, 6)
    await line.mend()
    await untilLive(page)
    await toasts(page).getByText('4 notifications pendant l’interruption').waitFor()
    await page.clock.runFor(1_000)
    expect(await toasts(page).count()).toBe(3)
    expect(lists()).toBe(2)
    expect(faults.filter(fault => !fault.includes('WebSocket'))).toEqual([])
    await page.context().close()
  })

  it('a page that is opened meanwhile fails alone, says why, and comes by itself once the server is back', async () => {
    const { page, faults } = await openPage(browser, line.url)
    await signInPage(page, claire.login, claire.password)
    await page.waitForURL('**/dashboard/live-view')
    await page.getByText('En direct').waitFor()
    const menu = page.getByRole('navigation', { name: 'Menu principal' })
    const open = [
      () => menu.getByRole('link', { name: 'Sites', exact: true }).click(),
      () => page.getByRole('row', { name: 'srv-3' }).click(),
    ]
    const came = [page.getByRole('row', { name: 'srv-3' }), page.getByRole('heading', { name: 'srv-3', level: 1 })]
    for (const [index, click] of open.entries()) {
      await line.cut()
      await click()
      const failure = page.getByRole('alert').getByText('Le serveur ne répond pas')
      await failure.waitFor()
      expect(await menu.count()).toBe(1)
      await page.getByRole('button', { name: 'Réessayer' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Réessayer' }).isEnabled()).toBe(true)
      await failure.waitFor()
      await line.mend()
      await came[index]?.waitFor()
    }
    expect(faults.filter(fault => !/WebSocket|Failed to fetch|dynamically imported/.test(fault))).toEqual([])
    await page.context().close()
  })

  it('a browser that takes itself for offline still asks a server that it can reach', async () => {
    const { page } = await openPage(browser, line.url)
    await signInPage(page, claire.login, claire.password)
    await page.waitForURL('**/dashboard/live-view')
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await page.getByRole('navigation').getByRole('link', { name: 'Sites', exact: true }).click()
    await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor()
    await page.getByRole('row', { name: 'srv-3' }).waitFor({ timeout: 5_000 })
    await page.context().close()
  })
})
