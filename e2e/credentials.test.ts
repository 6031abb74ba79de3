import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import {
  ALL_ROUTES,
  CREDENTIAL_ROUTES,
  credentialRoutes,
  GLOBAL_STREAM,
  HUBS,
  hostRoutes,
  scannerRoutes,
  siteRoutes,
} from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { endProgram } from './kit/program.ts'
import { freePort } from './kit/server.ts'

/** Planted as every secret there is; whatever holds it told it. */
const CANARY = 'canari-3e8a71'
const HTTP = { username: 'supervision', password: `${CANARY}-http` } as const
const BASIC = Buffer.from(`${HTTP.username}:${HTTP.password}`).toString('base64')
const SECRETS = [CANARY, BASIC, BASIC.replace(/=+$/, '')]

let targetPort = 0
const heard = new Set<string>()
const target = createServer((request, response) => {
  heard.add(request.headers.authorization ?? '')
  response.writeHead(request.headers.authorization === `Basic ${BASIC}` ? 200 : 401).end()
})
const product = useProduct({
  env: { NARVAL_LOCAL_PROBE: 'on', NARVAL_LOG: 'debug' },
  prepare: async () => {
    targetPort = await freePort()
    await new Promise<void>(resolve => target.listen(targetPort, '127.0.0.1', resolve))
  },
})
const { api, folder, open } = product
afterAll(() => new Promise(resolve => target.close(resolve)))

/** Every file of the data folder but the keys themselves, the probe's among them. */
const filesOf = (path: string): { name: string; text: string }[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'secret-keys.txt')
    .flatMap(entry => readIfThere(entry.name, join(entry.parentPath, entry.name)))

/** A journal may be taken away between its listing and its reading. */
const readIfThere = (name: string, path: string): { name: string; text: string }[] => {
  try {
    return [{ name, text: readFileSync(path, 'latin1') }]
  } catch {
    if (existsSync(path)) throw new Error(`${path} can not be read`)
    return []
  }
}

const tells = (text: string): boolean => SECRETS.some(secret => text.includes(secret))

describe('S59: canaries planted as credentials', () => {
  let hostId = 0
  let siteId = 0
  const said: string[] = []

  it('are used by the probe, which is given them by inheritance', async () => {
    const hub = new HubConnectionBuilder()
      .withUrl(`${product.server.url}${HUBS.host.path}`, { accessTokenFactory: api.token })
      .configureLogging(LogLevel.None)
      .build()
    hub.on(HUBS.host.event, message => said.push(JSON.stringify(message)))
    await hub.start()
    await hub.invoke(HUBS.host.join, GLOBAL_STREAM)
    const site = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    siteId = site.id
    const host = await api.call(hostRoutes.create, {
      body: { name: 'srv-lyon', address: '127.0.0.1', siteId, withPing: false },
    })
    hostId = host.id
    const v3 = { version: 'v3', user: 'narval', authProtocol: 'SHA256', privProtocol: 'AES128' } as const
    for (const [owner, id, body] of [
      ['site', siteId, { kind: 'http', settings: HTTP }],
      ['site', siteId, { kind: 'sql', settings: { ...HTTP, password: `${CANARY}-sql` } }],
      ['site', siteId, { kind: 'ldap', settings: { ...HTTP, password: `${CANARY}-ldap` } }],
      ['site', siteId, { kind: 'mail', settings: { ...HTTP, password: `${CANARY}-mail` } }],
      ['site', siteId, { kind: 'snmp', settings: { version: 'v2c', community: `${CANARY}-snmp` } }],
      [
        'host',
        hostId,
        { kind: 'snmp', settings: { ...v3, authPassword: `${CANARY}-auth`, privPassword: `${CANARY}-priv` } },
      ],
    ] as const)
      said.push(JSON.stringify(await api.call(CREDENTIAL_ROUTES[owner].update, { params: { id: String(id) }, body })))
    const wrong = { kind: 'http', settings: { username: `${CANARY}:x`, password: `${CANARY}\n` } } as const
    const refused = api.call(CREDENTIAL_ROUTES.site.update, { params: { id: String(siteId) }, body: wrong })
    said.push(await refused.then(String, String))
    const scanner = await api.call(scannerRoutes.create, {
      body: {
        name: 'Intranet',
        kind: 'http',
        hostId,
        intervalSeconds: 5,
        retryIntervalSeconds: 2,
        timeoutMs: 1_000,
        parameters: { url: `http://{address}:${targetPort}/`, authentication: 'host' },
      },
    })
    await expect
      .poll(async () => (await api.call(hostRoutes.get, { params: { id: String(hostId) } })).state, { timeout: 30_000 })
      .toBe('available')
    expect([...heard]).toEqual([`Basic ${BASIC}`])
    await api.call(CREDENTIAL_ROUTES.site.update, {
      params: { id: String(siteId) },
      body: { kind: 'http', settings: { ...HTTP, password: `${CANARY}-autre` } },
    })
    await expect
      .poll(async () => (await api.call(scannerRoutes.get, { params: { id: String(scanner.id) } })).lastError, {
        timeout: 30_000,
      })
      .toBe('Identifiants refusés (code de réponse 401)')
    await api.call(CREDENTIAL_ROUTES.site.update, {
      params: { id: String(siteId) },
      body: { kind: 'http', settings: HTTP },
    })
    expect(await api.call(credentialRoutes.rotate)).toEqual({ resealed: 6, unreadable: 0, dropped: 1 })
    await hub.stop()
  })

  it('are in no answer, refusal or hub message', async () => {
    for (const route of ALL_ROUTES.filter(one => one.method === 'GET' && one.access !== 'probe')) {
      for (const id of [siteId, hostId, 1]) {
        const answer = await fetch(`${product.server.url}${route.path.replace(/:\w+/g, String(id))}`, {
          headers: { authorization: `Bearer ${api.token()}` },
        })
        said.push(`${route.path} ${await answer.text()}`)
      }
    }
    expect(said.length).toBeGreaterThan(100)
    expect(said.filter(tells).map(text => text.slice(0, 80))).toEqual([])
    expect(said.some(text => text.includes(HTTP.username))).toBe(true)
  })

  it('are in no file of the data folder but sealed, in no log, while the server runs and after it was killed', async () => {
    const look = () => {
      const files = filesOf(folder)
      expect(files.filter(file => tells(file.text)).map(file => file.name)).toEqual([])
      return files.map(file => file.text).join()
    }
    expect(look()).toContain(HTTP.username)
    await endProgram(product.server)
    look()
    expect(tells(product.server.output())).toBe(false)
    await product.restart()
    const { http } = await api.call(credentialRoutes.hostGet, { params: { id: String(hostId) } })
    expect(http.effective).toMatchObject({ unreadable: false, origin: { kind: 'site', id: siteId, name: 'Lyon' } })
  })
})

