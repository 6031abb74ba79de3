import { fileURLToPath } from 'node:url'
import { accountRoutes, LOGO_SIDE, parameterRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { faultsOf } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const DOCUMENTATION = 'https://docs.example.org/narval'
/** A picture wider than it is high. */
const PICTURE = fileURLToPath(new URL('../docs/images/guide/services.webp', import.meta.url))
const CONTACT = 'mailto:exploitation@example.org'

let page: Page
let faults: readonly string[]
const product = useProduct({
  prepare: async ({ open }) => {
    ;({ page, faults } = await open('/'))
    await page.waitForURL('**/dashboard/live-view')
  },
})
const { api } = product

const menuTexts = () => page.getByRole('navigation', { name: 'Menu principal' }).locator('a, button').allTextContents()
const top = () => page.getByRole('banner')

afterAll(() => expect(faults).toEqual([]))

describe('spec §2, the top bar', () => {
  it('the toggle folds and unfolds the menu', async () => {
    await page.goto('/site')
    const toggle = top().getByRole('button', { name: 'Replier ou déplier le menu' })
    await toggle.click()
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false')
    await toggle.click()
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true')
  })

  it('Documentation opens the guide in a tab of its own: it is searched, read by page and accessible, without a word inline or a request elsewhere', async () => {
    await page.goto('/log')
    const opened = page.context().waitForEvent('page')
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Documentation/ })
      .click()
    const guide = await opened
    await guide.waitForURL('**/guide/')
    const heard: string[] = []
    guide.on('console', message => heard.push(message.text()))
    guide.on('request', request => {
      if (!request.url().startsWith(`${product.server.url}/`)) heard.push(request.url())
    })
    await guide.getByRole('heading', { level: 1, name: 'Le guide de Narval' }).waitFor()
    expect(await faultsOf(guide)).toEqual([])
    await guide.keyboard.press('/')
    await guide.keyboard.type('prendre en charge')
    await guide.getByRole('link', { name: /^Agir sur les problèmes › Prendre en charge/ }).waitFor()
    expect(await faultsOf(guide)).toEqual([])
    await guide.keyboard.press('Enter')
    await guide.waitForURL('**/guide/agir.html#prendre-en-charge')
    await guide.getByRole('heading', { level: 1, name: 'Agir sur les problèmes' }).waitFor()
    await guide.setViewportSize({ width: 390, height: 844 })
    await guide.emulateMedia({ colorScheme: 'dark' })
    expect(await faultsOf(guide)).toEqual([])
    // The page's own « ? » leads to the page about it.
    await page.getByRole('link', { name: /^Cette page dans le guide/ }).click()
    await expect
      .poll(() =>
        page
          .context()
          .pages()
          .map(tab => tab.url()),
      )
      .toContain(`${product.server.url}/guide/journal.html`)
    expect([...faults, ...heard]).toEqual([])
  })

  it('Accueil leads to /home; Documentation and Contact lead out, where the parameters say', async () => {
    await api.call(parameterRoutes.setConfiguration, {
      body: { documentationUrl: DOCUMENTATION, contactUrl: CONTACT },
    })
    await page.goto('/site')
    expect(await top().getByRole('link', { name: 'Accueil' }).getAttribute('href')).toBe('/home')
    const documentation = top().getByRole('link', { name: /^Documentation/ })
    await expect.poll(() => documentation.getAttribute('href')).toBe(DOCUMENTATION)
    expect(await documentation.getAttribute('rel')).toBe('noopener noreferrer')
    expect(
      await top()
        .getByRole('link', { name: /^Contact/ })
        .getAttribute('href'),
    ).toBe(CONTACT)
  })

  it('the comments dropdown is 420 px wide at most and links to /comments', async () => {
    await top().getByRole('button', { name: 'Commentaires' }).click()
    const panel = page.getByRole('dialog', { name: 'Commentaires' })
    const link = panel.getByRole('link', { name: 'Voir tout les commentaires', exact: true })
    await link.waitFor()
    expect((await panel.boundingBox())?.width).toBeLessThanOrEqual(420)
    await link.click()
    await page.waitForURL('**/comments')
  })

  it('the notifications dropdown has four counters, 0 when nothing is unread, and its footer', async () => {
    await top()
      .getByRole('button', { name: /^Notifications/ })
      .click()
    const panel = page.getByRole('dialog', { name: 'Notifications' })
    await panel.getByRole('link', { name: 'Voir toute les notifications', exact: true }).waitFor()
    expect(await panel.locator('dt').allTextContents()).toEqual(['Erreur', 'Alerte', 'Inconnu', 'OK'])
    expect(await panel.locator('dd').allTextContents()).toEqual(['0', '0', '0', '0'])
    await page.keyboard.press('Escape')
  })

  it('the full-screen toggle follows the browser, whoever enters or leaves', async () => {
    await top().getByRole('button', { name: 'Passer en plein écran' }).click()
    const leave = top().getByRole('button', { name: 'Quitter le plein écran' })
    await leave.waitFor()
    expect(await leave.getAttribute('aria-pressed')).toBe('true')
    await page.evaluate(() => document.exitFullscreen())
    await top().getByRole('button', { name: 'Passer en plein écran' }).waitFor()
  })
})

