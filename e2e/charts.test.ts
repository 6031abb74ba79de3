import { readFile } from 'node:fs/promises'
import { type CheckResult, commentRoutes } from '@narval/contracts'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { createTcpScanners, type TcpScanner } from './kit/fleet.ts'
import { useProduct } from './kit/product.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const NAMES = ['srv-compta', 'srv-paie'] as const
let scanners: readonly TcpScanner[] = []

/** A measure a minute over the last hour and over the same hour of the day before. */
const { api, open } = useProduct({
  prepare: async product => {
    const probe = await approvedWireProbe(product.server.url, api)
    const made: TcpScanner[] = []
    for (const name of NAMES) made.push(...(await createTcpScanners(api, { probeId: probe.id, name })))
    scanners = made
    const now = Date.now()
    const results = [DAY, 0].flatMap(before =>
      Array.from({ length: 58 }, (_, minute) => now - before - (58 - minute) * MINUTE).flatMap(at =>
        made.map(({ scanner }, index): CheckResult => {
          const values = { availability: 1, connect_time: (before === 0 ? 20 : 60) + index * 10 }
          return { scanner: scanner.id, at, durationMs: 12, failure: null, values }
        }),
      ),
    )
    expect(await probe.post(1, results)).toBe(204)
  },
})

const idOf = (index: number): number => scanners[index]?.connectTime.id ?? 0
const chartOf = (page: Page): Locator => page.getByRole('application')
const drag = async (page: Page, from: number, to: number): Promise<void> => {
  const box = await chartOf(page).locator('.u-over').first().boundingBox()
  if (box === null) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * from, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
}
const spanOf = (page: Page): number => {
  const { searchParams } = new URL(page.url())
  return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')
}

describe('charts', () => {
  it('is zoomed by dragging and by keys, each step in the address; back leads out again', async () => {
    const { page } = await open(`/metric/${idOf(0)}`)
    await page.getByRole('application', { name: /dernière valeur 20/ }).waitFor()
    await drag(page, 0.5, 0.75)
    await page.waitForURL(/from=/)
    expect(spanOf(page) / MINUTE).toBeCloseTo(15, 0)
    await chartOf(page).focus()
    await page.keyboard.press('Home')
    await page.getByText(/^\d\d\/\d\d\/\d{4}.*20.ms$/).waitFor({ state: 'attached' })
    await page.keyboard.press('-')
    await page.waitForURL(() => Math.abs(spanOf(page) / MINUTE - 30) < 1)
    const from = new URL(page.url()).searchParams.get('from')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.waitForURL(url => url.searchParams.get('from') !== from)
    expect(spanOf(page) / MINUTE).toBeCloseTo(30, 0)
    await page.keyboard.press('Escape')
    await page.waitForURL(() => Math.abs(spanOf(page) / MINUTE - 15) < 1)
    await page.goBack()
    await page.waitForURL(url => !url.searchParams.has('from'))
    await page.getByRole('button', { name: 'Période libre' }).click()
    await page.getByLabel('Du', { exact: true }).fill('2026-01-02T10:00')
    await page.getByLabel('Au', { exact: true }).fill('2026-01-02T09:00')
    await page.getByRole('button', { name: 'Afficher', exact: true }).click()
    await page.getByText('Le début doit précéder la fin.').waitFor()
    await page.getByLabel('Au', { exact: true }).fill('2026-01-02T11:00')
    await page.getByRole('button', { name: 'Afficher', exact: true }).click()
    await page.getByText('Aucune mesure sur cette période').waitFor()
  })

  it('compares with the day before, and gives what is shown as a file, a table and an image', async () => {
    const { page } = await open(`/metric/${idOf(0)}?compare=jour`)
    const legend = page.getByRole('table', { name: 'Légende' })
    await legend.getByRole('row', { name: /veille.*60.ms/ }).waitFor()
    await page.getByRole('button', { name: 'Voir les valeurs' }).click()
    await page.getByRole('region', { name: 'Valeurs affichées' }).getByText(/60.ms/).first().waitFor()
    const kept = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: 'Exporter' })
          .click()
          .then(() => page.getByRole('menuitem', { name }).click()),
      ])
      return readFile(await download.path())
    }
    const lines = (await kept('Valeurs affichées (CSV)')).toString().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFInstant \(UTC\);Heure locale;[^;]+ \(ms\);[^;]+veille[^;]+$/)
    expect(lines.filter(line => /^20.*Z;.*;20;60$|^20.*Z;.*;20;$|^20.*Z;.*;;60$/.test(line)).length).toBeGreaterThan(50)
    const image = await kept('Image (PNG)')
    expect([image.subarray(1, 4).toString(), image.readUInt32BE(16)]).toEqual(['PNG', 2_400])
  })

  it('shows several hosts in one graph; the legend isolates one; it is at ease for all', async () => {
    const { page } = await open('/metric')
    await page.getByPlaceholder(/^Chercher par nom/).fill('temps de connexion')
    for (const name of NAMES)
      await page.getByRole('checkbox', { name: new RegExp(`${name} · .*connexion`, 'i') }).check()
    await page.getByRole('link', { name: 'Tracer ensemble' }).click()
    await page.waitForURL(/\/metric\/graph\?ids=\d+(,|%2C)\d+/)
    const legend = page.getByRole('table', { name: 'Légende' })
    const first = legend.getByRole('button', { name: /srv-compta · / })
    const second = legend.getByRole('button', { name: /srv-paie · / })
    await first.click()
    await expect.poll(() => second.getAttribute('aria-pressed')).toBe('false')
    expect([await first.getAttribute('aria-pressed'), await second.getAttribute('aria-pressed')]).toEqual([
      'true',
      'false',
    ])
    await second.click({ modifiers: ['Control'] })
    await expect.poll(() => second.getAttribute('aria-pressed')).toBe('true')
    expect(await findings(page)).toEqual([])
  })

  it('a comment on the period is on the curve at once, and opens from its mark', async () => {
    const { page } = await open(`/metric/${idOf(1)}`)
    await page.getByRole('application', { name: /dernière valeur 30/ }).waitFor()
    await drag(page, 0.4, 0.6)
    await page.waitForURL(/from=/)
    await page.getByRole('button', { name: 'Commenter cette période' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Écrire un commentaire').fill('Sauvegarde en cours')
    await dialog.getByRole('button', { name: 'Publier' }).click()
    const mark = page.getByRole('button', { name: /^Commentaire/ }).first()
    await mark.waitFor()
    await mark.click()
    await page.getByRole('dialog').getByText('Sauvegarde en cours').waitFor()
    const [comment] = await api.call(commentRoutes.list, { query: { kind: 'metric', id: String(idOf(1)) } })
    expect(Date.parse(comment?.to ?? '') - Date.parse(comment?.from ?? '')).toBe(spanOf(page))
    expect(await findings(page)).toEqual([])
  })
})
