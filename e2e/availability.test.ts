import { join } from 'node:path'
import { hostRoutes, siteRoutes } from '@narval/contracts'
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const SHOTS = process.env.NARVAL_TEST_SHOTS
const HOUR = 3_600_000
const REPORT = '/dashboard/status-view/availability'
const NOW = Date.now()

/** Ten days that are over: a host that never failed, one that did, in a maintenance too, and flapped. */
const writePast = (folder: string, [good, bad]: readonly [number, number]): void => {
  const database = new Database(join(folder, 'narval.db'))
  const begin = NOW - 240 * HOUR
  database.transaction(() => {
    database.prepare('update host set created_at = ?').run(begin)
    database.prepare('update metric set created_at = ?').run(begin)
    database.exec('delete from host_change; delete from metric_change; delete from server_run')
    const severity = database.prepare(`insert into metric_change (metric_id, at, severity_rank)
      select id, ?, ? from metric where host_id = ? and key = 'rtt_avg'`)
    for (const [hours, rank] of [
      [0, 3],
      [100, 0],
      [106, 3],
    ] as const)
      severity.run(begin + hours * HOUR, rank, bad)
    database.prepare('insert into server_run (started_at, seen_at) values (?, ?)').run(begin, NOW)
    const change = database.prepare('insert into host_change (host_id, at, state, flapping) values (?, ?, ?, ?)')
    for (const id of [good, bad]) change.run(id, begin, 'available', 0)
    for (const [hours, state, flapping] of [
      [20, 'down', 0],
      [26, 'available', 0],
      [60, 'unreachable', 0],
      [64, 'available', 0],
      [100, 'available', 1],
      [106, 'available', 0],
      [150, 'unknown', 0],
      [160, 'available', 0],
    ] as const)
      change.run(bad, begin + hours * HOUR, state, flapping)
    database
      .prepare('insert into host_late (host_id, from_at, until_at, good) values (?, ?, ?, 1)')
      .run(bad, begin + 152 * HOUR, begin + 158 * HOUR)
    const [from, to] = [begin + 25 * HOUR, begin + 30 * HOUR]
    database
      .prepare(`insert into maintenance_run (maintenance_id, comment, occurrence_at, started_at, until, ended_at, host_count,
        metric_count, hosts, metrics, bad_at_start) values (null, 'Changement de baie', ?, ?, ?, ?, 1, 0, ?, '', '')`)
      .run(from, from, to, to, String(bad))
    const incident = database
      .prepare(`insert into incident (event_key, kind, metric_id, host_id, site_id, severity_rank, worst_rank, information,
        opened_at, closed_at) select 'e2e', 'metric', metric.id, host.id, host.site_id, 3, 3, '', ?, ? from metric
        join host on host.id = metric.host_id where host.id = ? limit 1`)
      .run(begin + 20 * HOUR, begin + 26 * HOUR, bad)
    expect(incident.changes).toBe(1)
  })()
  database.close()
}

const made = { site: 0, bad: 0 }
const { open } = useProduct({
  prepare: async product => {
    const { api } = product
    const site = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const host = (name: string) =>
      api.call(hostRoutes.create, { body: { name, address: '192.0.2.1', siteId: site.id, withPing: true } })
    const [good, bad] = [await host('srv-calme'), await host('srv-paie')]
    product.server.kill('SIGTERM')
    await product.server.exited
    writePast(product.folder, [good.id, bad.id])
    await product.restart()
    Object.assign(made, { site: site.id, bad: bad.id })
  },
})
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

describe('a report of availability, seen', () => {
  it('opens from its ratio down to the incident that made it, and prints without the console around it', async () => {
    const { page } = await open(`${REPORT}?period=30d&site=${made.site}`)
    const row = page.getByRole('row').filter({ hasText: 'srv-paie' })
    // 5 h down outside of the maintenance and 4 h unreachable of 240 h, less 5 h of maintenance, 6 of flapping, 4 unknown.
    await row.getByText('96,000\u202f%').waitFor()
    await page.getByRole('heading', { name: 'Ensemble\u202f: 2 équipements' }).waitFor()
    expect(await findings(page)).toEqual([])
    await shoot(page, 'availability-list')
    await page.getByRole('button', { name: 'Décompte' }).click()
    await page.getByRole('combobox', { name: 'Injoignable' }).click()
    await page.getByRole('option', { name: 'À part' }).click()
    await row.getByText('97,737\u202f%').waitFor()
    expect(await findings(page)).toEqual([])
    await shoot(page, 'availability-rules')
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      Reflect.set(globalThis, 'print', () => Reflect.set(globalThis, 'printed', true))
    })
    await page.getByRole('button', { name: 'Imprimer' }).click()
    await page.waitForFunction(() => Reflect.get(globalThis, 'printed') === true)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.setViewportSize({ width: 720, height: 1_000 })
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.locator('[data-print-sheet]').getByText('Site\u202f: Lyon').waitFor()
    expect(await page.locator('[data-print-sheet] tbody tr').allInnerTexts()).toHaveLength(2)
    await shoot(page, 'availability-print')
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    await page.setViewportSize({ width: 1_440, height: 900 })
    await row.click()
    await page.getByRole('heading', { name: 'srv-paie' }).waitFor()
    const down = page.locator('[data-interval="down"]')
    await down.getByText('Indisponible').first().waitFor()
    expect(await page.locator('tbody [data-interval]').count()).toBeGreaterThanOrEqual(6)
    expect(await page.getByText('Changement de baie').count()).toBeGreaterThan(0)
    expect(await findings(page)).toEqual([])
    await shoot(page, 'availability-host')
    await down.getByRole('link').click()
    await page.waitForURL('**/dashboard/live-view/incident/*')
  })

  it('holds on a narrow and dark screen, and shows its month on the pages of the host and of the site', async () => {
    const { page } = await open(`${REPORT}/host/${made.bad}?period=30d`, { width: 390, height: 844, dark: true })
    await page.getByText('Pannes').first().waitFor()
    expect(await isWide(page)).toBe(false)
    await shoot(page, 'availability-host-narrow')
    await page.goto(`${REPORT}?period=30d&by=site&site=${made.site}`)
    await page.getByText('98,064').first().waitFor()
    expect(await isWide(page)).toBe(false)
    expect(await findings(page)).toEqual([])
    await shoot(page, 'availability-narrow')
    await page.goto(`/site/${made.site}`)
    await page.getByText('Disponibilité des 30 derniers jours').waitFor()
    await shoot(page, 'availability-site')
    await page.goto(`/host/${made.bad}`)
    await page.getByRole('link', { name: 'Voir le rapport' }).click()
    await page.waitForURL(`**${REPORT}/host/${made.bad}**`)
  })

  it('leads from a host to its metrics, and from a metric to what made its figures', async () => {
    const { page } = await open(`${REPORT}?period=30d&site=${made.site}`)
    await page.getByRole('link', { name: 'Ses métriques\u202f: srv-paie' }).click()
    // 6 h of error of 240 h.
    await page.getByRole('row').filter({ hasText: '97,500\u202f%' }).click()
    await page.getByRole('heading', { name: 'Temps de réponse' }).waitFor()
    await page.locator('[data-interval="error"]').getByText('6\u202fh').first().waitFor()
    await page.getByText(/^Rapport établi à \d\d:\d\d:\d\d/).waitFor()
    expect(await findings(page)).toEqual([])
  })
})
