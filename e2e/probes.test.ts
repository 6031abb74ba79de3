import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostRoutes, probeRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { endProgram, type Program, spawnProgram } from './kit/program.ts'

const MAIN = fileURLToPath(new URL('../packages/probe/src/main.ts', import.meta.url))
const NAME = 'Sonde de Lyon'
const HOSTILE = '<img src=x onerror="window.pris=1"><b>gras</b>'
const SHOTS = process.env.NARVAL_TEST_SHOTS

const web = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(HOSTILE))
let port = 0
let host = 0
const { api, open, folder } = useProduct({
  env: { NARVAL_LOCAL_PROBE: 'on' },
  prepare: async () => {
    await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
    const address = web.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    const site = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const body = { name: 'rtr-lyon', address: '192.0.2.1', siteId: site.id }
    host = (await api.call(hostRoutes.create, { body })).id
  },
})
let program: Program | null = null
afterAll(async () => {
  if (program !== null) await endProgram(program)
  web.closeAllConnections()
  web.close()
})

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const probeNamed = async (isIt: (probe: { name: string; local: boolean }) => boolean) => {
  const found = (await api.call(probeRoutes.list)).find(isIt)
  if (found === undefined) throw new Error('no such probe')
  return found
}
const lyon = () => probeNamed(probe => probe.name === NAME)
const local = () => probeNamed(probe => probe.local)

describe('a probe, from its code to its end', () => {
  it('is enrolled by the command that the console gives, shows the same fingerprint on both sides, and is approved', async () => {
    const { page } = await open('/probe/edit')
    await page.getByRole('button', { name: 'Ajouter une sonde' }).first().click()
    const command = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
    const [, server = '', code = ''] =
      /^NARVAL_SERVER=(\S+) NARVAL_ENROLL_CODE=(\S+) npm start -w packages\/probe$/.exec(command) ?? []
    expect(code).not.toBe('')
    await page.getByRole('dialog').getByRole('button', { name: 'Fermer' }).last().click()
    program = spawnProgram(MAIN, {
      NARVAL_SERVER: server,
      NARVAL_ENROLL_CODE: code,
      NARVAL_PROBE_NAME: NAME,
      NARVAL_PROBE_DATA: join(folder, 'sonde-lyon'),
    })
    const notice = page.getByRole('alert').filter({ hasText: 'attend d’être approuvée' })
    await notice.getByText(NAME, { exact: true }).waitFor({ timeout: 60_000 })
    const { fingerprint } = await lyon()
    expect((await notice.locator('code').textContent())?.replaceAll(' ', '')).toBe(fingerprint)
    await expect.poll(() => program?.output()).toContain(`"key":"${fingerprint}"`)
    await shoot(page, 'attente')
    expect(await findings(page)).toEqual([])
    await notice.getByRole('button', { name: 'Approuver' }).click()
    await notice.waitFor({ state: 'detached' })
    await expect.poll(async () => (await lyon()).state, { timeout: 30_000 }).toBe('online')
  })

  it('takes over the equipment of another one, planned first', async () => {
    const { page } = await open(`/probe/edit/${(await local()).id}`)
    await page.getByRole('button', { name: 'Déplacer les équipements' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nouvelle sonde').first().click()
    await page.getByRole('option', { name: NAME }).click()
    await dialog.getByText(/^Changeront de sonde\u202f: \d+ équipements?/).waitFor()
    await dialog.getByLabel('Seulement ceux-ci').click()
    await dialog.getByLabel('Équipements à déplacer').first().fill('rtr-lyon')
    await page.getByRole('option', { name: 'rtr-lyon' }).click()
    // The list that is open covers what is below it.
    await dialog.getByLabel('Équipements à déplacer').first().blur()
    await dialog.getByText('Changeront de sonde\u202f: 1 équipement.').waitFor()
    await shoot(page, 'deplacer')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Déplacer' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await api.call(hostRoutes.get, { params: { id: String(host) } })).probeId).toBe((await lyon()).id)
  })

  it('tries things out: what a page says is shown as text, what is not allowed is refused in words, at 390 px too', async () => {
    const { page } = await open(`/probe/edit/${(await local()).id}?essai=http&adresse=127.0.0.1`)
    await page.getByLabel('Adresse web').fill(`http://127.0.0.1:${port}/`)
    await page.getByRole('button', { name: 'Lancer' }).click()
    const result = page.getByRole('region', { name: 'Résultat' })
    await result.getByText('Réponse 200').waitFor({ timeout: 30_000 })
    expect(await result.textContent()).toContain(HOSTILE)
    expect(
      await page.evaluate(() => [Reflect.get(globalThis, 'pris'), document.querySelector('code img, code b')]),
    ).toEqual([undefined, null])
    await shoot(page, 'essai-clair')
    expect(await findings(page)).toEqual([])

    const phone = await open(`/probe/edit/${(await lyon()).id}?adresse=127.0.0.1`, {
      width: 390,
      height: 844,
      dark: true,
    })
    await phone.page.getByRole('button', { name: 'Lancer' }).click()
    await phone.page.getByText('L’essai a échoué').waitFor({ timeout: 30_000 })
    await phone.page
      .getByText(/boucle|refusée/)
      .first()
      .waitFor()
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await phone.page.getByLabel('Adresse ou nom').fill('-c 5')
    await phone.page.getByRole('button', { name: 'Lancer' }).click()
    await phone.page.getByText('Une adresse IP ou un nom est attendu').waitFor()
    await shoot(phone.page, 'essai-sombre-390')
    expect(await findings(phone.page)).toEqual([])
  })

  it('renews its key and goes on; revoked, it stops within 5 s, and is then deleted', async () => {
    const { id, fingerprint } = await lyon()
    const { page } = await open(`/probe/edit/${id}`)
    await page.getByRole('button', { name: 'Renouveler la clé' }).click()
    await expect.poll(async () => (await lyon()).fingerprint, { timeout: 30_000 }).not.toBe(fingerprint)
    await page.getByText('La clé de la sonde est renouvelée').first().waitFor()
    const renewed = await lyon()
    await expect.poll(() => program?.output()).toContain(`"key":"${renewed.fingerprint}"`)
    expect(renewed.state).toBe('online')
    await shoot(page, 'fiche')

    await page.getByRole('button', { name: 'Révoquer' }).click()
    const startedMs = performance.now()
    await page.getByRole('dialog').getByRole('button', { name: 'Révoquer' }).click()
    await expect.poll(() => program?.output(), { timeout: 10_000, interval: 50 }).toContain('la sonde a été révoquée')
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('dialog').getByText('N’auront plus de sonde choisie\u202f: 1 équipement').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click()
    await page.waitForURL('**/probe/edit')
    expect((await api.call(probeRoutes.list)).map(probe => probe.local)).toEqual([true])
  })
})
