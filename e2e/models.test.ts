import {
  customFieldRoutes,
  type Host,
  hostRoutes,
  metricRoutes,
  monitoringModelRoutes,
  scannerRoutes,
  siteRoutes,
} from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

let probe: WireProbe
let sequence = 0
const { api, open } = useProduct({
  prepare: async ({ server }) => {
    probe = await approvedWireProbe(server.url, api)
  },
})

/** Scanners of a host, by name. */
const scannersOf = async (host: number) => {
  const scanners = await api.call(scannerRoutes.list, { query: { host: String(host) } })
  return new Map(scanners.map(scanner => [scanner.name, scanner]))
}

/** The probe says that each of these hosts took so long to connect to. */
const connectIn = async (hosts: readonly number[], ms: number): Promise<void> => {
  const all = await Promise.all(hosts.map(scannersOf))
  const results = all.flatMap(scanners => {
    const scanner = scanners.get('Port TCP')
    return scanner === undefined
      ? []
      : [{ scanner: scanner.id, at: Date.now(), durationMs: ms, values: { connect_time: ms }, failure: null }]
  })
  sequence += 1
  expect(await probe.post(sequence, results)).toBe(204)
}

/** The metric that says so of one host. */
const connectTime = async (host: number) => {
  const metrics = await api.call(metricRoutes.list, { query: { host: String(host) } })
  const metric = metrics.find(one => one.key === 'connect_time' && one.scannerName === 'Port TCP')
  if (metric === undefined) throw new Error('no metric')
  return metric
}

const createHost = async (name: string, models: number[]): Promise<Host> => {
  const [site] = await api.call(siteRoutes.list)
  if (site === undefined) throw new Error('no site')
  const body = { name, address: '192.0.2.1', siteId: site.id, probeId: probe.id, withPing: false }
  return api.call(hostRoutes.create, { body: { ...body, monitoringModelIds: models } })
}

/** A model with a TCP and an HTTP scanner, made by the API. */
const createModel = async (name: string) =>
  api.call(monitoringModelRoutes.create, {
    body: {
      name,
      definition: {
        scanners: [
          { item: 'tcp', kind: 'tcp', name: 'Port TCP', parameters: { port: 22 }, attempts: 1 },
          { item: 'http', kind: 'http', name: 'HTTP', parameters: { url: 'http://{address}/' } },
        ],
      },
    },
  })

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer', exact: true }).click()

