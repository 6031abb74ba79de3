import { hostRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const { api, open } = useProduct({
  prepare: async () => {
    await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
  },
})
const models = () => api.call(hostRoutes.models)

describe('types of equipment and hardware models', () => {
  it('are reached from the list, created, renamed, refused a name that is taken, and deleted', async () => {
    const { page } = await open('/host/edit')
    await page.getByRole('link', { name: 'Types et modèles', exact: true }).click()
    await page.waitForURL('**/host/edit/type')
    await page.getByRole('button', { name: 'Ajouter un type' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nom').fill('routeur')
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await dialog.getByText('Nom déjà pris.').waitFor()
    await dialog.getByLabel('Nom').fill('Automate')
    await dialog.getByRole('radio', { name: 'Automate' }).check({ force: true })
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await page.getByRole('button', { name: 'Modifier Automate' }).click()
    await dialog.getByLabel('Nom').fill('Automate de ligne')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Supprimer Automate de ligne' }).waitFor()
    const types = await api.call(hostRoutes.types)
    expect(types.find(type => type.name === 'Automate de ligne')?.icon).toBe('cpu')
    await page.getByRole('button', { name: 'Supprimer Automate de ligne' }).click()
    await dialog.getByRole('button', { name: 'Supprimer', exact: true }).click()
    await page.getByRole('button', { name: 'Supprimer Automate de ligne' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Ajouter un modèle' }).click()
    await dialog.getByLabel('Nom').fill('R-210')
    await dialog.getByLabel('Constructeur').fill('Cabestan')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Modifier R-210 (Cabestan)' }).waitFor()
    expect((await models()).map(({ name, manufacturer }) => [name, manufacturer])).toEqual([['R-210', 'Cabestan']])
  })

  it('are created within the form of a host, which chooses them and keeps what was typed; used, they stay', async () => {
    const { page } = await open('/host/edit/new')
    await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('automate-1')
    await page.getByRole('textbox', { name: 'Adresse' }).fill('192.0.2.7')
    await page.getByLabel('Site').first().click()
    await page.getByRole('option', { name: 'Lyon' }).click()
    await page.getByRole('button', { name: 'Ajouter un type' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nom').fill('Variateur')
    // Sends the dialog alone, not the form that it stands in.
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Type', { exact: true }).first().inputValue()).toBe('Variateur')
    await page.getByRole('button', { name: 'Ajouter un modèle' }).click()
    await dialog.getByLabel('Nom').fill('V-12')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Modèle matériel').first().inputValue()).toBe('V-12')
    // The focus is back on what opened the dialog.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Ajouter un modèle')
    expect(page.url()).toContain('/host/edit/new')
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.waitForURL(/\/host\/\d+$/)
    const { data } = await api.call(hostRoutes.datatable.put, { body: { search: { value: 'automate-1' } } })
    expect(data.map(one => [one.typeName, one.modelName])).toEqual([['Variateur', 'V-12']])

    await page.goto('/host/edit/type')
    for (const name of ['Variateur', 'V-12']) {
      await page.getByRole('button', { name: `Supprimer ${name}`, exact: true }).click()
      await dialog.getByRole('button', { name: 'Supprimer', exact: true }).click()
      await dialog.getByText('Un équipement s’en sert encore.', { exact: false }).waitFor()
      await dialog.getByRole('button', { name: 'Annuler' }).click()
    }
    expect((await models()).some(model => model.name === 'V-12')).toBe(true)
  })

  it('the key of secrets is changed by an administrator, after he was told what that does', async () => {
    const id = (await api.call(hostRoutes.datatable.put, { body: { search: { value: 'automate-1' } } })).data[0]?.id
    const { page } = await open(`/host/edit/${id}`)
    await page.getByRole('button', { name: 'Changer la clé des secrets…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Changer la clé des secrets' })
    await dialog.getByText(/chiffrés de nouveau/).waitFor()
    expect(await findings(page, 'all')).toEqual([])
    await dialog.getByRole('button', { name: 'Changer la clé' }).click()
    await page.getByText(/La clé est changée/).waitFor()
  })

  it.each([
    { dark: false, width: 1440 },
    { dark: true, width: 390 },
  ])('axe-core finds nothing on the page, its dialogs and the form ($width px, dark: $dark)', async options => {
    const { page } = await open('/host/edit/type', options)
    await page.getByRole('button', { name: 'Modifier Routeur' }).waitFor()
    expect(await findings(page, 'all')).toEqual([])
    for (const name of ['Ajouter un type', 'Ajouter un modèle']) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').getByLabel('Nom').waitFor()
      expect([name, await findings(page, 'all')]).toEqual([name, []])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.goto('/host/edit/new')
    await page.getByRole('button', { name: 'Ajouter un type' }).waitFor()
    expect(await findings(page, 'all')).toEqual([])
  })
})
