import { join } from 'node:path'
import { type CheckResult, incidentRoutes, metricRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findings, LOOKS, wear } from './kit/accessibility.ts'
import { createTcpScanners, SELDOM_S, type TcpScanner } from './kit/fleet.ts'
import { useProduct } from './kit/product.ts'
import { createTree, type TreeFleet } from './kit/tree-fleet.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

const SHOTS = process.env.NARVAL_TEST_SHOTS
const NAMES = ['srv-compta', 'srv-paie', 'srv-stock'] as const

/** Hosts that hang on the switch of a router. */
const HANGING = 20
let fleet: TreeFleet
let probe: WireProbe | null = null
let scanners: readonly TcpScanner[] = []
const { api, open } = useProduct({
  prepare: async product => {
    probe = await approvedWireProbe(product.server.url, api)
    const made: TcpScanner[] = []
    for (const name of NAMES)
      made.push(...(await createTcpScanners(api, { probeId: probe.id, intervalSeconds: SELDOM_S, name })))
    scanners = made
    fleet = await createTree(product.server.url, api, { name: 'lyon', size: HANGING, attempts: 1 })
    fleet.live()
    await fleet.say(fleet.names, true)
  },
})

let sequence = 0
/** Says for these scanners that they answer or fail, and waits until it is the state of their metrics. */
const answer = async (well: boolean, ...indexes: number[]): Promise<void> => {
  const chosen = indexes.flatMap(index => scanners[index] ?? [])
  const results = chosen.map(
    ({ scanner }): CheckResult => ({
      scanner: scanner.id,
      at: Date.now(),
      durationMs: 12,
      failure: well ? null : { code: 'refused', message: 'Connexion refusée' },
      values: well ? { availability: 1, connect_time: 12 } : {},
    }),
  )
  sequence += 1
  expect(await probe?.post(sequence, results)).toBe(204)
  for (const { availability } of chosen)
    await expect
      .poll(async () => (await api.call(metricRoutes.get, { params: { id: String(availability.id) } })).severity)
      .toBe(well ? 'ok' : 'error')
  // A state is answered while it is written: its incident comes with the commit.
  const names = new Set<string | null>(indexes.map(index => NAMES[index] ?? null))
  const isRight = (open: Awaited<ReturnType<typeof openIncidents>>): boolean =>
    new Set(open.flatMap(({ hostName }) => (names.has(hostName) ? [hostName] : []))).size === (well ? 0 : names.size)
  await expect.poll(async () => isRight(await openIncidents())).toBe(true)
}
const openIncidents = () => api.call(incidentRoutes.list, { query: { open: 'true' } })
const incidentOf = async (name: string) => {
  const found = (await openIncidents()).find(incident => incident.hostName === name)
  if (found === undefined) throw new Error(`no open incident of ${name}`)
  return found
}
const pageOf = (id: number): string => `/dashboard/live-view/incident/${id}`
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const openMerge = async (page: Page, title: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions sur ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Fusionner dans un autre incident' }).click()
}
const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

afterAll(() => fleet.die())

