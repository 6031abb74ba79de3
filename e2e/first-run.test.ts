import { hostRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { createPerson } from './kit/client.ts'
import { useProduct } from './kit/product.ts'

// The local probe is the only kind that may aim at loopback.
const product = useProduct({ env: { NARVAL_LOCAL_PROBE: 'on' } })
const { api, open } = product

describe('the first run', () => {
  it('leads from an empty console to the first measures of a host and its site, by an address and two clicks; a reader is led nowhere', async () => {
    for (const { id } of await api.call(hostRoutes.list))
      await api.call(hostRoutes.delete, { params: { id: String(id) }, query: { cascade: 'true' } })
    for (const { id } of await api.call(siteRoutes.list))
      await api.call(siteRoutes.delete, { params: { id: String(id) } })
    const reader = await open('/dashboard/live-view', {
      person: await createPerson(product.server.url, api, 'lecteur'),
    })
    await reader.page.getByText('Rien n’est encore supervisé').waitFor()
    expect(await reader.page.getByText('Superviser un premier équipement').count()).toBe(0)

    const { page } = await open('/dashboard/live-view')
    await page.getByRole('link', { name: 'Superviser un premier équipement' }).click()
    await page.getByText('La sonde est en ligne').waitFor({ timeout: 30_000 })
    await page.getByRole('textbox', { name: 'Nom du site' }).waitFor()
    expect(await findings(page)).toEqual([])
    const address = page.getByRole('textbox', { name: 'Adresse ou nom' })
    await address.fill('pas une adresse')
    await page.keyboard.press('Enter')
    await page.getByText('Une adresse IP ou un nom DNS est attendu').waitFor()
    await address.fill('127.0.0.1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '127.0.0.1 répond' }).waitFor({ timeout: 30_000 })
    await page.getByRole('textbox', { name: 'Nom de l’équipement' }).fill('Ma machine')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Superviser', exact: true }).click()
    await page.getByRole('heading', { name: 'Ma machine est supervisé' }).waitFor({ timeout: 60_000 })
    await page.getByText(/^Première mesure/).waitFor()
    expect(await findings(page)).toEqual([])
    const [host] = await api.call(hostRoutes.list)
    expect([host?.name, host?.address, host?.siteName]).toEqual(['Ma machine', '127.0.0.1', 'Site principal'])
    await page.getByRole('link', { name: 'Vue générale' }).click()
    await page.waitForURL('**/dashboard/live-view')
    await page.getByText('En direct').waitFor()
    await expect.poll(() => page.getByText('Superviser un premier équipement').count()).toBe(0)
  })
})
