import { hostRoutes, siteRoutes } from '@narval/contracts'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const { api, open } = useProduct({
  async prepare({ api: admin }) {
    const places = [
      ['Lyon', 'LYO', 45.76, 4.84],
      ['Villeurbanne', 'VIL', 45.77, 4.88],
      ['Brest', 'BRE', 48.39, -4.49],
      ['Saint-Denis', 'RUN', -20.88, 55.45],
    ] as const
    for (const [name, code, latitude, longitude] of places)
      await admin.call(siteRoutes.create, { body: { name, code, latitude, longitude } })
    const lyon = (await admin.call(siteRoutes.tree)).find(site => site.code === 'LYO')
    if (lyon === undefined) throw new Error('no Lyon')
    const add = async (name: string, parentIds: number[]) =>
      (await admin.call(hostRoutes.create, { body: { name, address: '192.0.2.1', siteId: lyon.id, parentIds } })).id
    const router = await add('rtr-lyon', [])
    const floor = await add('sw-lyon', [router])
    for (const name of ['srv-a', 'srv-b']) await add(name, [floor])
  },
})

/** How far apart two `translate(…px, …px)` are, px. */
const shift = (before: string | null, after: string | null): number => {
  const [from = [], to = []] = [before, after].map(style => (style ?? '').match(/-?[\d.]+(?=px)/g)?.map(Number))
  return Math.hypot(...[0, 1].map(axis => (from[axis] ?? Number.NaN) - (to[axis] ?? Number.NaN)))
}

/** How near the address of a map says that it is; 0 while it says nothing. */
const zoomOf = (page: Page): number => {
  const place = /^-?[\d.]+_-?[\d.]+_([\d.]+)$/.exec(new URL(page.url()).searchParams.get('at') ?? '')
  return Number(place?.[1] ?? 0)
}

/** One finger stays in the middle of this, a second one comes 60 px above it and goes up to 160: a scroll, were it for the browser. */
const pinch = async (page: Page, frame: Locator): Promise<void> => {
  const box = await frame.boundingBox()
  if (box === null) throw new Error('nothing to pinch')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...above: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: above.map((by, id) => ({ x, y: y - by, id })) })
  await touch('touchStart', 0)
  await touch('touchStart', 0, 60)
  for (let by = 70; by <= 160; by += 10) await touch('touchMove', 0, by)
  await touch('touchEnd')
  await session.detach()
}

describe('the map and the topology', () => {
  it('shows sites from its own host alone: a cluster parts when it is opened, a site has its card, one without a place is named', async () => {
    const { page } = await open('/dashboard/status-view/map')
    await page.locator('canvas[data-drawn="land"]').first().waitFor()
    const map = page.getByRole('application', { name: 'Carte des sites' })
    const mark = (name: RegExp) => map.getByRole('button', { name })
    await page.getByRole('link', { name: 'Placer «\u202fSite principal\u202f»' }).waitFor()
    await page.getByRole('list', { name: 'Sites sur la carte' }).getByRole('button', { name: /Lyon/ }).click()
    // Lyon and Villeurbanne, 3 km apart.
    await mark(/^2 sites/).press('Enter')
    await mark(/^Lyon/).click()
    await page.getByRole('region', { name: 'Lyon' }).getByText('4 équipements').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('site')).not.toBeNull()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: /^La Réunion/ }).click()
    await mark(/^Saint-Denis/).waitFor()
  })

  it('keeps its place in the address: the way back and a link bring the same view, a place that is none is ignored', async () => {
    const { page } = await open('/dashboard/status-view/map?at=ailleurs')
    const map = page.getByRole('application', { name: 'Carte des sites' })
    const lyon = map.getByRole('button', { name: /^[23] sites/ })
    await lyon.waitFor()
    const steps = await page.evaluate(() => history.length)
    await map.press('ArrowUp')
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(0)
    const before = zoomOf(page)
    await map.press('+')
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(before)
    const [address, place] = [page.url(), await lyon.getAttribute('style')]
    expect(await page.evaluate(() => history.length)).toBe(steps)
    await page.getByRole('link', { name: 'Topologie', exact: true }).click()
    await page.waitForURL('**/topology')
    await page.goBack()
    await page.waitForURL(address)
    // The address is rounded: to within a pixel or two.
    await expect.poll(async () => shift(place, await lyon.getAttribute('style'))).toBeLessThan(3)
    await page.goto(address)
    await expect.poll(async () => shift(place, await lyon.getAttribute('style'))).toBeLessThan(3)
  })

  it('is zoomed by two fingers on a phone, the map like the topology, and the page stays where it is', async () => {
    const { page } = await open('/dashboard/status-view/map', { width: 390, height: 844 })
    const map = page.getByRole('application', { name: 'Carte des sites' })
    await map.press('ArrowUp')
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(0)
    const before = zoomOf(page)
    await pinch(page, map)
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(before + 0.9)
    await page.goto('/dashboard/status-view/topology')
    const diagram = page.getByRole('application', { name: 'Schéma des dépendances' })
    const router = diagram.getByRole('button', { name: /^rtr-lyon/ })
    const width = async () => (await router.boundingBox())?.width ?? 0
    const narrow = await width()
    await pinch(page, diagram)
    await expect.poll(width).toBeGreaterThan(narrow * 1.8)
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
  })

  it('draws what hangs on what: found by name, walked by arrows, listed, and told by a card that leads to the host', async () => {
    const { page } = await open('/dashboard/status-view/topology')
    const diagram = page.getByRole('application', { name: 'Schéma des dépendances' })
    const box = (name: RegExp) => diagram.getByRole('button', { name })
    await box(/^rtr-lyon/).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('sw-lyon')
    await page.keyboard.press('Enter')
    const card = page.getByRole('region', { name: 'sw-lyon' })
    await card.getByRole('button', { name: 'srv-a' }).waitFor()
    expect(await findings(page)).toEqual([])
    const lyon = (await api.call(siteRoutes.tree)).find(site => site.code === 'LYO')
    await page.goto(`/dashboard/status-view/topology?site=${lyon?.id}&view=list`)
    const list = page.getByRole('list', { name: 'Liste des dépendances' })
    await list.getByRole('link', { name: 'srv-b' }).waitFor()
    expect(await findings(page)).toEqual([])
  })
})
