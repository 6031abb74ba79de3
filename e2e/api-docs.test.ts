import { readFileSync } from 'node:fs'
import { ALL_ROUTES, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { openPage } from './kit/browser.ts'
import { useProduct } from './kit/product.ts'

const product = useProduct({ env: { NARVAL_LOCAL_PROBE: 'on' } })
const { open } = product

const isOpen = (page: Page, id: string) => page.locator(`#${id} > h3 > button`).getAttribute('aria-expanded')
/** Where the operation begins, under the bars that stay. */
const topOf = async (page: Page, id: string) => Math.round((await page.locator(`#${id}`).boundingBox())?.y ?? -1)
const count = (page: Page) => page.locator('main output').textContent()

describe('the reference of the API at /api/docs', () => {
  it('needs a signed-in user; other unknown addresses of the API stay a 404 problem', async () => {
    const { page, faults } = await openPage(product.browser, product.server.url)
    await page.goto('/api/docs')
    await page.waitForURL('**/login')
    expect(faults).toEqual([])
    await page.context().close()
    const unknown = await fetch(`${product.server.url}/api/documents`)
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('problem+json'),
    ])
    expect((await fetch(`${product.server.url}/api/openapi.json`)).status).toBe(401)
  })

  it('shows every operation, filters them, opens one by its anchor, copies its command, downloads the document', async () => {
    const { page } = await open('/user/myaccount')
    await page.getByRole('link', { name: 'Référence de l’API' }).click()
    await page.waitForURL('**/api/docs')
    await page.locator('#postSiteCreate').waitFor()
    await expect.poll(() => page.title()).toContain('Référence de l’API')
    await expect.poll(() => count(page)).toBe(`${ALL_ROUTES.length} opérations`)

    await page.getByRole('searchbox', { name: 'Filtrer les opérations' }).fill('SITE_write creer')
    await expect.poll(() => count(page)).toBe(`2 sur ${ALL_ROUTES.length} opérations`)
    expect(page.url()).toContain('?q=SITE_write')
    await page.locator('#postSiteCreate > h3 > button').press('Enter')
    const body = page.locator('#postSiteCreate section', { has: page.getByRole('heading', { name: 'Corps' }) })
    await body.getByText('lettres, chiffres et . _ - seulement').waitFor()
    const command = (await page.locator('#postSiteCreate').getByText('curl -X POST').textContent()) ?? ''
    expect(command).toContain(`'${product.server.url}/api/Site/Create'`)
    const sent = /-d '([^']+)'/.exec(command)?.[1] ?? '{}'
    expect(siteRoutes.create.body?.safeParse(JSON.parse(sent)).success).toBe(true)
    await page.getByRole('button', { name: 'Copier (exemple de postSiteCreate)' }).click()
    await page
      .locator('#postSiteCreate')
      .getByText(/^(Copié|Sélectionné)/)
      .waitFor()

    await page.getByRole('button', { name: 'Effacer le filtre' }).click()
    await page
      .getByRole('navigation', { name: 'Contrôleurs' })
      .getByRole('link', { name: /^Metric\s*\d/ })
      .click()
    await expect.poll(() => topOf(page, 'section-Metric')).toBeLessThan(200)
    await page.getByRole('link', { name: 'Lien vers getMetricMetricData' }).click()
    await expect.poll(() => isOpen(page, 'getMetricMetricData')).toBe('true')
    expect(page.url()).toContain('#getMetricMetricData')

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Télécharger openapi.json' }).click()
    const saved: unknown = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    expect(saved).toMatchObject({ openapi: '3.1.0', paths: { '/api/Site/Get': {} } })
  })

  it('a link to an operation opens it under the bars, on a phone too; axe-core finds nothing, light and dark', async () => {
    for (const [width, height, dark] of [
      [1440, 900, false],
      [390, 844, true],
    ] as const) {
      const { page } = await open('/api/docs#putHostDatatable', { width, height, dark })
      await page.locator('#putHostDatatable').waitFor()
      await expect.poll(() => isOpen(page, 'putHostDatatable')).toBe('true')
      await expect.poll(() => topOf(page, 'putHostDatatable')).toBeGreaterThan(95)
      expect(await topOf(page, 'putHostDatatable')).toBeLessThan(180)
      expect([width, await findings(page, 'all')]).toEqual([width, []])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      if (width === 390) {
        await page.getByRole('combobox', { name: 'Aller au contrôleur' }).selectOption('Probe')
        await expect.poll(() => topOf(page, 'section-Probe')).toBeLessThan(200)
      }
    }
  })
})