describe('spec §2, the side bar', () => {
  it('the brand leads to /home; the panel to the account, with its name and its avatar from the assets’ folder', async () => {
    await page.goto('/site')
    const bar = page.getByRole('complementary')
    expect(await bar.getByRole('link').first().getAttribute('href')).toBe('/home')
    const panel = bar.getByRole('link').nth(1)
    expect([await panel.getAttribute('href'), (await panel.textContent())?.trim()]).toEqual([
      '/user/myaccount',
      'ADMIN',
    ])
    const avatar = panel.locator('img')
    expect(await avatar.getAttribute('src')).toMatch(/^\/assets\/avatar\/narval\.\w+$/)
    expect(await avatar.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    await api.call(accountRoutes.ownUpdate, { body: { lastName: 'Le Goff' } })
    await page.reload()
    await panel.getByText('LE GOFF', { exact: true }).waitFor()
    await api.call(accountRoutes.ownUpdate, { body: { firstName: 'Anaïs' } })
    await page.reload()
    await panel.getByText('Anaïs LE GOFF', { exact: true }).waitFor()
    await api.call(accountRoutes.ownUpdate, { body: { firstName: '', lastName: '' } })

    // The picture beside the name is the product's own once one is chosen, and Narval's again when it goes.
    const mark = bar.locator('img').first()
    expect(await mark.getAttribute('src')).toBe('/assets/logo.svg')
    await page.goto('/system/parameter/configuration')
    await page.locator('input[type=file]').setInputFiles(PICTURE)
    await expect.poll(() => mark.getAttribute('src')).toMatch(/^\/logo\/[0-9a-f]{32}\.png$/)
    await expect.poll(() => mark.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(LOGO_SIDE)
    await page.getByRole('button', { name: 'Revenir à celle de Narval' }).click()
    await expect.poll(() => mark.getAttribute('src')).toBe('/assets/logo.svg')
  })

  it('the search box says « Rechercher » and finds pages as one types, by keyboard too', async () => {
    await page.keyboard.press('Control+k')
    const box = page.getByPlaceholder('Rechercher')
    await expect.poll(() => box.evaluate(input => document.activeElement === input)).toBe(true)
    await box.fill('metriq')
    await page
      .getByRole('option', { name: /Métriques/ })
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/metric**')
  })

  it('the search box finds objects with a fault and does what is named, all by keyboard; what one has seen is offered', async () => {
    const { id } = await api.call(siteRoutes.create, { body: { name: 'Strasbourg', code: 'STR' } })
    await page.goto('/log')
    const box = page.getByRole('combobox', { name: 'Rechercher' })
    const chosen = () => page.locator('[role="option"][aria-selected="true"]')
    await page.keyboard.press('Control+k')
    await box.pressSequentially('strasbuorg')
    await chosen()
      .getByText(/^Strasbourg$/)
      .waitFor()
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'))
    expect(await chosen().locator('mark').textContent()).toBe('Strasbourg')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
    await tab.waitForURL(`**/site/${id}`)
    await tab.close()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/site/${id}`)
    // Typed with Enter in one go: what is typed is followed, not what was shown before.
    await page.keyboard.press('Control+k')
    await box.pressSequentially('journal')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/log')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /Strasbourg/ }).waitFor()
    expect(await chosen().count()).toBe(0)
    await page.keyboard.press('End')
    expect(await chosen().textContent()).toContain('Strasbourg')
    await page.keyboard.press('Escape')
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('Control+k')
    await box.pressSequentially('sombre')
    await chosen().getByText('Changer de thème').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe('dark')
    await api.call(accountRoutes.ownUpdate, { body: { theme: 'auto' } })
    await page.keyboard.press('Control+k')
    await box.pressSequentially('acquitter strasbourg')
    await page.getByText('il n’y a rien à acquitter').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => box.inputValue()).toBe('')
    // A verb and a name, on a phone: Escape leaves what was found, and the drawer stays.
    await page.setViewportSize({ width: 390, height: 844 })
    const drawer = page.getByRole('dialog', { name: 'Menu principal' })
    const dialog = page.getByRole('dialog', { name: /^Planifier une maintenance/ })
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await expect.poll(() => box.evaluate(input => document.activeElement === input)).toBe(true)
    await box.pressSequentially('maintenance strasbuorg')
    await chosen().getByText('Planifier une maintenance de Strasbourg').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => box.inputValue()).toBe('')
    expect(await drawer.count()).toBe(1)
    await box.pressSequentially('maintenance strasbuorg')
    await chosen().getByText('Planifier une maintenance de Strasbourg').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await drawer.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the menu has the entries of the requirements, in their order; groups open and close on click', async () => {
    await page.goto('/site')
    await page.getByText('ADMINISTRATION', { exact: true }).waitFor()
    expect(await menuTexts()).toEqual([
      'Tableaux de bord',
      'Général',
      'Statuts',
      'Équipements',
      'Sites',
      'Équipements',
      'Métriques',
      'Édition',
      'Site',
      'Équipement',
      'Métrique',
      'Champs dynamiques',
      'Scanner',
      'Utilisateurs',
      'Comptes',
      'Groupes',
      'Sonde',
      'Services Narval',
      'Log',
    ])
    const group = page.getByRole('button', { name: 'Tableaux de bord' })
    const child = page.getByRole('link', { name: 'Statuts', exact: true })
    expect([await group.getAttribute('aria-expanded'), await child.isVisible()]).toEqual(['true', true])
    await group.click()
    expect([await group.getAttribute('aria-expanded'), await child.isVisible()]).toEqual(['false', false])
    await group.click()
    expect(await child.isVisible()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/site')
  })
})
