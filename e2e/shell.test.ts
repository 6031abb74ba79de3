import { accountRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, signInPage } from './kit/browser.ts'
import { useProduct } from './kit/product.ts'

let page: Page
let faults: readonly string[]
const product = useProduct({
  prepare: async ({ open }) => {
    ;({ page, faults } = await open('/'))
    await page.waitForURL('**/dashboard/live-view')
  },
})
const { api } = product

const titleIs = (title: string) => expect.poll(() => page.title()).toBe(title)

describe('spec §2, routes', () => {
  it('the empty path and /home lead to dashboard/live-view; without a session, to /login', async () => {
    for (const path of ['/', '/home']) {
      await page.goto(path)
      await page.waitForURL('**/dashboard/live-view')
    }
    const stranger = await openPage(product.browser, product.server.url)
    for (const path of [
      '/',
      '/home',
      '/dashboard/live-view',
      '/site',
      '/host/edit',
      '/user/myaccount',
      '/nulle/part',
      '/nulle.part',
    ]) {
      await stranger.page.goto(path)
      await stranger.page.waitForURL('**/login')
    }
    await expect.poll(() => stranger.page.title()).toBe('Connexion')
    await stranger.page.context().close()
  })

  it.each([
    ['/dashboard/live-view', 'Général'],
    ['/dashboard/status-view', 'Statuts'],
    ['/dashboard/host-status', 'Équipements'],
    ['/site', 'Sites'],
    ['/host', 'Équipements'],
    ['/metric', 'Métriques'],
    ['/site/edit', 'Édition des sites'],
    ['/host/edit', 'Édition des équipements'],
    ['/metric/edit', 'Édition des métriques'],
    ['/customfield/edit', 'Champs dynamiques'],
    ['/scanner/edit', 'Scanner'],
    ['/user/edit', 'Comptes'],
    ['/user/group', 'Groupes'],
    ['/probe/edit', 'Sonde'],
    ['/system', 'Services Narval'],
    ['/log', 'Log'],
    ['/comments', 'Commentaires'],
    ['/notifications', 'Notifications'],
    ['/user/myaccount', 'Mon compte'],
  ])('%s is loaded on demand; its title, last of the breadcrumb, is the tab’s: %s', async (path, title) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await titleIs(title)
    const crumbs = await page.getByRole('navigation', { name: 'Fil d’Ariane' }).getByRole('listitem').allTextContents()
    expect([crumbs[0], crumbs.at(-1)]).toEqual(['Accueil', title])
  })

  it('404 says so, with a link back to the home page; an address of nothing leads there by /login', async () => {
    await page.goto('/404')
    await titleIs('Page introuvable')
    await page.getByRole('main').getByRole('link', { name: 'Retour à l’accueil' }).click()
    await page.waitForURL('**/dashboard/live-view')
    await page.goto('/nulle-part')
    await page.waitForURL('**/dashboard/live-view')
  })

  it('a navigation scrolls to the top, an anchor to its place', async () => {
    await page.setViewportSize({ width: 1440, height: 400 })
    await page.goto('/site/edit/new')
    // The form comes after its title: until then there is nothing to scroll.
    await page.locator('main form').waitFor()
    const scrolled = () =>
      page.evaluate(() => {
        scrollTo(0, 10_000)
        return scrollY
      })
    await expect.poll(scrolled).toBeGreaterThan(50)
    await page.getByRole('link', { name: 'Métriques', exact: true }).click()
    await titleIs('Métriques')
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.goto('/site/edit/new#content')
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#content')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('spec §2, the bare screens', () => {
  it('/login has its title, its intro, its two fields and its button, and nothing of the shell', async () => {
    const stranger = await openPage(product.browser, product.server.url)
    await stranger.page.goto('/login')
    await stranger.page.getByText('Connectez-vous pour démarrer votre session').waitFor()
    await stranger.page.getByPlaceholder('Nom de compte').waitFor()
    await stranger.page.getByPlaceholder('Mot de passe').waitFor()
    await stranger.page.getByRole('button', { name: 'Connexion', exact: true }).waitFor()
    expect(await stranger.page.locator('[data-shell], aside, nav, footer').count()).toBe(0)
    expect(stranger.faults).toEqual([])
    await stranger.page.context().close()
  })

  it('/password-reset has its title, its two fields, its button and its link, and nothing of the shell; « Annuler » signs out', async () => {
    await api.call(accountRoutes.create, { body: { login: 'nouvelle', password: 'Nouvelle-2026!' } })
    const fresh = await openPage(product.browser, product.server.url)
    await signInPage(fresh.page, 'nouvelle', 'Nouvelle-2026!')
    await fresh.page.waitForURL('**/password-reset')
    await expect.poll(() => fresh.page.title()).toBe('Réinitialisation du mot de passe')
    await fresh.page.getByPlaceholder('Mot de passe', { exact: true }).waitFor()
    await fresh.page.getByPlaceholder('Confirmer le mot de passe').waitFor()
    await fresh.page.getByRole('button', { name: 'Réinitialiser', exact: true }).waitFor()
    expect(await fresh.page.locator('[data-shell], aside, nav, footer').count()).toBe(0)
    // On a first connection every other page leads back here.
    await fresh.page.goto('/host')
    await fresh.page.waitForURL('**/password-reset')
    await fresh.page
      .getByRole('link', { name: 'Annuler' })
      .or(fresh.page.getByRole('button', { name: 'Annuler' }))
      .click()
    await fresh.page.waitForURL('**/login')
    expect(await fresh.page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
    expect(fresh.faults).toEqual([])
    await fresh.page.context().close()
  })

  it('who is signed in already is sent from /login to the home page', async () => {
    await page.goto('/login')
    await page.waitForURL('**/dashboard/live-view')
  })
})

describe('spec §2, the page', () => {
  it('the footer bears the copyright of 2020-2022 and version 2.1; the default title is the product’s name', async () => {
    await page.goto('/site')
    expect(await page.getByRole('contentinfo').textContent()).toMatch(/2020-2022.*2\.1/)
    expect(
      await page.evaluate(async () => (await (await fetch('/login')).text()).match(/<title>(.*)<\/title>/)?.[1]),
    ).toBe('Narval')
  })

  it('signing out leads to /login', async () => {
    expect(faults).toEqual([])
    await page.getByRole('banner').getByRole('button', { name: 'Déconnexion' }).click()
    await page.waitForURL('**/login')
  })
})