describe('incidents, seen', () => {
  it('one that opens is in the list without a reload, its page says why and what happened, its end is seen on both', async () => {
    await answer(true, 0, 1, 2)
    const { page: list, settle } = await open('/dashboard/live-view')
    await list.getByRole('link', { name: 'Incidents', exact: true }).click()
    await list.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor()
    await list.getByText('En direct').waitFor()
    await settle()
    await shoot(list, 'liste-vide')
    await answer(false, 0)
    const row = list.getByRole('row', { name: /srv-compta/ })
    await row.waitFor()
    await row.getByText('Erreur').waitFor()
    await row.click()
    await list.waitForURL(/\/dashboard\/live-view\/incident\/\d+$/)
    const { title } = await incidentOf('srv-compta')
    await list.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(await list.title()).toContain(title)
    expect(await list.getByRole('navigation', { name: 'Fil d’Ariane' }).textContent()).toMatch(/Général.*Incidents/)
    const why = list.locator('section').filter({ has: list.getByRole('heading', { name: /Pourquoi est-ce rouge/ }) })
    const links = why.getByRole('listitem')
    await links.first().waitFor()
    expect(await links.first().textContent()).toContain('Sonde')
    await why.getByText('Cause', { exact: true }).waitFor()
    await why
      .getByText(/Connexion refusée/)
      .first()
      .waitFor()
    const story = list.getByRole('list', { name: 'Chronologie' })
    await story.getByText('Ouverture').waitFor()
    await shoot(list, 'incident-clair')
    const toasts = list.locator('.mantine-Notification-root').filter({ hasText: 'srv-compta' })
    await toasts.getByText(/en erreur/).waitFor()
    await answer(true, 0)
    await story.getByText('Retour à la normale').waitFor()
    await toasts.getByText(/de nouveau OK/).waitFor()
    expect(await toasts.count()).toBe(1)
    await list.keyboard.press('F8')
    expect(await toasts.getByRole('link', { name: 'Ouvrir' }).evaluate(one => one === document.activeElement)).toBe(
      true,
    )
    await list.keyboard.press('Escape')
    expect(await toasts.evaluate(one => one.contains(document.activeElement))).toBe(false)
    await list.getByText('Terminé', { exact: true }).first().waitFor()
    await list.getByRole('link', { name: 'Incidents', exact: true }).first().click()
    await list.waitForURL(/incident$/)
    await list
      .getByRole('row', { name: /srv-compta/ })
      .getByText('Terminé')
      .waitFor()
    await shoot(list, 'liste-clair')
  })

  it('an incident that does not exist is said so, with a way on', async () => {
    for (const path of ['/dashboard/live-view/incident/999999', '/dashboard/live-view/incident/abc']) {
      const { page } = await open(path)
      await page.getByText('Cet incident n’existe pas').waitFor()
      await page.getByRole('link', { name: 'Voir les incidents' }).click()
      await page.waitForURL(/incident$/)
    }
  })

  it('it is acknowledged and written on where one reads it; a second browser sees it, and the list shows by whom', async () => {
    await answer(false, 0)
    const { id, title } = await incidentOf('srv-compta')
    const { page } = await open(pageOf(id))
    const { page: other } = await open(pageOf(id), { apart: true })
    await other.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByLabel('Écrire un commentaire').fill('Le port 1 n’écoute plus.')
    await page.getByRole('button', { name: 'Publier' }).click()
    await other.getByText('Le port 1 n’écoute plus.').waitFor()
    await page.getByRole('button', { name: 'Acquitter', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Commentaire').fill('Redémarrage en cours')
    await dialog.getByRole('button', { name: 'Acquitter' }).click()
    await dialog.waitFor({ state: 'detached' })
    for (const one of [page, other]) {
      await one.getByRole('list', { name: 'Chronologie' }).getByText('Acquittement', { exact: true }).waitFor()
      await one.getByText('«\u202fRedémarrage en cours\u202f»').first().waitFor()
    }
    expect(await page.getByRole('button', { name: 'Acquitter', exact: true }).count()).toBe(0)
    await shoot(page, 'acquitte')
    const { page: list } = await open('/dashboard/live-view/incident?open=true&acknowledged=true')
    const row = list.getByRole('row', { name: /srv-compta/ })
    await row.getByLabel(/Acquitté par admin/).waitFor()
    await answer(true, 0)
    await row.waitFor({ state: 'detached' })
  })

  it('what hangs on a router is counted on its page, shown whole on demand and found by its name; the page says why of each', async () => {
    await fleet.say([fleet.router], false)
    await fleet.say([fleet.switch, ...fleet.hosts], false)
    const { id } = await incidentOf(fleet.router)
    const { page } = await open(pageOf(id))
    const effects = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Équipements injoignables' }) })
    await effects.getByText(`${HANGING + 1} équipements injoignables à cause de lui.`).waitFor()
    const [last = ''] = fleet.hosts.toSorted().slice(-1)
    expect(await effects.getByRole('link', { name: last }).count()).toBe(0)
    await effects.getByRole('button', { name: `Voir les ${HANGING + 1} équipements` }).click()
    await effects.getByRole('link', { name: last }).waitFor()
    await effects.getByLabel('Chercher parmi ces équipements').fill(last.toUpperCase())
    await expect.poll(() => effects.getByRole('listitem').count()).toBe(1)
    await shoot(page, 'injoignables')
    expect(await findings(page)).toEqual([])
    const { page: list } = await open('/dashboard/live-view/incident?open=true')
    await list
      .getByRole('row', { name: fleet.router })
      .getByText(`${HANGING + 1} injoignables`)
      .waitFor()
    await fleet.say([fleet.router], true)
    await fleet.say([fleet.switch, ...fleet.hosts], true)
    await page.getByText('Terminé', { exact: true }).first().waitFor()
    await effects.getByText(`${HANGING + 1} équipements ont été injoignables à cause de lui.`).waitFor()
    await shoot(page, 'injoignables-fini')
  })

  it('one is merged into another, found by its name, and separated again', async () => {
    await answer(false, 1, 2)
    const child = await incidentOf('srv-paie')
    const parent = await incidentOf('srv-stock')
    const { page } = await open(pageOf(child.id))
    await openMerge(page, child.title)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Chercher un incident en cours').fill('stock')
    await dialog.getByRole('radio', { name: /srv-stock/ }).click()
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(1)
    await shoot(page, 'fusion')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Fusionner' }).click()
    await page.getByText('Cet incident est expliqué par un autre').waitFor()
    await page.getByRole('link', { name: 'Ouvrir l’incident qui l’explique' }).click()
    await page.getByRole('heading', { level: 1, name: parent.title }).waitFor()
    await page.getByText('1 incident expliqué par celui-ci.').waitFor()
    await shoot(page, 'fusionne')
    const { page: list } = await open('/dashboard/live-view/incident?open=true')
    await list
      .getByRole('row', { name: /srv-stock/ })
      .getByText('1 fusionné')
      .waitFor()
    expect(await list.getByRole('row', { name: /srv-paie/ }).count()).toBe(0)
    await page.getByRole('button', { name: `Séparer «\u202f${child.title}\u202f»` }).click()
    await page.getByText('Incident séparé').waitFor()
    await expect.poll(async () => (await incidentOf('srv-paie')).parentId).toBeNull()
    await expect.poll(() => list.getByRole('row', { name: /srv-paie/ }).count()).toBe(1)
  })

  it('a merge that has no answer keeps what was searched and chosen', async () => {
    const child = await incidentOf('srv-paie')
    const { page } = await open(pageOf(child.id))
    await openMerge(page, child.title)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Chercher un incident en cours').fill('stock')
    await dialog.getByRole('radio', { name: /srv-stock/ }).click()
    await page.route('**/api/Incident/Merge/**', route => route.abort())
    await dialog.getByRole('button', { name: 'Fusionner' }).click()
    await dialog.getByText('Action impossible').waitFor()
    expect(await dialog.getByLabel('Chercher un incident en cours').inputValue()).toBe('stock')
    expect(await dialog.getByRole('radio', { name: /srv-stock/ }).isChecked()).toBe(true)
    expect((await incidentOf('srv-paie')).parentId).toBeNull()
  })

  it('notifications come by incident, each card with its alerts in order; they are filtered and marked as read', async () => {
    const { page } = await open('/notifications')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /srv-compta/ }) })
    await card
      .first()
      .getByText(/Terminé, du .* au .*, rouvert 1 fois/)
      .waitFor()
    await expect.poll(async () => (await card.first().getByRole('list').textContent()) ?? '').toMatch(/^Erreur.*OK/s)
    await shoot(page, 'notifications-clair')
    await page.getByRole('combobox', { name: 'État' }).click()
    await page.getByRole('option', { name: 'Alerte' }).click()
    await page.getByText('Aucune notification ne correspond').waitFor()
    await page.getByRole('button', { name: 'Effacer les filtres' }).first().click()
    await card.first().waitFor()
    await page.getByRole('searchbox', { name: 'Chercher dans les notifications' }).fill('COMPTA')
    await page.waitForURL('**/notifications?words=COMPTA')
    await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBe(await card.count())
    const unread = await page.getByText(/Non lues \(\d+\)/).textContent()
    await card
      .first()
      .getByRole('button', { name: /^Marquer « .*srv-compta.* » comme lu$/ })
      .click()
    await expect.poll(() => page.getByText(/Non lues \(\d+\)/).textContent()).not.toBe(unread)
    await page.getByRole('button', { name: 'Tout marquer comme lu' }).click()
    await page.getByText('Non lues (0)').click()
    await page.getByText('Aucune notification ne correspond').waitFor()
    await page.getByRole('button', { name: 'Effacer les filtres' }).first().click()
    await page.getByText('Tout est lu').waitFor()
  })

  it('its pages have no serious finding, in both themes, wide and at 390 px, where nothing is wider than the screen', async () => {
    const { id } = await incidentOf('srv-stock')
    for (const [name, path] of [
      ['incident', pageOf(id)],
      ['liste', '/dashboard/live-view/incident'],
      ['notifications', '/notifications'],
    ] as const) {
      const { page } = await open(path, { height: 844 })
      await page.getByRole('heading', { level: 1 }).waitFor()
      for (const look of LOOKS) {
        await wear(page, look)
        await page
          .getByText(/srv-stock/)
          .first()
          .waitFor()
        await shoot(page, `${name}-${look.width}-${look.dark ? 'sombre' : 'clair'}`)
        expect([name, look, await findings(page)]).toEqual([name, look, []])
        expect([name, look, await isWide(page)]).toEqual([name, look, false])
      }
    }
  })
})
