import { type Host, hostRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openTab } from './kit/browser.ts'
import { createTcpScanners, SELDOM_S } from './kit/fleet.ts'
import { interceptAlerts } from './kit/hub-in-page.ts'
import { useProduct } from './kit/product.ts'
import { stopServer } from './kit/server.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

let hostId = 0
let siteId = 0
const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ server }) => {
    const probe = await approvedWireProbe(server.url, api)
    const [made] = await createTcpScanners(api, {
      probeId: probe.id,
      intervalSeconds: SELDOM_S,
      name: 'srv-essai',
      count: 3,
    })
    hostId = made?.hostId ?? 0
    siteId = (await createdHost('srv-autre')).siteId
  },
})
const { api, open } = product
const createdHost = async (name: string): Promise<Host> => {
  const [site] = await api.call(siteRoutes.list)
  const body = { name, address: '192.0.2.1', siteId: site?.id ?? 0, withPing: false }
  return api.call(hostRoutes.create, { body })
}

describe('toasts', () => {
  /** Names of what can be pressed in the head, the bars and the feet of a page, and lies under a toast. */
  const covered = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.mantine-Notification-root')].map(one => one.getBoundingClientRect())
      const pressed = [...document.querySelectorAll('[data-keep-clear] :is(button, a, input, select)')]
      return pressed
        .filter(one => {
          const { left, right, top, bottom } = one.getBoundingClientRect()
          return boxes.some(box => box.left < right && box.right > left && box.top < bottom && box.bottom > top)
        })
        .map(one => one.getAttribute('aria-label') ?? one.textContent ?? '')
    })

  it.each([
    { width: 1440, toasts: 4 },
    { width: 390, toasts: 1 },
  ])('lie over no action of a page, wherever it is scrolled to ($width px)', async ({ width, toasts }) => {
    let id = 100_000
    for (const path of ['/host/edit', `/host/${hostId}`, `/site/edit/${siteId}`, `/host/edit/${hostId}`]) {
      let push: Awaited<ReturnType<typeof interceptAlerts>> = async () => {}
      const { page } = await open(path, {
        width,
        before: async tab => {
          push = await interceptAlerts(tab)
        },
      })
      await page.locator('[data-keep-clear] :is(button, a)').last().waitFor()
      for (let count = 0; count < 6; count += 1) {
        id += 1
        await push({ type: 'Error', title: `Alerte ${count}`, message: 'Elle dit pourquoi, sur deux lignes.', id })
      }
      await page
        .locator('.mantine-Notification-root')
        .nth(toasts - 1)
        .waitFor()
      for (const top of [0, 120, 10_000]) {
        await page.evaluate(y => scrollTo(0, y), top)
        await expect.poll(async () => [path, top, await covered(page)]).toEqual([path, top, []])
      }
    }
  })
})

describe('a storm', () => {
  it('of 2,000 alerts in one message is told by three toasts and one that counts the rest, and leaves the page alone', async () => {
    let push: Awaited<ReturnType<typeof interceptAlerts>> = async () => {}
    const { page } = await open('/dashboard/live-view', {
      before: async tab => {
        push = await interceptAlerts(tab)
      },
    })
    await page.getByText('En direct').waitFor()
    await push(
      ...Array.from({ length: 2_000 }, (_, index) => ({
        type: 'Error' as const,
        title: `Alerte ${index}`,
        message: 'Ne répond plus',
        id: 200_000 + index,
      })),
    )
    const toasts = page.locator('.mantine-Notification-root')
    await toasts.filter({ hasText: '1\u202f997' }).waitFor()
    expect(await toasts.count()).toBe(4)
  })
})

describe('the page of a host', () => {
  it.each([1440, 390])('moves by less than 0.02 while it loads (%i px)', async width => {
    const { page } = await open(`/host/${hostId}`, { width })
    await page.locator('main canvas').nth(2).waitFor()
    await page.getByRole('heading', { name: 'Historique' }).waitFor()
    const moved = await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          const watch = new PerformanceObserver(list =>
            resolve(list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0)),
          )
          watch.observe({ type: 'layout-shift', buffered: true })
          // Nothing is told where nothing has moved.
          setTimeout(() => resolve(0), 500)
        }),
    )
    expect(moved).toBeLessThan(0.02)
  })
})

describe('a list that the server left', () => {
  it('says so, and fills by itself once the server is back: one that was there, and one that was opened meanwhile', async () => {
    const first = await open('/host?sort=name')
    const second = await openTab(first.page.context(), product.server.url)
    await second.page.goto('/site')
    await first.page.getByRole('row', { name: 'srv-essai' }).waitFor()
    await second.page.getByRole('row').nth(1).waitFor()
    await stopServer(product.server)
    // Another order, another list: neither can be had now.
    await first.page.getByRole('columnheader', { name: 'Adresse' }).getByRole('button').click()
    await first.page
      .getByText(/n’a pas pu être actualisée|ne répond pas/)
      .first()
      .waitFor()
    await second.page
      .getByRole('navigation', { name: 'Menu principal' })
      .getByRole('link', { name: 'Métriques' })
      .first()
      .click()
    await second.page.getByRole('alert').first().waitFor()

    await product.restart()
    await createdHost('srv-nouveau')
    await first.page.getByRole('row', { name: 'srv-nouveau' }).waitFor({ timeout: 60_000 })
    await second.page.getByRole('row', { name: 'srv-essai' }).first().waitFor({ timeout: 60_000 })
    expect(await first.page.getByText(/ne répond pas/).count()).toBe(0)
    // The browser tells each connection that failed; nothing else went wrong.
    const told = /ERR_CONNECTION|WebSocket|Failed to fetch|dynamically imported/
    expect([...first.faults, ...second.faults].filter(fault => !told.test(fault))).toEqual([])
    first.faults.length = 0
    await second.page.close()
  })
})
