import { hostRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const made = { site: 0, host: 0, metric: 0 }
const { open } = useProduct({
  async prepare({ api }) {
    const { id: site } = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const { id: host } = await api.call(hostRoutes.create, {
      body: { name: 'srv-1', address: '192.0.2.1', siteId: site },
    })
    const [ping] = await api.call(scannerRoutes.list, { query: { host: String(host) } })
    const metrics = await api.call(scannerRoutes.metrics, { query: { id: String(ping?.id ?? 0) } })
    Object.assign(made, { site, host, metric: metrics.find(({ key }) => key === 'availability')?.id })
  },
})

const rules = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Règles', exact: true }) })
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Enregistrer les règles' }).click()
  await page.getByText(/Règles enregistrées/).waitFor()
}

describe('rules of judging', () => {
  it('a rule set at a site is in force on the metrics below, with its origin and a link to where it is changed', async () => {
    const { page } = await open(`/site/edit/${made.site}`)
    const attempts = page.getByLabel('Nombre de tentatives avant validation', { exact: true })
    await attempts.waitFor()
    expect([await attempts.inputValue(), await attempts.isDisabled()]).toEqual(['3', true])
    await rules(page).getByText('Hérité\u202f: Valeur d’origine').first().waitFor()
    await page.getByRole('button', { name: 'Personnaliser\u202f: Nombre de tentatives avant validation' }).click()
    await attempts.fill('5')
    await page.getByRole('button', { name: 'Personnaliser\u202f: Second avis' }).click()
    await page.getByRole('switch', { name: 'Second avis' }).click({ force: true })
    await save(page)
    expect(await findings(page)).toEqual([])

    await page.goto(`/metric/${made.metric}`)
    await page.getByRole('heading', { name: 'Règle en vigueur' }).waitFor()
    await page.getByText('Inconnu\u202f: en attente du premier résultat.').waitFor()
    await page.getByText('Toutes les règles et leur origine').click()
    const line = page.getByRole('listitem').filter({ hasText: 'Nombre de tentatives avant validation' })
    await line.getByText('5', { exact: true }).waitFor()
    await line.getByRole('link', { name: 'Site Lyon' }).click()
    await page.waitForURL(`**/site/edit/${made.site}`)
  })

  it('what is nearer goes first; what the form of the page says is there alone; a wrong value is said beside it', async () => {
    const { page } = await open(`/host/edit/${made.host}`, { dark: true, width: 390, height: 844 })
    await page.getByLabel('Nombre de tentatives avant validation', { exact: true }).waitFor()
    await rules(page).getByText('Hérité\u202f: Site Lyon').first().waitFor()
    await page.getByRole('button', { name: 'Personnaliser\u202f: Début du bagotage' }).click()
    await page.getByLabel('Début du bagotage', { exact: true }).fill('10')
    await page.getByRole('button', { name: 'Enregistrer les règles' }).click()
    await page.getByText('La fin du bagotage ne peut dépasser son début').first().waitFor()
    await page.getByLabel('Début du bagotage', { exact: true }).fill('40')
    await save(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide).toBeLessThanOrEqual(0)
    expect(await findings(page)).toEqual([])
    await page.goto(`/metric/edit/${made.metric}`)
    await page.getByText('Hérité\u202f: Équipement srv-1').first().waitFor()
    await rules(page).getByLabel('Début du bagotage', { exact: true }).waitFor()
    expect(await page.getByLabel('Nombre de tentatives avant validation', { exact: true }).count()).toBe(1)

    await page.goto(`/host/edit/${made.host}`)
    await page.getByRole('button', { name: 'Revenir à l’héritage\u202f: Début du bagotage' }).click()
    await save(page)
    await expect.poll(() => page.getByLabel('Début du bagotage', { exact: true }).inputValue()).toBe('30 %')
  })
})