describe('the credentials of a host in the browser', () => {
  let page: Page
  let hostId = 0
  let siteId = 0
  beforeAll(async () => {
    const site = await api.call(siteRoutes.create, { body: { name: 'Brest', code: 'BRE' } })
    siteId = site.id
    const host = await api.call(hostRoutes.create, {
      body: { name: 'srv-brest', address: '192.0.2.9', siteId, withPing: false },
    })
    hostId = host.id
  })

  const kind = (name: string) => page.locator('li').filter({ has: page.getByText(name, { exact: true }) })
  const dialog = () => page.getByRole('dialog')
  const save = () => dialog().getByRole('button', { name: 'Enregistrer', exact: true }).click()

  it('are given on the site, inherited by its host, replaced there, and inherited again', async () => {
    ;({ page } = await open(`/site/edit/${siteId}`))
    await kind('SNMP').getByText('Aucun', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Définir les identifiants SNMP' }).click()
    await save()
    await dialog().getByText('Cette version demande une communauté').first().waitFor()
    await dialog().getByLabel('Communauté').fill(`${CANARY}-écran`)
    await save()
    await dialog().waitFor({ state: 'detached' })
    await kind('SNMP').getByText('Propre à ce site').waitFor()

    await page.goto(`/host/edit/${hostId}`)
    await kind('SNMP').getByText('Hérité du site Brest').waitFor()
    await page.getByRole('button', { name: 'Définir les identifiants SNMP' }).click()
    await dialog().getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: 'v3' }).click()
    await dialog().getByLabel('Utilisateur').fill('narval')
    await dialog().getByRole('combobox', { name: 'Authentification' }).click()
    await page.getByRole('option', { name: 'SHA256' }).click()
    await dialog().getByLabel('Mot de passe d’authentification').fill('court')
    await save()
    await dialog().getByText('Au moins 8 caractères sont attendus').waitFor()
    await dialog().getByLabel('Mot de passe d’authentification').fill(`${CANARY}-long`)
    expect(await findings(page)).toEqual([])
    await save()
    await dialog().waitFor({ state: 'detached' })
    await kind('SNMP').getByText('Propre à cet équipement').waitFor()
    await kind('SNMP').getByText('v3 · port 161 · utilisateur narval · SHA256').waitFor()

    await page.getByRole('button', { name: 'Modifier les identifiants SNMP' }).click()
    const field = dialog().getByLabel('Mot de passe d’authentification')
    expect(await field.inputValue()).toBe('')
    expect(await field.getAttribute('placeholder')).toBe('Inchangé')
    expect(await field.getAttribute('autocomplete')).toBe('new-password')
    await dialog().getByRole('button', { name: 'Annuler' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(CANARY)

    await kind('SNMP').getByRole('button', { name: 'Revenir à l’héritage' }).click()
    await kind('SNMP').getByRole('button', { name: 'Confirmer' }).click()
    await kind('SNMP').getByText('Hérité du site Brest').waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('a conflict is told, and what was typed is kept', async () => {
    const params = { id: String(hostId) }
    await api.call(credentialRoutes.hostUpdate, { params, body: { kind: 'http', settings: HTTP } })
    ;({ page } = await open(`/host/edit/${hostId}`))
    await page.getByRole('button', { name: 'Modifier les identifiants HTTP' }).click()
    await dialog().getByLabel('Utilisateur').fill('saisi')
    await dialog().getByLabel('Mot de passe').fill(`${CANARY}-saisi`)
    await api.call(credentialRoutes.hostUpdate, { params, body: { kind: 'http', settings: { username: 'autre' } } })
    await save()
    const choice = page.getByRole('dialog', { name: 'Cette fiche a changé entre-temps' })
    await choice
      .getByRole('radiogroup', { name: /Utilisateur/ })
      .getByText('autre')
      .waitFor()
    expect(await choice.textContent()).not.toContain(CANARY)
    await choice.getByRole('button', { name: 'Enregistrer ce choix' }).click()
    await dialog().waitFor({ state: 'detached' })
    await kind('HTTP').getByText('utilisateur saisi').waitFor()
  })
})
