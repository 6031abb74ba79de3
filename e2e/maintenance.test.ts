import { join } from 'node:path'
import { incidentRoutes, maintenanceRoutes, metricRoutes, notificationRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings, LOOKS, wear } from './kit/accessibility.ts'
import { createPerson, type Person } from './kit/client.ts'
import { createTcpScanners, SELDOM_S, type TcpScanner } from './kit/fleet.ts'
import { useProduct } from './kit/product.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

const SHOTS = process.env.NARVAL_TEST_SHOTS
const CALENDAR = '/dashboard/live-view/maintenance'

let probe: WireProbe | null = null
let scanner: TcpScanner | null = null
let claire: Person
const { api, open } = useProduct({
  prepare: async product => {
    probe = await approvedWireProbe(product.server.url, api)
    const [made] = await createTcpScanners(api, { probeId: probe.id, intervalSeconds: SELDOM_S, name: 'srv-paie' })
    scanner = made ?? null
    claire = await createPerson(product.server.url, api, 'claire')
  },
})

let sequence = 0
/** Says for the scanner that it answers or fails, and waits until it is the state of its metric. */
const answer = async (well: boolean): Promise<void> => {
  if (scanner === null) throw new Error('nothing is prepared')
  const { availability } = scanner
  const values: Record<string, number> = well ? { availability: 1, connect_time: 12 } : {}
  const result = {
    ...{ scanner: scanner.scanner.id, at: Date.now(), durationMs: 12 },
    failure: well ? null : { code: 'refused' as const, message: 'Connexion refusée' },
    values,
  }
  sequence += 1
  expect(await probe?.post(sequence, [result])).toBe(204)
  await expect
    .poll(async () => (await api.call(metricRoutes.get, { params: { id: String(availability.id) } })).severity)
    .toBe(well ? 'ok' : 'error')
}
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
const alerts = async (): Promise<string[]> =>
  (await api.call(notificationRoutes.list, { query: {} })).notifications.map(({ title }) => title)

/** Until when something lasts that began today: within an hour it may be tomorrow. */
const endWords = (end: Date): string => {
  const inParis = (at: Date, words: Intl.DateTimeFormatOptions) =>
    at.toLocaleString('fr-FR', { timeZone: 'Europe/Paris', ...words })
  const dayOf = (at: Date) => inParis(at, { day: '2-digit', month: '2-digit' })
  const hour = inParis(end, { hour: '2-digit', minute: '2-digit' })
  return dayOf(end) === dayOf(new Date()) ? `jusqu’à ${hour}` : `jusqu’au ${dayOf(end)} à ${hour}`
}

