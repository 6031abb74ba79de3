import { accountRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { signIn } from './kit/client.ts'
import { useProduct } from './kit/product.ts'

const product = useProduct()
const { api, open } = product

const statusOf = async (token: string, route: { path: string } = accountRoutes.own) =>
  (await fetch(`${product.server.url}${route.path}`, { headers: { authorization: `Bearer ${token}` } })).status

const account = (options: { dark?: boolean; width?: number } = {}) => open('/user/myaccount', options)

describe('« Mon compte »', () => {
  it('shows the open sessions with their device, and ends another one', async () => {
    const { page } = await account()
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Sessions et appareils' }) })
    await card.getByText('Cette session').waitFor()
    await card.getByText(/Chrom/).first().waitFor()
    expect(await statusOf(api.token())).toBe(200)
    // The last used of those that a script has opened.
    await card.getByRole('button', { name: 'Fermer la session Programme inconnu' }).first().click()
    await card.getByRole('button', { name: 'Fermer cette session' }).click()
    await expect.poll(() => statusOf(api.token())).toBe(401)
    const others = [await signIn(product.server.url), await signIn(product.server.url)]
    await page.reload()
    await card.getByRole('button', { name: 'Fermer toutes les autres' }).click()
    await card.getByText('Vous n’êtes connecté nulle part ailleurs.').waitFor()
    expect(await Promise.all(others.map(other => statusOf(other.token())))).toEqual([401, 401])
  })

  it('creates an API token, shown once, which works without a cookie until it is revoked', async () => {
    const { page } = await account()
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Jetons d’API' }) })
    await card.getByText(/^Aucun jeton/).waitFor()
    await card.getByRole('button', { name: 'Créer un jeton' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nouveau jeton d’API' })
    await dialog.getByRole('button', { name: 'Créer', exact: true }).click()
    await dialog.getByText('Champ requis').waitFor()
    await dialog.getByLabel('Nom').fill('sauvegarde de nuit')
    await dialog.getByRole('button', { name: 'Créer', exact: true }).click()
    const token = (await dialog.locator('code').first().textContent()) ?? ''
    expect(token).toMatch(/^narval_[\w-]{43}$/)
    await dialog.getByRole('button', { name: 'Fermer' }).last().click()
    await card.getByText('sauvegarde de nuit').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await page.content()).includes(token)).toBe(false)
    expect(await statusOf(token, siteRoutes.list)).toBe(200)
    await card.getByRole('button', { name: 'Révoquer le jeton sauvegarde de nuit' }).click()
    await card.getByRole('button', { name: 'Révoquer', exact: true }).click()
    await card.getByText(/^Aucun jeton/).waitFor()
    expect(await statusOf(token, siteRoutes.list)).toBe(401)
  })

  it.each([
    { dark: false, width: 1440 },
    { dark: true, width: 390 },
  ])('axe-core finds nothing of weight ($width px, dark: $dark)', async options => {
    const { page } = await account(options)
    await page.getByText('Cette session').waitFor()
    await page.getByRole('button', { name: 'Créer un jeton' }).click()
    await page.getByRole('dialog').getByLabel('Nom').waitFor()
    expect(await findings(page)).toEqual([])
  })
})
