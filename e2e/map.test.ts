import { hostRoutes, siteRoutes } from '@narval/contracts'
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