describe('a maintenance, seen', () => {
  it('is planned from the calendar; its host is marked and breaks without a toast or an unhandled problem; the report tells it at the end', async () => {
    await answer(true)
    const { page } = await open(CALENDAR)
    const { page: other } = await open('/dashboard/live-view', { apart: true })
    await page.getByText('Aucune plage de maintenance dans cette période.').waitFor()
    await page.getByRole('link', { name: 'Planifier une maintenance' }).click()
    await page.getByRole('textbox', { name: 'Commentaire' }).fill('Changement du disque')
    await page.locator('form').getByLabel('Équipements', { exact: true }).fill('paie')
    await page
      .getByRole('option', { name: /srv-paie/ })
      .first()
      .click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Maintenant, 2 h' }).click()
    await page.getByText(/Couvre 1 équipement et \d+ métriques/).waitFor()
    await shoot(page, 'maintenance-formulaire')
    await page.getByRole('button', { name: 'Planifier', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Changement du disque' }).waitFor()
    await page.getByText('En cours', { exact: true }).first().waitFor()
    const host = scanner?.hostId ?? 0
    const { page: hostPage } = await open(`/host/${host}`)
    await hostPage
      .getByText(/En maintenance jusqu’à/)
      .first()
      .waitFor()
    await hostPage
      .getByText(/Changement du disque/)
      .first()
      .waitFor()
    await shoot(hostPage, 'maintenance-equipement')

    await answer(false)
    await expect
      .poll(async () =>
        (await api.call(incidentRoutes.list, { query: { open: 'true' } })).map(one => one.inMaintenance),
      )
      .toEqual([true])
    expect(await alerts()).toEqual([])
    await other.getByText('Aucun problème non traité').waitFor()
    expect(await other.locator('.mantine-Notification-root').filter({ hasText: 'srv-paie' }).count()).toBe(0)
    await other.getByRole('button', { name: /En maintenance/ }).click()
    await other
      .getByRole('row', { name: /srv-paie/ })
      .first()
      .getByLabel(/En maintenance jusqu’à/)
      .waitFor()
    await shoot(other, 'maintenance-probleme')

    await page.getByRole('button', { name: 'Terminer maintenant' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Terminer maintenant' }).click()
    await page
      .getByText(/métriques? (ne sont pas revenues|n’est pas revenue)/)
      .first()
      .waitFor()
    await page
      .getByRole('link', { name: /srv-paie.*: / })
      .first()
      .waitFor()
    await other
      .getByText(/Fin de maintenance/)
      .first()
      .waitFor()
    expect(await alerts()).toEqual([expect.stringMatching(/^Fin de maintenance/)])
    await shoot(page, 'maintenance-bilan')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Prolonger d’une heure' }).click()
    await page.getByText('En cours', { exact: true }).first().waitFor()
    await hostPage
      .getByText(/En maintenance jusqu’à/)
      .first()
      .waitFor()
    await answer(true)
  })

  it('a rule shows its next five dates before it is saved, and a hostile one is refused in words', async () => {
    const { page } = await open(`${CALENDAR}/new?host=${scanner?.hostId}`)
    await page.getByRole('textbox', { name: 'Commentaire' }).fill('Sauvegardes')
    await page.getByText('Récurrente', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Répétition' }).click()
    await page.getByRole('option', { name: /premier, dernier/ }).click()
    const preview = page.getByRole('status').filter({ hasText: 'Prochaines plages' })
    await preview.getByText(/^tous les mois, le premier /).waitFor()
    const days = async () =>
      (await preview.getByRole('listitem').allTextContents()).map(text => Number(text.slice(0, 2)))
    // The first of its kind in each month.
    await expect.poll(async () => (await days()).filter(day => day >= 1 && day <= 7).length).toBe(5)
    await page.locator('form').getByText('srv-paie').waitFor()
    await shoot(page, 'maintenance-recurrence')
    expect(await findings(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Répétition' }).click()
    await page.getByRole('option', { name: 'Règle libre' }).click()
    await page.getByLabel('Règle RFC 5545').fill('FREQ=SECONDLY')
    await page
      .getByText(/se répète par heure, jour, semaine/)
      .first()
      .waitFor()
    await page.getByLabel('Règle RFC 5545').fill('FREQ=WEEKLY;BYDAY=SU')
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: 'Prochaines plages' }).getByRole('listitem').count())
      .toBe(5)
    await page.getByRole('button', { name: 'Planifier', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Sauvegardes' }).waitFor()
    await page
      .getByText(/toutes les semaines, le dimanche/)
      .first()
      .waitFor()
  })

  it('one planned by somebody is told to the others who are signed in, until when and why, and not to who planned it', async () => {
    const tabs = [await open('/dashboard/live-view'), await open('/dashboard/live-view', { person: claire })] as const
    await Promise.all(tabs.map(({ page }) => page.getByText('En direct').waitFor()))
    await Promise.all(tabs.map(({ settle }) => settle()))
    const [mine, hers] = [tabs[0].page, tabs[1].page]
    const [from, to] = [Date.now(), Date.now() + 3_600_000].map(ms => new Date(ms).toISOString())
    await api.call(maintenanceRoutes.create, {
      body: {
        ...{ comment: 'Essai', hosts: [scanner?.hostId ?? 0] },
        schedule: { kind: 'one-off', from: from ?? '', to: to ?? '' },
      },
    })
    const toastOf = (page: Page) => page.locator('.mantine-Notification-root').filter({ hasText: 'Essai' })
    await toastOf(hers)
      .getByText(new RegExp(`Maintenance de srv-paie par .+ ${endWords(new Date(to ?? ''))} — Essai`))
      .waitFor()
    expect(await toastOf(mine).count()).toBe(0)
    await toastOf(hers).getByRole('link', { name: 'Ouvrir' }).click()
    await hers.getByRole('heading', { level: 1, name: 'Essai' }).waitFor()
    // She may read it, and change nothing.
    expect(await hers.getByRole('button', { name: 'Terminer maintenant' }).count()).toBe(0)
  })

  it('the calendar has no serious finding, in both themes, wide and at 390 px, by month, week and list', async () => {
    for (const view of ['', '?view=week', '?view=list']) {
      const { page } = await open(`${CALENDAR}${view}`, { height: 844 })
      for (const look of LOOKS) {
        await wear(page, look)
        await page
          .getByText(/srv-paie/)
          .first()
          .waitFor()
        await shoot(page, `maintenance-${view.slice(6) || 'mois'}-${look.width}-${look.dark ? 'sombre' : 'clair'}`)
        expect([view, look, await findings(page)]).toEqual([view, look, []])
        expect([view, look, await isWide(page)]).toEqual([view, look, false])
      }
    }
  })
})
