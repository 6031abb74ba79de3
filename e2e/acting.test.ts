import { join } from 'node:path'
import {
  type CheckResult,
  commentRoutes,
  dashboardRoutes,
  incidentRoutes,
  metricRoutes,
  parameterRoutes,
} from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { createPerson, type Person } from './kit/client.ts'
import { createTcpScanners, SELDOM_S, type TcpScanner } from './kit/fleet.ts'
import { useProduct } from './kit/product.ts'
import { endProgram } from './kit/program.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

const SHOTS = process.env.NARVAL_TEST_SHOTS
/** More than a page: only « all that the filter matches » reaches them all. */
const SCANNERS = 30

let probe: WireProbe | null = null
let scanners: readonly TcpScanner[] = []
let claire: Person = { login: '', password: '' }
let reader: Person = { login: '', password: '' }
const product = useProduct({
  prepare: async ({ server }) => {
    probe = await approvedWireProbe(server.url, api)
    scanners = await createTcpScanners(api, {
      probeId: probe.id,
      intervalSeconds: SELDOM_S,
      name: 'srv-actes',
      count: SCANNERS,
    })
    claire = await createPerson(server.url, api, 'claire', { claims: ['incident_write'] })
    reader = await createPerson(server.url, api, 'lecteur')
  },
})
const { api, open } = product

/** The probe that says nothing for a minute is offline: each test has it speak first. */
let sequence = 0
/** All but the life test of the host say that they answer, or fail. */
const answer = async (well: boolean): Promise<void> => {
  sequence += 1
  const results = scanners.map(({ scanner }, index): CheckResult => {
    const run = { scanner: scanner.id, at: Date.now(), durationMs: 1 }
    return well || index === 0
      ? { ...run, failure: null, values: { connect_time: 12 } }
      : { ...run, failure: { code: 'refused', message: 'Connexion refusée' }, values: {} }
  })
  expect(await probe?.post(sequence, results)).toBe(204)
  const last = scanners.at(-1)?.availability.id ?? 0
  await expect
    .poll(async () => (await api.call(metricRoutes.get, { params: { id: String(last) } })).severity)
    .toBe(well ? 'ok' : 'error')
  // A state is answered while it is written: incidents come, or end, with the commit of all.
  await expect.poll(async () => (await openIncidents()).length > 0).toBe(!well)
}
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
/** Only these have incidents: what else fails with them is unknown. */
const ERRORS = '/dashboard/live-view?severity=error'
const PROBLEMS = `${ERRORS}&view=problems`
/** Resolves once the page is joined to the hub of alerts. */
const joined = (page: Page): Promise<void> =>
  new Promise(resolve => {
    page.on('websocket', socket => {
      if (!socket.url().includes('/Hub/Communication')) return
      socket.on('framereceived', ({ payload }) => {
        if (payload.includes('"type":3')) resolve()
      })
    })
  })
const openIncidents = () => api.call(incidentRoutes.list, { query: { open: 'true' } })

