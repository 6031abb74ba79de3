import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openContext, signInPage } from './kit/browser.ts'
import { createPerson, type Person } from './kit/client.ts'
import { createTcpScanners, SELDOM_S } from './kit/fleet.ts'
import { enter, useProduct } from './kit/product.ts'
import {
  item,
  keys,
  LOGOUT,
  newTab,
  pathOf,
  REFRESH,
  SIGNED_IN_KEYS,
  SIGNED_OUT_KEYS,
  settled,
  signedOut,
} from './kit/session.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

let claire: Person
/** A host of so many metrics, each with calls of its own on the host's page. */
let hostId: number
const METRICS = 10
const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ server }) => {
    claire = await createPerson(server.url, api, 'claire')
    const probe = await approvedWireProbe(server.url, api)
    const [first] = await createTcpScanners(api, {
      probeId: probe.id,
      intervalSeconds: SELDOM_S,
      name: 'srv-essai',
      count: METRICS / 2,
    })
    hostId = first?.hostId ?? 0
  },
})
const { api } = product

const bearerOf = (request: Request): string | undefined => request.headers().authorization
/** The calls of a page to this path, as they go. */
const watchCalls = (page: Page, path: string): Request[] => {
  const calls: Request[] = []
  page.on('request', request => {
    if (pathOf(request) === path) calls.push(request)
  })
  return calls
}
/** A token of another second than the present one, so that its successor is another text. */
const nextSecond = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1_001 - (Date.now() % 1_000)))

/** What the page once wanted to know: how it was answered in turn, with which token, and whether it is wanted no longer. */
interface Asking {
  readonly path: string
  readonly bearers: readonly string[]
  readonly statuses: readonly number[]
  readonly isCancelled: boolean
}
/**
 * Runs in the page before its own scripts: notes its calls by what they are for. A call that is said again has the signal
 * of the first, by which the page cancels both; two that only look the same have each their own.
 */
const noteAskings = (): void => {
  const wanted = new WeakMap<AbortSignal, AbortSignal>()
  const any = AbortSignal.any.bind(AbortSignal)
  AbortSignal.any = signals => {
    const all = [...signals]
    const joined = any(all)
    if (all[0] !== undefined) wanted.set(joined, all[0])
    return joined
  }
  const askings = new Map<AbortSignal, { path: string; bearers: string[]; statuses: number[] }>()
  const say = globalThis.fetch
  globalThis.fetch = async (to, init = {}) => {
    const bearer = new Headers(init.headers).get('authorization')
    const signal = init.signal == null ? undefined : wanted.get(init.signal)
    if (bearer === null || signal === undefined) return say(to, init)
    const asking = askings.get(signal) ?? { path: String(to), bearers: [], statuses: [] }
    askings.set(signal, asking)
    asking.bearers.push(bearer)
    const answer = await say(to, init)
    asking.statuses.push(answer.status)
    return answer
  }
  Reflect.set(globalThis, 'askings', () =>
    [...askings].map(([signal, asking]) => ({ ...asking, isCancelled: signal.aborted })),
  )
}
const askingsOf = (page: Page): Promise<Asking[]> => page.evaluate('askings()')

