import { accountRoutes, notificationRoutes, parameterRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { openPage, signInPage } from './kit/browser.ts'
import { createPerson, type Person, signIn } from './kit/client.ts'
import { interceptAlerts } from './kit/hub-in-page.ts'
import { useProduct } from './kit/product.ts'

let claire: Person
const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ server }) => {
    claire = await createPerson(server.url, api, 'claire')
  },
})
const { api } = product

const HOSTILE_LINKS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'blob:https://evil.test/1',
  'file:///etc/passwd',
  'ftp://evil.test/',
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  'http:evil.test',
  'https://evil.test/ x',
  'mailto:',
]
/** Those that lead out of the console by a web address, and are hostile only where a path is expected. */
const FOREIGN = ['https://evil.test/', 'mailto:evil@evil.test']
const OUTSIDE = 'a:not([href^="/"]):not([href^="#"])'

describe('S27: hostile links', () => {
  it('the API refuses them as Documentation, as Contact, as home page and as avatar', async () => {
    for (const link of HOSTILE_LINKS) {
      for (const key of ['documentationUrl', 'contactUrl'])
        await expect(api.call(parameterRoutes.setConfiguration, { body: { [key]: link } })).rejects.toThrow('400')
    }
    const own = await signIn(product.server.url, claire.login, claire.password)
    for (const link of [...HOSTILE_LINKS, ...FOREIGN, '../../evil']) {
      for (const key of ['homePage', 'avatar'])
        await expect(own.call({ ...accountRoutes.ownUpdate }, { body: { [key]: link } })).rejects.toThrow('400')
    }
  })

  it('the console follows none of them, whoever says them: parameters, account, notifications, hub', async () => {
    const { page, faults } = await openPage(product.browser, product.server.url)
    const links = [...HOSTILE_LINKS, ...FOREIGN]
    let said = { documentationUrl: '', contactUrl: '', home: '' }
    await page.route('**/api/Parameter/Public', async route => {
      const known = await (await route.fetch()).json()
      await route.fulfill({ json: { ...known, ...said } })
    })
    await page.route('**/api/Account/Get', async route => {
      const known = await (await route.fetch()).json()
      await route.fulfill({ json: { ...known, homePage: said.home, avatar: said.home } })
    })
    const notifications = links.map((hostile, index) => ({
      ...{ id: index + 1, at: new Date().toISOString(), severity: 'error', type: 'Error', read: false },
      ...{ title: `Titre ${index}`, message: hostile, link: hostile },
    }))
    const place = { unread: { error: 1, warning: 0, unknown: 0, ok: 0 }, latest: 99 }
    await page.route(`**${notificationRoutes.list.path}*`, route =>
      route.fulfill({ json: { notifications, ...place } }),
    )
    await page.route(`**${notificationRoutes.groups.path}*`, route => {
      const groups = notifications.map(one => ({
        ...{ place: one.id, incident: null, total: 1, unread: 1, notifications: [one] },
      }))
      return route.fulfill({ json: { groups, next: null, ...place } })
    })
    const push = await interceptAlerts(page)
    await signInPage(page, claire.login, claire.password)
    await page.waitForURL('**/dashboard/live-view')
    const help = page.getByRole('navigation', { name: 'Barre du haut' })
    // Two of each kind: the unit tests go through all of them.
    for (let index = 0; index < HOSTILE_LINKS.length; index += 5) {
      const [first = '', second = first] = HOSTILE_LINKS.slice(index)
      said = { documentationUrl: first, contactUrl: second, home: first }
      await page.goto('/comments')
      await help.getByRole('button', { name: 'Documentation' }).waitFor()
      await help.getByRole('button', { name: 'Contact' }).waitFor()
      expect([said, await page.locator(OUTSIDE).count()]).toEqual([said, 0])
      await help.getByRole('link', { name: 'Accueil' }).click()
      await page.waitForURL(`${product.server.url}/dashboard/live-view`)
    }
    await page.goto('/notifications')
    await page.getByText('Titre 0').first().waitFor()
    expect(await page.locator(`main ${OUTSIDE}`).count()).toBe(0)
    expect(await page.getByRole('link', { name: /^Titre/ }).count()).toBe(0)
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByRole('dialog').getByText('Titre 1', { exact: true }).waitFor()
    expect(await page.locator(OUTSIDE).count()).toBe(0)
    await page.keyboard.press('Escape')
    for (const [index, hostile] of links.entries())
      await push({ type: 'Info', title: `Alerte ${index}`, message: hostile, link: hostile, id: 1_000 + index })
    await page.getByText('Alerte 0').waitFor()
    await page.getByText(/autres alertes/).waitFor({ timeout: 3_000 })
    expect(
      await page
        .locator('.mantine-Notification-root')
        .filter({ hasText: /Alerte \d/ })
        .getByRole('link')
        .count(),
    ).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('what stands in the address of the sign-in page is not where it leads', async () => {
    const { page, faults, settle } = await openPage(product.browser, product.server.url)
    const names = ['returnUrl', 'redirect', 'redirectTo', 'next', 'from', 'url']
    for (const hostile of ['//evil.test', '/\\evil.test', 'javascript:globalThis.ran=1', 'https://evil.test/']) {
      const query = new URLSearchParams(names.map(name => [name, hostile]))
      await page.goto(`/login?${query}#${hostile}`)
      await page.getByPlaceholder('Nom de compte').fill(claire.login)
      await page.getByPlaceholder('Mot de passe').fill(claire.password)
      await page.getByRole('button', { name: 'Connexion' }).click()
      await page.waitForURL(`${product.server.url}/dashboard/live-view`)
      await settle()
      await page.getByRole('button', { name: 'Déconnexion' }).click()
      await page.waitForURL(`${product.server.url}/login`)
    }
    for (const path of ['//evil.test/x', '/%2f%2fevil.test/x', '/\\evil.test/x']) {
      await page.goto(`${product.server.url}${path}`)
      await page.waitForURL(`${product.server.url}/login`)
    }
    expect(faults.filter(fault => /^(request|script|websocket):/.test(fault))).toEqual([])
    await page.context().close()
  })
})
