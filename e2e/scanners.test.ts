import { createServer, type Server } from 'node:net'
import { hostRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { endProgram } from './kit/program.ts'
import { freePort } from './kit/server.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

let hostId = 0
let port = 0
let service: Server

const product = useProduct({
  env: { NARVAL_LOCAL_PROBE: 'on' },
  prepare: async ({ api }) => {
    const site = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const host = await api.call(hostRoutes.create, {
      body: { name: 'srv-lyon', address: '127.0.0.1', siteId: site.id, withPing: true },
    })
    hostId = host.id
  },
})
const { api, open } = product

/** A service of this machine that greets, and that the test can end and start again. */
const openService = (): Promise<Server> =>
  new Promise(resolve => {
    const opened = createServer(socket => {
      socket.on('error', () => undefined)
      socket.end('BONJOUR <b>Narval</b>\r\n')
    })
    opened.listen(port, '127.0.0.1', () => resolve(opened))
  })
const closeService = (): Promise<void> => new Promise(resolve => service.close(() => resolve()))

beforeAll(async () => {
  port = await freePort()
  service = await openService()
})
afterAll(() => closeService())

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const tcpScanner = (name: string, parameters: Record<string, unknown> = {}, intervalSeconds = 5) =>
  api.call(scannerRoutes.create, {
    body: { name, kind: 'tcp', hostId, parameters: { port, ...parameters }, intervalSeconds, retryIntervalSeconds: 1 },
  })

describe('scanners', () => {
  it('a kind is found by a word without accents, chosen by the keyboard, and its card takes the gallery’s place', async () => {
    const { page } = await open(`/scanner/edit/new?hostId=${hostId}`)
    const search = page.getByPlaceholder(/^Chercher un genre/)
    await search.fill('banniere')
    await page.getByRole('radio', { name: /^Port TCP/ }).waitFor()
    await search.fill('')
    await search.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-kind'))).toBe('tcp')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-kind'))).toBe('ping')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const again = page.getByRole('button', { name: 'Changer de genre' })
    await again.waitFor()
    await expect.poll(() => again.evaluate(button => button === document.activeElement)).toBe(true)
    expect(await page.getByRole('radiogroup').count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Nom', exact: true }).inputValue()).toBe('Port TCP')
  })

  it('a scanner is tried before it is saved: values, what thresholds say, the raw answer as text; then it is saved and seen', async () => {
    const { page } = await open(`/scanner/edit/new?hostId=${hostId}`)
    await page.getByRole('radio', { name: /^Port TCP/ }).click()
    await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('Accueil')
    const test = section(page, 'Tester maintenant')
    const start = test.getByRole('button', { name: 'Tester maintenant' })
    await start.click()
    await test.getByText('Corrigez d’abord les champs signalés.').waitFor()
    await page.getByText('Champ requis').waitFor()
    await page.getByRole('textbox', { name: 'Port', exact: true }).fill(String(port))
    await page.getByRole('textbox', { name: 'Texte d’accueil attendu' }).fill('BONJOUR')
    await start.click()
    await test.getByText('Réussi').waitFor()
    await test.getByRole('row', { name: /Disponibilité.*disponible OK/ }).waitFor()
    await test.getByRole('row', { name: /Temps de connexion.*ms OK/ }).waitFor()
    await page.getByRole('textbox', { name: 'Texte d’accueil attendu' }).fill('AU REVOIR')
    await test.getByText('La saisie a changé depuis cet essai.').waitFor()
    await start.click()
    await test.getByText('Échec', { exact: true }).waitFor()
    // What the target sent is text, whatever is in it.
    await test.locator('pre').getByText('BONJOUR <b>Narval</b>').waitFor()
    expect(await findings(page)).toEqual([])
    expect((await api.call(scannerRoutes.list)).some(scanner => scanner.name === 'Accueil')).toBe(false)
    await page.getByRole('textbox', { name: 'Texte d’accueil attendu' }).fill('BONJOUR')
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.waitForURL('**/scanner/edit')
    await page.getByRole('row', { name: /Accueil.*srv-lyon/ }).waitFor()
  })

  it('its page tells the last runs and the next one, and a failure in words when its service stops and it is checked again', async () => {
    const scanner = await tcpScanner('Suivi')
    const { page } = await open(`/scanner/edit/${scanner.id}`)
    const state = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Contrôles' }) })
    await state.getByRole('img', { name: /contrôle.*aucun échec/ }).waitFor({ timeout: 30_000 })
    await state.getByText(/^vers \d\d:\d\d:\d\d/).waitFor()
    await state.getByText('toutes les 5 s, 1 s entre deux tentatives').waitFor()
    await closeService()
    try {
      await state.getByRole('button', { name: 'Vérifier maintenant' }).click()
      await page.getByText('La sonde est prévenue').waitFor()
      await state
        .getByRole('listitem')
        .filter({ hasText: /refusée/i })
        .waitFor({ timeout: 30_000 })
      await state.getByRole('button', { name: /^Voir les \d+ derniers contrôles$/ }).click()
      await state
        .getByRole('row', { name: /refusée.*ms Sonde locale/i })
        .first()
        .waitFor()
      expect(await findings(page)).toEqual([])
    } finally {
      service = await openService()
    }
  })

  it('a test is given up at once, and says when its probe does not answer or the server goes away', async () => {
    const scanner = await tcpScanner('Silencieux')
    // It is heard, and obeys nothing.
    const silent = await approvedWireProbe(product.server.url, api)
    await silent.post(1, [])
    const { page } = await open(`/scanner/edit/${scanner.id}`)
    const test = section(page, 'Tester maintenant')
    const start = test.getByRole('button', { name: 'Tester maintenant' })
    await test.getByRole('combobox', { name: 'Depuis la sonde' }).click()
    await page.getByRole('option', { name: 'Sonde d’essai' }).click()
    await start.click()
    await test.getByText('Essai en cours…').waitFor()
    await test.getByRole('button', { name: 'Annuler l’essai' }).click()
    await start.click()
    await test.getByText(/Sonde d’essai.*n’a pas répondu en \d+ s\./).waitFor({ timeout: 30_000 })
    await start.click()
    await test.getByText('Essai en cours…').waitFor()
    await endProgram(product.server)
    await test.getByText('Le serveur ne répond plus').waitFor()
    await product.restart()
  })

  it('pings are listed with their last values, the list of scanners is narrowed by family and saved as a file', async () => {
    const { page } = await open('/scanner/edit')
    await page.getByRole('link', { name: 'Pings' }).click()
    await page.getByRole('row', { name: /srv-lyon 127\.0\.0\.1 Lyon/ }).waitFor()
    await page.getByRole('columnheader', { name: 'Perte' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Famille' }).click()
    await page.getByRole('checkbox', { name: 'Système', exact: true }).click()
    await page.getByText(/^1 sur \d+ scanners$/).waitFor()
    await page.keyboard.press('Escape')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /CSV|Exporter/ }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^scanners-.*\.csv$/)
  })

  it('on a phone, by night, the gallery, the form and a test stay within the screen and readable', async () => {
    const { page } = await open(`/scanner/edit/new?hostId=${hostId}`, { width: 390, height: 844, dark: true })
    expect(await findings(page)).toEqual([])
    await page.getByRole('radio', { name: /^Port TCP/ }).click()
    await page.getByRole('textbox', { name: 'Port', exact: true }).fill(String(port))
    const test = section(page, 'Tester maintenant')
    await test.getByRole('button', { name: 'Tester maintenant' }).click()
    await test.getByText('Réussi').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})
