import { accountRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { signInPage } from './kit/browser.ts'
import { createPerson, signIn } from './kit/client.ts'
import { useProduct } from './kit/product.ts'
import { keys, newTab, SIGNED_OUT_KEYS } from './kit/session.ts'
import { codeNow } from './kit/totp.ts'

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

  it('a second factor, set up by its QR code’s secret, is asked for at the next sign-in; a recovery code opens once', async () => {
    const claire = await createPerson(product.server.url, await signIn(product.server.url), 'claire')
    const { page } = await open('/user/myaccount', { person: claire })
    await page.getByRole('button', { name: 'Activer…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activer le second facteur' })
    await dialog.getByLabel('Mot de passe actuel', { exact: true }).fill(claire.password)
    await dialog.getByRole('button', { name: 'Continuer' }).click()
    await dialog.getByRole('img', { name: 'Code QR du secret' }).waitFor()
    const secret = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByLabel('Code de vérification').fill(codeNow(secret))
    await dialog.getByRole('button', { name: 'Activer' }).click()
    const codes = page.getByRole('dialog', { name: 'Codes de secours' })
    const [first = ''] = ((await codes.locator('code').textContent()) ?? '').split('\n')
    await codes.getByRole('button', { name: 'Je les ai gardés' }).click()
    await page.getByText('10 codes de secours restent.').waitFor()

    const tab = await newTab(product)
    await signInPage(tab.page, claire.login, claire.password)
    const field = tab.page.getByLabel('Code de vérification')
    await field.fill('000000')
    await tab.page.getByText('Ce code est incorrect.').waitFor()
    expect(await keys(tab.page)).toEqual(SIGNED_OUT_KEYS)
    await tab.page.getByRole('button', { name: 'Utiliser un code de secours' }).click()
    await tab.page.getByLabel('Code de secours').fill(first)
    await tab.page.getByRole('button', { name: 'Vérifier' }).click()
    await tab.page.waitForURL('**/dashboard/live-view')
    await tab.page.context().close()
    await page.reload()
    await page.getByText('9 codes de secours restent.').waitFor()
  })

  it('one’s own picture is cropped here, sent as a small PNG and shown in the side bar', async () => {
    const { page } = await account()
    // Of another form and size than what is kept; the right half is red.
    const wide = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(1_200, 600)
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.fillStyle = 'blue'
      context.fillRect(0, 0, 600, 600)
      context.fillStyle = 'red'
      context.fillRect(600, 0, 600, 600)
      const blob = await canvas.convertToBlob({ type: 'image/jpeg' })
      return [...new Uint8Array(await blob.arrayBuffer())]
    })
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'moi.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(wide) },
    })
    const dialog = page.getByRole('dialog', { name: 'Votre image' })
    const stage = dialog.getByLabel(/^Aperçu/)
    const opacity = () =>
      stage.evaluate(canvas =>
        canvas instanceof HTMLCanvasElement ? canvas.getContext('2d')?.getImageData(9, 9, 1, 1).data[3] : null,
      )
    await expect.poll(opacity).toBe(255)
    for (let step = 0; step < 20; step++) await stage.press('ArrowLeft')
    await dialog.getByRole('button', { name: 'Utiliser cette image' }).click()
    await dialog.waitFor({ state: 'detached' })
    const shown = page.locator('a[href="/user/myaccount"] img')
    await expect.poll(() => shown.getAttribute('src')).toMatch(/^\/avatar\/[0-9a-f]{32}\.png$/)
    const [width, red, green, blue] = await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const context = new OffscreenCanvas(256, 256).getContext('2d')
      context?.drawImage(image, 0, 0)
      return [image.naturalWidth, ...(context?.getImageData(128, 128, 1, 1).data ?? [])]
    })
    expect([width, (red ?? 0) > 240, (green ?? 255) < 20, (blue ?? 255) < 20]).toEqual([256, true, true, true])
    await page.getByRole('radio', { name: 'Phare' }).check({ force: true })
    await page.getByRole('button', { name: 'Enregistrer' }).first().click()
    await expect.poll(() => shown.getAttribute('src')).toBe('/assets/avatar/phare.svg')
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
