import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notificationChannelRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { openWebhook } from './kit/webhook.ts'

/** Planted as every secret there is. */
const CANARY = 'canari-91b2ce'

const receiver = await openWebhook()
afterAll(() => receiver.close())
const { api, open, folder } = useProduct({ env: { NARVAL_LOG: 'debug' } })

const said: string[] = []
const listen = (page: Page): void => {
  page.on('response', async response => {
    if (response.url().includes('/api/')) said.push(await response.text().catch(() => ''))
  })
}
/** Where there are pictures to be looked at, when a folder is named for them. */
const picture = async (page: Page, name: string): Promise<void> => {
  const place = process.env.NARVAL_TEST_PICTURES
  if (place !== undefined) await page.screenshot({ path: join(place, `${name}.png`), fullPage: true })
}

describe('channels of notification', () => {
  it('are created from a gallery, tried before they are saved, and show what the receiver answers', async () => {
    const { page } = await open('/system/notification', { before: async one => listen(one) })
    await page.getByText('Aucun canal de notification').waitFor()
    await page.getByRole('link', { name: 'Nouveau canal' }).first().click()
    await page.getByRole('button', { name: /^Webhook/ }).waitFor()
    expect(await findings(page)).toEqual([])
    await picture(page, 'gallery')
    await page.getByRole('button', { name: /^Webhook/ }).click()
    await page.getByLabel('Nom', { exact: false }).first().fill('Main courante')
    await page.getByLabel('Adresse').fill(`${receiver.url}/main`)
    await page.getByLabel('En-tête Authorization').fill(`Bearer ${CANARY}`)
    await page.getByLabel('Clé de signature').fill(`${CANARY}-cle`)
    await page.getByRole('button', { name: 'Tester' }).click()
    await page.getByText('200 OK').waitFor()
    expect(receiver.received('/main')).toMatchObject([{ type: 'test', criticite: 'ok' }])
    expect(await findings(page)).toEqual([])
    await picture(page, 'webhook-form')
    await page.getByRole('button', { name: 'Créer' }).click()
    const card = page.getByRole('listitem', { name: 'Main courante' })
    await card.getByText('Jamais utilisé').waitFor()
    await card.getByRole('button', { name: 'Tester' }).click()
    await card.getByText('Fonctionne').waitFor()
    expect(receiver.received('/main').length).toBe(2)
    expect(await findings(page)).toEqual([])
    await picture(page, 'channels')
  })

  it('say in French what is wrong with their settings, and what fails when they are tried', async () => {
    const { page } = await open('/system/notification/channel/new?kind=webhook')
    await page.getByLabel('Nom', { exact: false }).first().fill('Faux')
    await page.getByLabel('Adresse').fill('ftp://exemple.fr')
    await page.getByLabel('Modèle du message').fill('{"a": "{{constructor}}"}')
    await page.getByRole('button', { name: 'Tester' }).click()
    await page.getByText('Corrigez d’abord les champs signalés.').waitFor()
    await page.getByText('Une adresse http:// ou https:// est attendue').waitFor()
    await page.getByText('Repère inconnu\u202f: constructor').last().waitFor()
    await page.getByLabel('Adresse').fill('http://127.0.0.1:1/')
    await page.getByLabel('Modèle du message').fill('{"a": "{{subject}}"}')
    await page.getByRole('button', { name: 'Tester' }).click()
    await page.getByText('la connexion est refusée').waitFor()
    await picture(page, 'failed')
  })

  it('keep their secrets to themselves: neither the page, nor the API, nor the log, nor the database has them', async () => {
    const [channel] = await api.call(notificationChannelRoutes.list)
    expect(channel?.secrets).toEqual({ authorization: true, signingKey: true })
    const { page } = await open(`/system/notification/channel/${channel?.id}`, { before: async one => listen(one) })
    await page.getByPlaceholder('Inchangé').first().waitFor()
    said.push(await page.content())
    await page.getByLabel('Nom', { exact: false }).first().fill('Main courante de nuit')
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await page.getByRole('listitem', { name: 'Main courante de nuit' }).waitFor()
    const [after] = await api.call(notificationChannelRoutes.list)
    expect(after?.secrets).toEqual({ authorization: true, signingKey: true })
    said.push(...['narval.db', 'narval.db-wal'].map(name => readFileSync(join(folder, name), 'latin1')))
    expect(said.filter(text => text.includes(CANARY))).toEqual([])
  })

  it('are switched off and deleted; on a phone all of it is in reach', async () => {
    const { page } = await open('/system/notification', { width: 390, height: 844, dark: true })
    const card = page.getByRole('listitem', { name: 'Main courante de nuit' })
    await card.waitFor()
    await picture(page, 'channels-phone-dark')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await card.getByLabel('Canal activé').click()
    await card.getByText('Désactivé', { exact: true }).waitFor()
    await card.getByRole('link', { name: 'Modifier' }).click()
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click()
    await page.getByText('Aucun canal de notification').waitFor()
    await page.getByRole('link', { name: 'Envois' }).click()
    await page.getByText('Aucun envoi').waitFor()
    expect(await findings(page)).toEqual([])
  })
})

describe('the forms of all kinds', () => {
  it.each(['email', 'slack', 'mattermost', 'teams', 'ntfy', 'sms'])('%s', async kind => {
    const { page } = await open(`/system/notification/channel/new?kind=${kind}`, { dark: kind === 'email' })
    await page.getByRole('button', { name: 'Tester' }).waitFor()
    expect(await findings(page)).toEqual([])
    await picture(page, `form-${kind}`)
  })
})
