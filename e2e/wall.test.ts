import { type DisplayToken, displayRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { openContext, openTab } from './kit/browser.ts'
import { createTcpScanners, SELDOM_S } from './kit/fleet.ts'
import { useProduct } from './kit/product.ts'
import { stopServer } from './kit/server.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

const NAMES = ['alpha', 'bravo', 'charlie'] as const
const product = useProduct({
  async prepare({ server, api }) {
    const probe = await approvedWireProbe(server.url, api)
    const failing = []
    for (const name of NAMES)
      failing.push(...(await createTcpScanners(api, { probeId: probe.id, intervalSeconds: SELDOM_S, name })))
    const refused = { code: 'refused' as const, message: 'Connexion refusée' }
    const of = { scanner: failing[0]?.scanner.id ?? 0, at: Date.now(), durationMs: 1, values: {} }
    await probe.post(1, [{ ...of, failure: refused }])
  },
})

const token = async (): Promise<DisplayToken & { token: string }> =>
  product.api.call(displayRoutes.create, { body: { name: 'Hall' } })
const fits = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    return scrollWidth <= innerWidth && scrollHeight <= innerHeight
  })

describe('« Équipements » and the wall', () => {
  it('each host is a cell: arrows go from one to the next, which is announced; Enter opens it', async () => {
    const { page } = await product.open('/dashboard/host-status')
    const grid = page.getByRole('application', { name: 'Grille des équipements' })
    await grid.focus()
    const said = (name: string) =>
      page
        .getByRole('status')
        .filter({ hasText: `${name}, ` })
        .waitFor()
    await said('alpha')
    await page.keyboard.press('ArrowRight')
    await said('bravo')
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'bravo', level: 1 }).waitFor()
  })

  it('a screen without session shows the wall by its token, on any screen without scrolling; revoked, it shows nothing', async () => {
    const { id, token: secret } = await token()
    const { url } = product.server
    const context = await openContext(product.browser, url, { width: 1920, height: 1080 })
    const { page, faults } = await openTab(context, url)
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.goto(`/wall?views=problems#${secret}`)
    await page.getByText('alpha').first().waitFor()
    for (const size of [
      { width: 3840, height: 2160 },
      { width: 1080, height: 1920 },
    ]) {
      await page.setViewportSize(size)
      expect([size, await fits(page)]).toEqual([size, true])
    }
    expect(await findings(page)).toEqual([])
    expect(asked.filter(one => one.includes(secret) && !one.includes('#'))).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
    await product.api.call(displayRoutes.delete, { params: { id: String(id) } })
    await page.getByText('Cet affichage n’est plus autorisé').waitFor({ timeout: 5_000 })
    expect(await page.getByText('alpha').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('the server stops: the wall says within 10 s that it is frozen, and goes on by itself once it is back', async () => {
    const { token: secret } = await token()
    const { url } = product.server
    const context = await openContext(product.browser, url, { width: 1920, height: 1080 })
    const { page } = await openTab(context, url)
    await page.goto(`/wall?views=problems#${secret}`)
    await page.getByText('alpha').first().waitFor()
    await stopServer(product.server)
    const stoppedMs = Date.now()
    await page.getByRole('alert').getByText('Données figées depuis').waitFor({ timeout: 15_000 })
    expect(Date.now() - stoppedMs).toBeLessThan(10_000)
    expect(await page.getByText('alpha').first().isVisible()).toBe(true)
    await product.restart()
    await page.getByText('Données à jour').waitFor({ timeout: 15_000 })
    await context.close()
  })
})
