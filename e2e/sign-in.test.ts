import { parameterRoutes } from '@narval/contracts'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { holdBack, openPage, signInPage } from './kit/browser.ts'
import { createPerson, type Person } from './kit/client.ts'
import { useProduct } from './kit/product.ts'
import { LIVE_VIEW, newTab, REFRESH, settled, signedOut } from './kit/session.ts'

let claire: Person
const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ server }) => {
    claire = await createPerson(server.url, api, 'claire')
  },
})
const { api } = product

const toast = (page: Page) => page.getByRole('alert')
describe('spec §2, §5, §8: the sign-in form', () => {
  it('« Connexion » is disabled with a spinner while the server is asked; a refusal is a toast « Login or Password incorect », the fields invalid, the form open again', async () => {
    const { page, faults } = await openPage(product.browser, product.server.url)
    const release = await holdBack(page, '/api/Authentication/Login')
    await signInPage(page, claire.login, 'Faux-2026!')
    const button = page.getByRole('button', { name: 'Connexion' })
    await expect.poll(() => button.isDisabled()).toBe(true)
    expect(await button.getAttribute('aria-busy')).toBe('true')
    expect(await button.textContent()).toBe('Connexion')
    const spinner = button.locator('span')
    expect(await spinner.evaluate(one => getComputedStyle(one).animationName)).not.toBe('none')
    release()
    await toast(page).waitFor()
    expect(await toast(page).getByText('Login or Password incorect', { exact: true }).count()).toBe(1)
    const [login, password] = [page.getByPlaceholder('Nom de compte'), page.getByPlaceholder('Mot de passe')]
    for (const field of [login, password]) expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await button.isEnabled()).toBe(true)
    expect([await spinner.count(), await login.inputValue()]).toEqual([0, claire.login])
    await password.fill(claire.password)
    expect(await password.getAttribute('aria-invalid')).toBe('false')
    await password.press('Enter')
    await page.waitForURL('**/dashboard/live-view')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('both fields are required: nothing is sent without them', async () => {
    const { page } = await openPage(product.browser, product.server.url)
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    for (const [login, password, sentence] of [
      ['', 'Secret-2026!', 'Un nom de compte est requis'],
      ['claire', '', 'Un mot de passe est requis'],
    ] as const) {
      await signInPage(page, login, password)
      await page.getByText(sentence, { exact: true }).waitFor()
    }
    expect(asked).not.toContain('/api/Authentication/Login')
    await page.context().close()
  })

  it('no answer, or a fault of the server, says so and not that the password is wrong', async () => {
    const { page } = await openPage(product.browser, product.server.url)
    for (const fail of [(route: Route) => route.abort(), (route: Route) => route.fulfill({ status: 503, body: '' })]) {
      await page.route('**/api/Authentication/Login', fail)
      await signInPage(page, claire.login, claire.password)
      await toast(page).getByText('Connexion impossible', { exact: true }).waitFor()
      expect(await page.getByPlaceholder('Mot de passe').getAttribute('aria-invalid')).toBe('false')
      await page.unroute('**/api/Authentication/Login')
    }
    await page.context().close()
  })
})

describe('spec §8: the update of a password', () => {
  const reset = async (page: Page, password: string): Promise<void> => {
    await page.getByPlaceholder('Mot de passe', { exact: true }).fill(password)
    await page.getByPlaceholder('Confirmer le mot de passe').fill(password)
    await page.getByRole('button', { name: 'Réinitialiser' }).click()
  }

  it('a refusal is a toast titled with the status and its text, its errors joined by spaces, the form open again; a success says so and signs out', async () => {
    const fresh = await createPerson(product.server.url, api, 'nouvelle', { fresh: true })
    const { page, faults } = await openPage(product.browser, product.server.url)
    await signInPage(page, fresh.login, fresh.password)
    await page.waitForURL('**/password-reset')
    const button = page.getByRole('button', { name: 'Réinitialiser' })
    expect(await button.isDisabled()).toBe(true)

    // The page has read the limits; the server's own are others by now.
    await page.waitForLoadState('networkidle')
    await api.call(parameterRoutes.setConfiguration, { body: { passwordMinLength: 20 } })
    await reset(page, 'Court-2026!')
    await toast(page).getByText('400 Bad Request', { exact: true }).waitFor()
    await toast(page)
      .getByText(/au moins 20 caractères/)
      .waitFor()
    await expect.poll(() => button.isEnabled()).toBe(true)
    await api.call(parameterRoutes.setConfiguration, { body: { passwordMinLength: null } })

    const path = '**/api/Account/Password/Update'
    const problem = { status: 422, title: 'Refus', detail: '', errors: ['Première raison.', 'Seconde raison.'] }
    await page.route(path, route =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await button.click()
    await toast(page).getByText('422 Unprocessable Entity', { exact: true }).waitFor()
    await toast(page).getByText('Première raison. Seconde raison.', { exact: true }).waitFor()
    await page.unroute(path)

    await reset(page, 'Nouveau-2026!')
    await toast(page).getByText('Mot de passe mis à jour', { exact: true }).waitFor()
    await page.waitForURL('**/login')
    expect(await page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual(['uuid', 'version'])
    await signInPage(page, fresh.login, 'Nouveau-2026!')
    await page.waitForURL('**/dashboard/live-view')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('a first connection goes nowhere but to its password, whatever address is opened', async () => {
    const fresh = await createPerson(product.server.url, api, 'ailleurs', { fresh: true })
    const { page } = await openPage(product.browser, product.server.url)
    await signInPage(page, fresh.login, fresh.password)
    await page.waitForURL('**/password-reset')
    for (const path of ['/', '/home', '/host', '/user/myaccount', '/login', '/nulle-part']) {
      await page.goto(path)
      await page.waitForURL('**/password-reset')
    }
    await page.getByRole('link', { name: 'Annuler' }).click()
    await page.waitForURL('**/login')
    await page.goto('/password-reset')
    await page.waitForURL('**/login')
    await page.context().close()
  })
})

describe('where one goes on after signing in', () => {
  const PLACE = '/api/docs?q=SITE_write#postSiteCreate'
  const fill = async (page: Page): Promise<void> => {
    await page.getByPlaceholder('Nom de compte').fill(claire.login)
    await page.getByPlaceholder('Mot de passe').fill(claire.password)
    await page.getByRole('button', { name: 'Connexion' }).click()
  }

  it('is the address that was asked for, its query and its anchor with it; also when a session ended there', async () => {
    const { page, faults } = await newTab(product)
    await page.clock.install()
    await page.goto(PLACE)
    await signedOut(page)
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.reload()
    await fill(page)
    await page.waitForURL(`${product.server.url}${PLACE}`)
    await page.getByRole('searchbox', { name: 'Filtrer les opérations' }).waitFor()

    await page.route(`**${REFRESH}`, route => route.abort())
    await page.clock.fastForward('11:00')
    await signedOut(page)
    await page.unroute(`**${REFRESH}`)
    await fill(page)
    await page.waitForURL(`${product.server.url}${PLACE}`)
    expect(settled(faults)).toEqual([])
    await page.context().close()
  })

  it('is the home page after one signed out, and whatever else stands in the tab’s storage (S27)', async () => {
    const { page, faults } = await newTab(product)
    await page.goto(PLACE)
    await signedOut(page)
    await fill(page)
    await page.waitForURL(`${product.server.url}${PLACE}`)
    await page.getByRole('button', { name: 'Déconnexion' }).click()
    await signedOut(page)
    for (const hostile of [null, '//evil.test/x', '/..//evil.test', 'javascript:globalThis.ran=1', '/login']) {
      await page.evaluate(path => {
        if (path !== null) sessionStorage.setItem('returnTo', path)
      }, hostile)
      await fill(page)
      await page.waitForURL(`${product.server.url}${LIVE_VIEW}`)
      await page.getByRole('button', { name: 'Déconnexion' }).click()
      await signedOut(page)
    }
    expect(settled(faults)).toEqual([])
    await page.context().close()
  })
})
