import { join } from 'node:path'
import { metricRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { createTcpScanners, SELDOM_S, type TcpScanner } from './kit/fleet.ts'
import { useProduct } from './kit/product.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

const SHOTS = process.env.NARVAL_TEST_SHOTS

let probe: WireProbe | null = null
let scanner: TcpScanner | null = null
const { api, open } = useProduct({
  prepare: async product => {
    probe = await approvedWireProbe(product.server.url, api)
    const [made] = await createTcpScanners(api, { probeId: probe.id, intervalSeconds: SELDOM_S, name: 'srv-paie' })
    scanner = made ?? null
  },
})

let sequence = 0
/** Says for the scanner that it answers or fails, and waits until it is the state of its metric. */
const answer = async (well: boolean): Promise<void> => {
  if (scanner === null) throw new Error('nothing is prepared')
  const { availability } = scanner
  const values: Record<string, number> = well ? { availability: 1, connect_time: 12 } : {}
  const failure = well ? null : { code: 'refused' as const, message: 'Connexion refusée' }
  sequence += 1
  const result = { scanner: scanner.scanner.id, at: Date.now(), durationMs: 12, failure, values }
  expect(await probe?.post(sequence, [result])).toBe(204)
  await expect
    .poll(async () => (await api.call(metricRoutes.get, { params: { id: String(availability.id) } })).severity)
    .toBe(well ? 'ok' : 'error')
}

describe('the statuses, seen', () => {
  it('show the present hour, its changes by the keyboard, and what stands where, without a reload', async () => {
    await answer(true)
    const { page } = await open('/dashboard/status-view')
    const columns = page.getByRole('region', { name: /^Colonnes empilées/ }).getByRole('button')
    await columns.last().waitFor()
    expect(await columns.count()).toBe(24)
    await columns.last().focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).searchParams.get('hour')).toMatch(/^\d+$/)
    await page.getByRole('heading', { name: /^Ce qui a changé/ }).waitFor()
    await page.getByRole('link', { name: /^\d+ · OK · srv-paie$/ }).waitFor()
    await answer(false)
    // What happens is told by itself: alike together, in the list, and in the matrix.
    const group = page.getByRole('button', { name: /1 métrique.*OK.*Erreur/ })
    await group.click()
    const list = page.locator('[data-table="status-change"]')
    await expect.poll(() => list.getByRole('link', { name: /^Incident n°/ }).count()).toBe(1)
    await expect.poll(() => columns.last().getAttribute('aria-label')).toContain('Erreur')
    expect(await findings(page, 'all')).toEqual([])
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'statuts.png'), fullPage: true })
    await page.getByRole('link', { name: /^1 · Erreur · srv-paie$/ }).click()
    await page.waitForURL(/live-view\?view=problems&siteId=\d+&severity=error/)
    await page.getByText('srv-paie').first().waitFor()
  })

  it('fit a narrow screen, by day too', async () => {
    const { page } = await open('/dashboard/status-view?range=30d', { width: 390, dark: true })
    const days = page.getByRole('region', { name: /^Colonnes empilées/ }).getByRole('button')
    await days.last().waitFor()
    expect(await days.count()).toBe(30)
    await days.last().click()
    await page.getByRole('heading', { name: /^Heures du / }).waitFor()
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(isWide).toBe(false)
    expect(await findings(page)).toEqual([])
  })
})