describe('acting together', () => {
  it('all that the filter matches is acknowledged by one; the other sees it go without a reload, and is told who did it', async () => {
    await answer(true)
    await answer(false)
    const count = (await openIncidents()).length
    expect(count).toBeGreaterThan(25)
    const { page: hers } = await open(ERRORS, { person: claire, apart: true })
    const { page } = await open(ERRORS)
    await hers
      .getByRole('row', { name: /srv-actes/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /srv-actes/ })
      .first()
      .waitFor()
    await page.getByRole('columnheader').getByRole('checkbox').click()
    await page.getByRole('button', { name: /Tout sélectionner/ }).click()
    await shoot(page, 'actes-barre')
    const bar = page.getByRole('region', { name: 'Sélection' })
    await bar.getByRole('button', { name: 'Acquitter' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${count} incidents seront acquittés.`).waitFor()
    await dialog.getByRole('textbox', { name: 'Commentaire' }).fill('Coupure prévenue')
    await shoot(page, 'actes-dialogue')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Acquitter' }).click()
    await page.getByText(`${count} incidents acquittés`).waitFor()
    await hers.getByText(`a acquitté ${count} incidents — Coupure prévenue`).waitFor()
    await expect.poll(() => hers.getByRole('row', { name: /srv-actes/ }).count(), { timeout: 20_000 }).toBe(0)
    await shoot(hers, 'actes-autre')
    expect((await api.call(dashboardRoutes.main)).acknowledged).toBe(count)
    expect(await page.getByText(`a acquitté ${count} incidents`).count()).toBe(0)
  })

  it('one comment is written on all that the filter matches, after saying on how many', async () => {
    await answer(false)
    const count = (await openIncidents()).length
    const { page } = await open(PROBLEMS)
    await page
      .getByRole('row', { name: /srv-actes/ })
      .first()
      .waitFor()
    await page.getByRole('columnheader').getByRole('checkbox').click()
    await page.getByRole('button', { name: /Tout sélectionner/ }).click()
    await page.getByRole('button', { name: 'Autres actions sur les incidents' }).click()
    await page.getByRole('menuitem', { name: 'Commenter' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`Ce commentaire sera écrit sur ${count} métriques.`).waitFor()
    await dialog.getByRole('textbox', { name: 'Texte du commentaire' }).fill('Prestataire prévenu')
    await shoot(page, 'actes-commenter')
    await dialog.getByRole('button', { name: 'Publier' }).click()
    await page.getByText(`${count} commentaires publiés`).waitFor()
    const query = { kind: 'metric', id: String(scanners.at(-1)?.availability.id) } as const
    expect((await api.call(commentRoutes.list, { query })).map(one => one.text)).toEqual(['Prestataire prévenu'])
  })

  it('the platform’s settings are changed where a rule leads; what another one saved first is shown, not overwritten', async () => {
    const { page } = await open('/system/parameter#acknowledgeHours')
    const hours = page.getByRole('textbox', { name: 'Durée d’un acquittement' })
    const save = page.getByRole('button', { name: 'Enregistrer', exact: true })
    await page.locator('#acknowledgeHours input:focus').waitFor()
    expect(await save.isDisabled()).toBe(true)
    await hours.fill('9999')
    await page.getByText('Un nombre de 1 à 8\u202f760 est attendu').waitFor()
    await hours.fill('12')
    await api.call(parameterRoutes.setCollect, { body: { acknowledgeHours: 6 } })
    await save.click()
    await page.getByText('Durée d’un acquittement\u202f: admin a mis 6\u202fh, vous avez saisi 12\u202fh.').waitFor()
    await shoot(page, 'actes-parametres')
    expect(await findings(page)).toEqual([])
    await save.click()
    await page.getByText('1 paramètre enregistré').waitFor()
    await page.getByRole('button', { name: 'Revenir à la valeur par défaut\u202f: Durée d’un acquittement' }).click()
    await save.click()
    const read = async () => (await api.call(parameterRoutes.collect)).find(({ key }) => key === 'acknowledgeHours')
    await expect.poll(read, { timeout: 10_000 }).toMatchObject({ value: 24, origin: 'default' })
  })

  it('one is taken on from its row in two clicks; the others are told, with a link to it', async () => {
    await answer(false)
    const { page: hers } = await open(PROBLEMS, { person: claire, apart: true })
    let hears: Promise<void> = Promise.resolve()
    const { page } = await open(PROBLEMS, {
      before: async tab => {
        hears = joined(tab)
      },
    })
    await hears
    await hers
      .getByRole('button', { name: /Actions sur srv-actes/ })
      .first()
      .click()
    await hers.getByRole('menuitem', { name: 'Prendre en charge' }).click()
    await hers.getByText('1 incident pris en charge').waitFor()
    await page
      .getByText(/^claire a pris en charge srv-actes/)
      .getByRole('link')
      .click()
    await page.waitForURL(/\/dashboard\/live-view\/incident\/\d+$/)
    expect((await openIncidents()).filter(incident => incident.owner === 'claire')).toHaveLength(1)
  })

  it('who may not act is offered nothing but to write', async () => {
    await answer(false)
    const { page } = await open(PROBLEMS, { person: reader })
    await page
      .getByRole('row', { name: /srv-actes/ })
      .first()
      .waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page
      .getByRole('button', { name: /Actions sur srv-actes/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Ouvrir l’équipement' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /quitter|Prendre|Vérifier/ }).count()).toBe(0)
    // Of an incident nothing would be left behind the button.
    await page.goto('/dashboard/live-view/incident')
    await page
      .getByRole('row', { name: /srv-actes/ })
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: /^Actions sur/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })

  it('a comment is written with Ctrl+Entrée, seen by the other at once, edited, pinned and deleted', async () => {
    const path = `/host/${scanners[0]?.hostId}`
    const { page: hers } = await open(path, { person: claire, apart: true })
    const { page } = await open(path)
    const box = page.getByRole('textbox', { name: 'Écrire un commentaire' })
    await box.fill('Onduleur remplacé\nvoir le ticket 12')
    await box.press('Control+Enter')
    const theirs = hers.getByRole('list', { name: 'Commentaires' }).getByRole('listitem')
    await theirs.getByText('Onduleur remplacé').waitFor()
    expect(await box.inputValue()).toBe('')
    expect(await theirs.getByRole('button', { name: 'Modifier' }).count()).toBe(0)
    const mine = page.getByRole('list', { name: 'Commentaires' }).getByRole('listitem')
    await mine.getByRole('button', { name: 'Modifier' }).click()
    await mine.getByRole('textbox', { name: 'Modifier' }).fill('Onduleur changé')
    await mine.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await theirs.getByText('Onduleur changé').waitFor()
    await mine.getByRole('button', { name: 'Épingler' }).click()
    await theirs.getByText('Épinglé').waitFor()
    await page.getByRole('button', { name: 'Commentaires' }).click()
    await page
      .getByRole('dialog', { name: 'Commentaires' })
      .getByRole('link', { name: /srv-actes/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Voir tout les commentaires' }).waitFor()
    await shoot(page, 'actes-commentaires')
    await page.keyboard.press('Escape')
    expect(await findings(page)).toEqual([])
    await mine.getByRole('button', { name: 'Supprimer' }).click()
    await mine.getByRole('button', { name: 'Supprimer pour de bon' }).click()
    await hers.getByText('Aucun commentaire pour l’instant.').waitFor()
  })

  it('at 390 px the row’s actions and the comments have their place, and nothing is wider than the screen', async () => {
    await answer(false)
    for (const dark of [false, true]) {
      const { page: list } = await open(PROBLEMS, { width: 390, height: 844, dark })
      await list
        .getByRole('button', { name: /Actions sur srv-actes/ })
        .first()
        .click()
      await list.getByRole('menuitem', { name: 'Prendre en charge' }).waitFor()
      await shoot(list, `actes-390-${dark ? 'sombre' : 'clair'}`)
      expect(await isWide(list)).toBe(false)
      const { page: host } = await open(`/host/${scanners[0]?.hostId}`, { width: 390, height: 844, dark })
      await host.getByRole('textbox', { name: 'Écrire un commentaire' }).waitFor()
      expect(await isWide(host)).toBe(false)
    }
  })

  it('« Mes alertes » is kept by the server, and what is not asked for is no toast', async () => {
    await answer(false)
    const { page } = await open('/user/myaccount', { person: claire, apart: true })
    const form = page.getByRole('form', { name: 'Mes alertes' })
    await form.getByRole('checkbox', { name: 'Erreur' }).uncheck()
    await form.getByRole('checkbox', { name: /Ce que font les autres/ }).uncheck()
    await shoot(page, 'actes-alertes')
    await form.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await page.getByText('Vos alertes sont enregistrées.').waitFor()
    expect(await findings(page)).toEqual([])
    const { page: list } = await open(PROBLEMS)
    await list
      .getByRole('button', { name: /Actions sur srv-actes/ })
      .first()
      .click()
    await list.getByRole('menuitem', { name: 'Prendre en charge' }).click()
    await list.getByText('1 incident pris en charge').waitFor()
    expect(await page.getByText('a pris en charge').count()).toBe(0)
  })

  it('what was being written stays when the server is stopped in the middle of it, also after a reload', async () => {
    const path = `/host/${scanners[0]?.hostId}`
    const { page, faults } = await open(path, { apart: true })
    const box = page.getByRole('textbox', { name: 'Écrire un commentaire' })
    await box.fill('À ne pas perdre')
    await endProgram(product.server)
    await page.getByRole('button', { name: 'Publier' }).click()
    await page.getByText('Votre texte est gardé ici').waitFor()
    expect(await box.inputValue()).toBe('À ne pas perdre')
    await product.restart()
    await page.goto('/host')
    await page.goto(path)
    await box.waitFor()
    expect(await box.inputValue()).toBe('À ne pas perdre')
    await page.getByRole('button', { name: 'Publier' }).click()
    await page.getByRole('list', { name: 'Commentaires' }).getByText('À ne pas perdre').waitFor()
    const query = { kind: 'host', id: String(scanners[0]?.hostId) } as const
    expect((await api.call(commentRoutes.list, { query })).map(one => one.text)).toEqual(['À ne pas perdre'])
    // The interruption is what the test is about.
    faults.length = 0
  })
})