describe('the renewal of a session (spec §4)', () => {
  it('pages opened one over the other, each before the last has loaded, sign nobody out', async () => {
    const { page } = await newTab(product)
    await enter(page, claire)
    // By the page itself: Playwright loses a navigation that another overtakes, and waits for it in vain.
    const go = async (path: string): Promise<void> => {
      const gone = () => false
      const assign = (to: string): boolean => {
        location.assign(to)
        return true
      }
      // Between two pages there is nobody to be told: then the next one is.
      while (!(await page.evaluate(assign, path).catch(gone)));
    }
    for (let round = 0; round < 6; round += 1) {
      await page.evaluate(() => Reflect.set(globalThis, 'before', true))
      await go('/host')
      await new Promise(resolve => setTimeout(resolve, round * 45))
      await go('/metric')
      await new Promise(resolve => setTimeout(resolve, round * 45))
      await go('/site')
      await page.waitForFunction(() => location.pathname === '/site' && !Reflect.has(globalThis, 'before'))
      await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor()
      expect(await keys(page)).toEqual(SIGNED_IN_KEYS)
    }
    await page.context().close()
  })

  it('calls answered 401 share one refresh and are said again once; a 401 of logout is ignored', async () => {
    const { page, faults } = await newTab(product)
    await page.addInitScript(noteAskings)
    await page.clock.install()
    await enter(page, claire)
    await page.goto(`/host/${hostId}`)
    await page
      .locator('table svg')
      .nth(METRICS - 1)
      .waitFor()
    const old = `Bearer ${await item(page, 'jwt')}`
    await nextSecond()
    const refreshes = watchCalls(page, REFRESH)
    await page.route('**/api/**', (route, request) =>
      pathOf(request) !== REFRESH && bearerOf(request) === old
        ? route.fulfill({ status: 401, body: '' })
        : route.continue(),
    )
    const refused = async () => (await askingsOf(page)).filter(({ statuses }) => statuses.includes(401))
    // Back in the tab after half a minute: all that it shows is asked for again at once.
    await page.clock.setSystemTime(Date.now() + 31_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    // Each that was refused is said once more with the new token, but where the page wanted its answer no longer.
    const toSayAgain = async () => (await refused()).filter(({ isCancelled }) => !isCancelled)
    const asked = async () => (await toSayAgain()).map(({ path }) => path)
    await expect.poll(async () => (await asked()).length).toBeGreaterThanOrEqual(METRICS)
    await expect.poll(asked).toContain(`/api/Host/Get/${hostId}`)
    await expect.poll(async () => (await toSayAgain()).filter(({ statuses }) => statuses.length < 2)).toEqual([])
    await page.waitForLoadState('networkidle')
    const renewed = `Bearer ${await item(page, 'jwt')}`
    for (const { bearers, statuses, isCancelled } of await refused()) {
      expect(isCancelled ? [[old], [old, renewed]] : [[old, renewed]]).toContainEqual(bearers)
      expect(isCancelled ? statuses[0] : statuses).toEqual(isCancelled ? 401 : [401, 200])
    }
    // What was asked for meanwhile was never refused, and so is said once.
    for (const { bearers } of await askingsOf(page)) expect(bearers.length).toBe(new Set(bearers).size)
    expect(refreshes).toHaveLength(1)

    await page.unroute('**/api/**')
    await page.route(`**${LOGOUT}`, route => route.fulfill({ status: 401, body: '' }))
    const logouts = watchCalls(page, LOGOUT)
    await page.getByRole('button', { name: 'Déconnexion' }).click()
    await signedOut(page)
    await page.waitForLoadState('networkidle')
    expect([logouts.length, refreshes.length]).toEqual([1, 1])
    expect(await keys(page)).toEqual(SIGNED_OUT_KEYS)
    expect(settled(faults)).toEqual([])
    await page.context().close()
  })

  it('happens at start, and 60 s before the token ends: neither a millisecond earlier nor later', async () => {
    const { page, faults } = await newTab(product)
    const fresh = await createPerson(product.server.url, api, 'nouvelle', { fresh: true })
    const refreshes = watchCalls(page, REFRESH)
    await page.clock.install()
    await page.goto('/login')
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await signInPage(page, fresh.login, fresh.password)
    // A first connection: nothing on the page but its own session has a clock.
    await page.waitForURL('**/password-reset')
    await page.getByPlaceholder('Confirmer le mot de passe').waitFor()
    const before = 10 * 60_000 - 60_000
    await page.clock.runFor(before - 1)
    expect(refreshes).toHaveLength(0)
    await page.clock.runFor(1)
    await expect.poll(() => refreshes.length).toBe(1)
    await page.waitForLoadState('networkidle')
    await page.clock.runFor(before - 1)
    expect(refreshes).toHaveLength(1)
    await page.clock.runFor(1)
    await expect.poll(() => refreshes.length).toBe(2)
    await page.waitForLoadState('networkidle')
    await page.reload()
    await page.getByPlaceholder('Confirmer le mot de passe').waitFor()
    expect(refreshes).toHaveLength(3)
    expect(settled(faults)).toEqual([])
    await page.context().close()
  })

  it('S17: ten tabs that start at once, in a browser without locks, all stay signed in; signing out in one signs out all', async () => {
    const context = await openContext(product.browser, product.server.url)
    await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
    const first = await newTab(product, context)
    await enter(first.page, claire)
    const others = await Promise.all(Array.from({ length: 9 }, () => newTab(product, context)))
    const tabs = [first, ...others]
    const refreshes = tabs.map(({ page }) => watchCalls(page, REFRESH))
    await Promise.all(tabs.map(({ page }) => page.goto('/comments')))
    await Promise.all(tabs.map(({ page }) => page.getByRole('heading', { name: 'Commentaires' }).waitFor()))
    expect(refreshes.map(calls => calls.length)).toEqual(tabs.map(() => 1))
    await Promise.all(tabs.map(({ page }) => page.reload()))
    await Promise.all(tabs.map(({ page }) => page.getByRole('heading', { name: 'Commentaires' }).waitFor()))

    await first.page.getByRole('button', { name: 'Déconnexion' }).click()
    await Promise.all(tabs.map(({ page }) => signedOut(page)))
    expect(tabs.flatMap(tab => settled(tab.faults))).toEqual([])
    await context.close()
  })

  it('an account that cannot be loaded is not spoken of; once it can be, the console does what it asks', async () => {
    const { page, faults } = await newTab(product)
    const later = await createPerson(product.server.url, api, 'plus-tard', { fresh: true })
    await page.clock.install()
    await page.route('**/api/Account/Get', route => route.fulfill({ status: 500, body: '' }))
    await enter(page, later)
    await page.clock.fastForward('00:03')
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0)
    await page.unroute('**/api/Account/Get')
    await page.clock.fastForward('00:06')
    await page.waitForURL('**/password-reset')
    expect(settled(faults)).toEqual([])
    await page.context().close()
  })
})