describe('monitoring models', () => {
  it('a model is made by the form, with scanners in the order that one gives them', async () => {
    const { page } = await open('/host/edit')
    await page.getByRole('link', { name: 'Modèles de supervision', exact: true }).click()
    await page.getByRole('link', { name: 'Ajouter un modèle' }).first().click()
    await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('Routeur d’agence')
    for (const kind of [/^HTTP/, /^Port TCP/]) {
      await page.getByRole('button', { name: 'Ajouter un scanner' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: kind }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Monter Port TCP' }).click()
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    // A port must be said; the card that lacks it stays open and says so.
    await page.getByText('Champ requis').waitFor()
    await page.getByRole('textbox', { name: 'Port', exact: true }).fill('443')
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.getByText('« Routeur d’agence » est enregistré.').waitFor()
    await page.waitForURL(/\/host\/model\/\d+$/)
    const models = await api.call(monitoringModelRoutes.list)
    const scanners = models.find(model => model.name === 'Routeur d’agence')?.definition.scanners ?? []
    expect(scanners.map(({ kind, name }) => ({ kind, name }))).toEqual([
      { kind: 'tcp', name: 'Port TCP' },
      { kind: 'http', name: 'HTTP' },
    ])
    expect(scanners[0]?.parameters).toMatchObject({ port: 443 })
  })

  it('a changed threshold shows its plan, is applied, is seen in a second browser and is undone', async () => {
    const model = await createModel('Commutateur d’étage')
    const hosts = [await createHost('sw-1', [model.id]), await createHost('sw-2', [model.id])].map(host => host.id)
    await connectIn(hosts, 50)
    const { page } = await open(`/host/model/${model.id}`)
    const other = await open(`/host/${hosts[0]}`, { apart: true })
    const third = await open(`/host/model/${model.id}?tab=versions`)
    await third.page.getByText(/^Ce modèle n’a pas encore changé/).waitFor()
    const metric = await connectTime(hosts[0] ?? 0)
    const row = other.page.getByRole('row').filter({ has: other.page.locator(`a[href="/metric/${metric.id}"]`) })
    await row.getByText('50 ms', { exact: true }).waitFor()

    await page
      .getByRole('button', { name: /^Port TCP/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Régler Temps de connexion' }).click()
    await page.getByLabel('Seuil d’erreur haut').fill('40')
    await save(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 équipements, 2 changeront d’état').waitFor()
    await dialog.getByText('sw-1').waitFor()
    await dialog.getByRole('button', { name: 'Revenir à la saisie' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Seuil d’erreur haut').inputValue()).toMatch(/^40/)
    const untouched = await api.call(monitoringModelRoutes.get, { params: { id: String(model.id) } })
    expect(untouched.updatedAt).toBe(model.updatedAt)

    await save(page)
    await dialog.getByRole('button', { name: 'Appliquer' }).click()
    await page.getByText('Modèle appliqué à 2 équipements').waitFor()
    await connectIn(hosts, 50)
    await row.getByText('50 ms > 40 ms').waitFor()
    await row.getByText('Erreur').waitFor()
    await third.page.getByText('Port TCP · Temps de connexion : seuil d’erreur haut — → 40 ms').waitFor()

    await page.getByRole('button', { name: 'Annuler ce changement' }).click()
    await dialog.getByText('2 équipements, 2 changeront d’état').waitFor()
    await dialog.getByRole('button', { name: 'Revenir à cette version' }).click()
    await page.getByText('Changement annulé sur 2 équipements').waitFor()
    // As a probe does: a result every interval, each judged by what holds then.
    const measured = async () => {
      await connectIn(hosts, 50)
      return row.getByText('OK').count()
    }
    await expect.poll(measured, { timeout: 30_000, interval: 1_000 }).toBeGreaterThan(0)
    await row.getByText('50 ms', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByText('Port TCP · Temps de connexion : seuil d’erreur haut 40 ms → —').waitFor()
    await page.getByText('Port TCP · Temps de connexion : seuil d’erreur haut — → 40 ms').waitFor()
    await page.getByRole('tab', { name: 'Équipements' }).click()
    await page.getByText('sw-2', { exact: true }).waitFor()
  })

  it('a field that is a host’s own stays through changes of its model, until it goes back to inheritance', async () => {
    const model = await createModel('Serveur')
    const [one, two] = [await createHost('srv-1', [model.id]), await createHost('srv-2', [model.id])]
    const scanner = (await scannersOf(one.id)).get('Port TCP')
    if (scanner === undefined) throw new Error('no scanner')
    const { page } = await open(`/scanner/edit/${scanner.id}`)
    const interval = page.getByLabel('Intervalle de contrôle', { exact: true })
    await page.getByText('Hérité des paramètres').first().waitFor()
    await interval.fill('15')
    await page.getByText('Propre à ce scanner').first().waitFor()
    await page.getByLabel('Intervalle entre deux tentatives', { exact: true }).fill('10')
    await save(page)
    await page.waitForURL('**/scanner/edit')
    expect((await scannersOf(one.id)).get('Port TCP')?.overrides).toEqual(['intervalSeconds', 'retryIntervalSeconds'])

    const current = await api.call(monitoringModelRoutes.get, { params: { id: String(model.id) } })
    const scanners = current.definition.scanners.map(said => ({ ...said, intervalSeconds: 120 }))
    const body = { ...current, definition: { ...current.definition, scanners } }
    await api.call(monitoringModelRoutes.update, { params: { id: String(model.id) }, body })
    expect((await scannersOf(one.id)).get('Port TCP')?.effective.intervalSeconds).toBe(15)
    expect((await scannersOf(two.id)).get('Port TCP')?.effective.intervalSeconds).toBe(120)

    await page.goto(`/scanner/edit/${scanner.id}`)
    await page.getByText('le modèle dit 120 s').waitFor()
    await page.getByRole('button', { name: 'Revenir à l’héritage : Intervalle de contrôle' }).click()
    await page.getByText('Hérité du modèle Serveur').first().waitFor()
    await save(page)
    await page.waitForURL('**/scanner/edit')
    const back = (await scannersOf(one.id)).get('Port TCP')
    expect(back).toMatchObject({ overrides: ['retryIntervalSeconds'], effective: { intervalSeconds: 120 } })
  })

  it('a metric’s own threshold is said to be its own, and gives the inherited one back', async () => {
    const model = await createModel('Pare-feu')
    const host = await createHost('fw-1', [model.id])
    await connectIn([host.id], 5)
    const metric = await connectTime(host.id)
    const { page } = await open(`/metric/edit/${metric.id}`)
    await page.getByLabel('Seuil d’alerte haut').fill('30')
    await page.getByText('Propre à cette métrique').waitFor()
    await save(page)
    await page.waitForURL('**/metric/edit')
    expect(await connectTime(host.id)).toMatchObject({ overrides: ['thresholds'], thresholds: { warningHigh: 30 } })
    await page.goto(`/metric/edit/${metric.id}`)
    await page.getByRole('button', { name: 'Revenir à l’héritage : Seuils' }).click()
    await save(page)
    await page.waitForURL('**/metric/edit')
    expect(await connectTime(host.id)).toMatchObject({ overrides: [], thresholds: { warningHigh: null } })
  })

  it('a threshold may be a formula over a custom field, whose figure stands beside it', async () => {
    const group = await api.call(customFieldRoutes.createGroup, { body: { name: 'Liens' } })
    await api.call(customFieldRoutes.createDefinition, {
      body: { key: 'delai', label: 'Délai du contrat', type: 'integer', groupId: group.id, scope: 'host' },
    })
    const model = await createModel('Lien')
    const host = await createHost('lien-1', [model.id])
    await api.call(customFieldRoutes.setHost, { params: { id: String(host.id) }, body: { values: { delai: 100 } } })
    const metric = await connectTime(host.id)
    const { page } = await open(`/metric/edit/${metric.id}`)
    await page.getByText('champ.delai', { exact: true }).first().waitFor()
    await page.getByLabel('Seuil d’alerte haut').fill('champ.delai * 0,9')
    await page.getByText('Propre à cette métrique').waitFor()
    await save(page)
    await page.waitForURL('**/metric/edit')
    expect(await connectTime(host.id)).toMatchObject({
      formulas: { warningHigh: 'champ.delai * 0,9' },
      thresholds: { warningHigh: 90 },
    })
    await page.goto(`/metric/edit/${metric.id}`)
    await page.getByText('= 90 ms', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revenir à l’héritage : Seuils' }).click()
    await save(page)
    await page.waitForURL('**/metric/edit')
    expect(await connectTime(host.id)).toMatchObject({ overrides: [], formulas: {}, thresholds: { warningHigh: null } })
  })

  it('somebody who saved first is named, and both changes are kept', async () => {
    const model = await createModel('Borne')
    const { page } = await open(`/host/model/${model.id}`)
    await page.getByLabel('Description').fill('Bornes du siège')
    await page.getByRole('button', { name: /^HTTP/ }).first().click()
    await page.getByLabel('Texte attendu').fill('bienvenue')
    const scanners = model.definition.scanners.map(said => ({ ...said, attempts: 4 }))
    const body = { ...model, definition: { ...model.definition, scanners } }
    await api.call(monitoringModelRoutes.update, { params: { id: String(model.id) }, body })
    await save(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Enregistrer ce choix' }).click()
    await expect
      .poll(async () => (await api.call(monitoringModelRoutes.get, { params: { id: String(model.id) } })).description)
      .toBe('Bornes du siège')
    const merged = await api.call(monitoringModelRoutes.get, { params: { id: String(model.id) } })
    expect(merged.definition.scanners.map(said => said.attempts)).toEqual([4, 4])
    expect(merged.definition.scanners[1]?.parameters).toMatchObject({ contains: 'bienvenue' })
  })

  it('deleting a model tells what goes with it, and takes its scanners off its hosts', async () => {
    const model = await createModel('Ancien')
    const host = await createHost('old-1', [model.id])
    const { page } = await open(`/host/model/${model.id}`)
    await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 équipement, aucun ne changera d’état').waitFor()
    await dialog.getByText('2 scanners supprimés').waitFor()
    await dialog.getByRole('button', { name: 'Supprimer', exact: true }).click()
    await page.waitForURL('**/host/model')
    expect((await scannersOf(host.id)).size).toBe(0)
  })

  it.each([
    { dark: false, width: 1440 },
    { dark: true, width: 390 },
  ])('axe-core finds nothing of weight ($width px, dark: $dark)', async options => {
    const model = await createModel(`Accès ${options.width}`)
    await createHost(`acc-${options.width}`, [model.id])
    const { page } = await open('/host/model', options)
    await page.getByText(model.name).first().waitFor()
    expect(await findings(page)).toEqual([])
    await page.goto(`/host/model/${model.id}`)
    await page
      .getByRole('button', { name: /^Port TCP/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Régler Temps de connexion' }).click()
    await page.getByLabel('Seuil d’erreur haut').fill('champ.debit * 0,9')
    await page.getByText('Formule, calculée pour chaque équipement.').waitFor()
    await page.getByLabel('Seuil d’erreur haut').fill('champ.debit * * 2')
    await page.getByLabel('Seuil d’erreur haut').blur()
    await page.getByText('Formule incomprise à partir de « * 2 »').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Seuil d’erreur haut').fill('40')
    await save(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Appliquer' }).waitFor()
    expect(await findings(page)).toEqual([])
  })
})
