import { join } from 'node:path'
import { hostRoutes, notificationChannelRoutes, notificationRuleRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const SHOTS = process.env.NARVAL_TEST_SHOTS
const RULES = '/system/notification/rule'

const { api, open } = useProduct({
  prepare: async () => {
    const site = await api.call(siteRoutes.create, {
      body: { name: 'Lyon', code: 'LYON', timeZone: 'Europe/Paris' },
    })
    await api.call(hostRoutes.create, { body: { name: 'routeur-1', address: '192.0.2.1', siteId: site.id } })
    await api.call(notificationChannelRoutes.create, {
      body: {
        ...{ kind: 'ntfy' as const, name: 'Salle d’exploitation' },
        settings: { server: 'http://127.0.0.1:9', topic: 'alertes' },
      },
    })
  },
})
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
}
const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
const pick = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('rules of notification, seen', () => {
  it('the first one is offered, says in plain French what it does, and is in the list', async () => {
    const { page } = await open(RULES)
    await page.getByText('Personne n’est prévenu', { exact: true }).waitFor()
    await shoot(page, 'regles-vides')
    await page.getByRole('link', { name: 'Prévenir de toute erreur par le premier canal' }).click()
    await page.getByRole('textbox', { name: 'Nom' }).fill('Nuits et jours fériés')
    await page.getByText(/Pour tout ce qui est surveillé en erreur, à toute heure/).waitFor()
    await page.getByRole('combobox', { name: 'Sites', exact: true }).click()
    await page.getByRole('option', { name: /Lyon/ }).click()
    await page.getByText(/Pour tout ce qui est surveillé en erreur à Lyon et au-dessous/).waitFor()
    await shoot(page, 'regle-formulaire')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Créer' }).click()
    const rule = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Nuits et jours fériés' }) })
    await rule.getByText(/aussitôt, Salle d’exploitation/).waitFor()
    await shoot(page, 'regles')
  })

  it('what fails on 14 July at 3 h: who is told after 30 s, and why the rule of office hours is silent', async () => {
    const [first] = await api.call(notificationRuleRoutes.list, {})
    if (first === undefined) throw new Error('the first rule is missing')
    const period = {
      ...first.period,
      ...{ hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }], holidays: 'never' as const },
    }
    await api.call(notificationRuleRoutes.create, { body: { ...first, name: 'Heures de bureau', period } })
    const { page } = await open('/system/notification/simulator')
    await page.getByRole('combobox', { name: 'Équipement', exact: true }).click()
    await page.getByRole('option', { name: /routeur-1/ }).click()
    await page.getByLabel('Le jour et l’heure').fill('2026-07-14T03:00')
    await page.getByRole('textbox', { name: 'Rétabli après' }).fill('20')
    await page.getByRole('button', { name: 'Simuler' }).click()
    const sends = page.getByRole('list', { name: 'Ce qui serait envoyé' }).getByRole('listitem')
    await sends.first().waitFor()
    expect(await sends.allTextContents()).toEqual([
      expect.stringMatching(
        /^\+30\u202fs14\/07\/2026 03:00.*Salle d’exploitation.*Problème · Nuits et jours fériés, étape 1$/,
      ),
      expect.stringMatching(
        /^\+20\u202fmin14\/07\/2026 03:20.*Salle d’exploitation.*Fin · Nuits et jours fériés, étape 1$/,
      ),
    ])
    await page.getByText('hors période\u202f: jour férié (fête nationale)').waitFor()
    await page.getByText(/routeur-1 indisponible · Lyon · Jour férié\u202f: fête nationale/).waitFor()
    await shoot(page, 'simulateur')
    expect(await findings(page)).toEqual([])
  })

  it('the order is changed by buttons, and a rule is deleted after it says what that does', async () => {
    const { page } = await open(RULES)
    await page.getByRole('button', { name: 'Monter «\u202fHeures de bureau\u202f»' }).click()
    await expect
      .poll(async () => (await api.call(notificationRuleRoutes.list, {})).map(({ name }) => name))
      .toEqual(['Heures de bureau', 'Nuits et jours fériés'])
    await page.getByRole('link', { name: 'Heures de bureau' }).click()
    await pick(page, 'Les jours fériés', 'Comme un dimanche')
    await page.getByText(/les jours fériés comme un dimanche/).waitFor()
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await page.getByRole('link', { name: 'Heures de bureau' }).click()
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click()
    await expect.poll(async () => (await api.call(notificationRuleRoutes.list, {})).length).toBe(1)
  })

  it('dark and on a phone, nothing is wider than the screen', async () => {
    const [rule] = await api.call(notificationRuleRoutes.list, {})
    const pages = [
      ['regles', RULES, 'Nuits et jours fériés'],
      ['regle', `${RULES}/${rule?.id}`, 'En clair'],
      ['simulateur', '/system/notification/simulator', 'Qui est prévenu si…'],
    ] as const
    for (const [name, path, shown] of pages) {
      const { page: phone } = await open(path, { width: 390, height: 844 })
      await phone.getByText(shown, { exact: true }).first().waitFor()
      expect([name, await isWide(phone)]).toEqual([name, false])
      await shoot(phone, `${name}-telephone`)
      const { page: dark } = await open(path, { dark: true })
      await dark.getByText(shown, { exact: true }).first().waitFor()
      expect([name, await findings(dark)]).toEqual([name, []])
      await shoot(dark, `${name}-sombre`)
    }
  })
})
