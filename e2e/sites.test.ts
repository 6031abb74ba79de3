import { hostRoutes, type ReplyOf, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

type Site = ReplyOf<typeof siteRoutes.get>

const { api, open } = useProduct()
const all = () => api.call(siteRoutes.list)
const byCode = async (code: string): Promise<Site> => {
  const found = (await all()).find(site => site.code === code)
  if (found === undefined) throw new Error(`no site ${code}`)
  return found
}
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const tree = (page: Page) => page.getByRole('tree', { name: 'Arborescence des sites' })
const item = (page: Page, name: string) => tree(page).getByRole('treeitem', { name: new RegExp(name) })
const pickParent = async (page: Page, term: string, option: string): Promise<void> => {
  await page.getByLabel('Site parent').first().click()
  await page.getByLabel('Site parent').first().fill(term)
  await page.getByRole('option', { name: option, exact: true }).click()
}
/** The map has drawn the outlines that came from our own host. */
const drawn = (page: Page) => page.locator('canvas[data-drawn="land"]').waitFor()

describe('sites', () => {
  it('a region and a town under it are created: point by click and by keyboard, service hours, parent by search', async () => {
    const { page } = await open('/site/edit/new')
    await field(page, 'Nom').fill('Région Sud')
    await field(page, 'Code').fill('SUD')
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.waitForURL('**/site/edit')

    await page.goto('/site/edit/new')
    await field(page, 'Nom').fill('Lyon Part-Dieu')
    await field(page, 'Code').fill('LYO-1')
    await pickParent(page, 'region', 'Région Sud')
    await drawn(page)
    const map = page.getByRole('application', { name: /^Carte/ })
    await map.scrollIntoViewIfNeeded()
    const box = await map.boundingBox()
    await map.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } })
    // The middle of the map is the middle of France.
    await expect.poll(() => page.getByLabel('Latitude').inputValue()).toMatch(/^46,/)
    const [latitude, longitude] = [
      await page.getByLabel('Latitude').inputValue(),
      await page.getByLabel('Longitude').inputValue(),
    ]
    await map.focus()
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowUp')
    const degrees = (text: string): number => Number(text.replace(',', '.'))
    await expect
      .poll(async () => degrees(await page.getByLabel('Longitude').inputValue()))
      .toBeGreaterThan(degrees(longitude))
    await expect
      .poll(async () => degrees(await page.getByLabel('Latitude').inputValue()))
      .toBeGreaterThan(degrees(latitude))
    await page.keyboard.press('+')
    const [before, coarse] = [
      await page.getByLabel('Longitude').inputValue(),
      degrees(await page.getByLabel('Longitude').inputValue()),
    ]
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.getByLabel('Longitude').inputValue()).not.toBe(before)
    expect(degrees(await page.getByLabel('Longitude').inputValue()) - coarse).toBeLessThan(0.5)

    await page.getByRole('button', { name: /^Heures de bureau/ }).click()
    await page.getByText('lun.–ven. 08:00–18:00').waitFor()
    const range = page.getByRole('group', { name: 'Plage 1' })
    await range.getByRole('button', { name: 'vendredi' }).click()
    await range.getByLabel('Plage 1, à').fill('17h30')
    await page.getByLabel('Nom du contact').fill('Claire Legoff')
    await page.getByText('lun.–jeu. 08:00–17:30').waitFor()
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.waitForURL('**/site/edit')
    const town = await byCode('LYO-1')
    expect(town).toMatchObject({
      parentName: 'Région Sud',
      openingHours: [{ days: [1, 2, 3, 4], from: '08:00', to: '17:30' }],
      contactName: 'Claire Legoff',
    })
    expect(town.latitude).toBeGreaterThan(45)
  })

  it('overlapping hours are said beside them before anything is sent; a site is never offered as its own parent', async () => {
    const region = await byCode('SUD')
    const { page } = await open(`/site/edit/${region.id}`)
    await page.getByRole('button', { name: /^Heures de bureau/ }).click()
    await page.getByRole('button', { name: 'Ajouter une plage' }).click()
    await page.getByRole('group', { name: 'Plage 2' }).getByRole('button', { name: 'lundi' }).click()
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await page.getByText(/Deux plages du lundi se chevauchent/).waitFor()
    expect((await byCode('SUD')).openingHours).toEqual([])
    await page.getByRole('button', { name: 'Retirer la plage 2' }).click()
    await page.getByLabel('Site parent').first().click()
    await page.getByRole('option', { name: 'Site principal' }).waitFor()
    expect(await page.getByRole('option', { name: /Région Sud|Lyon/ }).count()).toBe(0)
  })

  it('the tree opens and closes by keyboard, finds by its first letters, and keeps the ancestors of what is searched', async () => {
    const { page } = await open('/site')
    await page.getByText('Arborescence', { exact: true }).click()
    await page.waitForURL('**/site?view=tree')
    await item(page, 'Lyon Part-Dieu').waitFor()
    expect(await item(page, 'Lyon Part-Dieu').getAttribute('aria-level')).toBe('2')
    const active = () =>
      tree(page).evaluate(
        one => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '',
      )
    await tree(page).focus()
    await page.keyboard.press('r')
    await expect.poll(active).toContain('Région Sud')
    await page.keyboard.press('ArrowLeft')
    await item(page, 'Lyon Part-Dieu').waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await item(page, 'Lyon Part-Dieu').waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(active).toContain('Lyon Part-Dieu')
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await page.getByRole('button', { name: 'Tout replier' }).click()
    await item(page, 'Lyon').waitFor({ state: 'detached' })
    await page.getByLabel('Chercher par nom ou code').fill('lyo')
    await item(page, 'Lyon Part-Dieu').waitFor()
    expect(await tree(page).getByRole('treeitem').count()).toBe(2)
    await item(page, 'Lyon Part-Dieu').click()
    await page.waitForURL(/\/site\/\d+$/)
  })

  it('what one changes, the other’s tree shows without a reload: a move, a new site, equipment', async () => {
    const { page } = await open('/site?view=tree')
    await page.getByRole('button', { name: 'Tout déplier' }).click()
    await item(page, 'Lyon Part-Dieu').waitFor()
    const town = await byCode('LYO-1')
    const north = await api.call(siteRoutes.create, { body: { name: 'Région Nord', code: 'NORD' } })
    await item(page, 'Région Nord').waitFor()
    await api.call(siteRoutes.update, { params: { id: String(town.id) }, body: { ...town, parentId: north.id } })
    await expect.poll(() => item(page, 'Région Sud').getAttribute('aria-expanded'), { timeout: 10_000 }).toBeNull()
    await item(page, 'Région Nord').waitFor()
    await api.call(hostRoutes.create, { body: { name: 'rtr', address: '192.0.2.1', siteId: town.id } })
    // Rolled up: the region has none of its own.
    await tree(page)
      .getByRole('treeitem', { name: /Région Nord.*1 équipement/ })
      .waitFor()
  })

  it('who saves second sees both versions, chooses field by field, and saves on top of the newest', async () => {
    const { id } = await byCode('LYO-1')
    const [first, second] = [await open(`/site/edit/${id}`), await open(`/site/edit/${id}`)]
    await first.page.getByLabel('Ville').fill('Lyon 3e')
    await first.page.getByLabel('Code postal').fill('69003')
    await second.page.getByLabel('Ville').fill('LYON')
    await second.page.getByLabel('Pays').fill('FR')
    await first.page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await first.page.waitForURL('**/site/edit')
    await second.page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    const dialog = second.page.getByRole('dialog', { name: 'Cette fiche a changé entre-temps' })
    const chosen = (field: string, side: RegExp) =>
      dialog
        .getByRole('radiogroup', { name: `Version à garder pour ${field}` })
        .getByRole('radio', { name: side })
        .isChecked()
    await dialog.getByText('changé des deux côtés').waitFor()
    // Only what differs is shown; what one alone changed is proposed as he left it.
    expect(await dialog.getByRole('radiogroup').count()).toBe(3)
    expect(await Promise.all([chosen('Ville', /LYON/), chosen('Code postal', /69003/), chosen('Pays', /FR/)])).toEqual([
      true,
      true,
      true,
    ])
    await dialog.getByRole('button', { name: 'Prendre les siennes' }).click()
    expect(await Promise.all([chosen('Ville', /Lyon 3e/), chosen('Pays', /France/)])).toEqual([true, true])
    await dialog.getByRole('button', { name: 'Garder les miennes' }).click()
    expect(await chosen('Code postal', /Ma saisie/)).toBe(true)
    await dialog.getByRole('radiogroup', { name: 'Version à garder pour Code postal' }).getByText('69003').click()
    await dialog.getByRole('button', { name: 'Enregistrer ce choix' }).click()
    await second.page.waitForURL('**/site/edit')
    expect(await byCode('LYO-1')).toMatchObject({ city: 'LYON', postalCode: '69003', country: 'FR' })
  })

  it('a type is created with its icon, given to a site, and not deleted while it is used', async () => {
    const { page } = await open('/site/edit/type')
    await page.getByRole('button', { name: 'Ajouter un type' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nouveau type de site' })
    await dialog.getByLabel('Nom').fill('agence')
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await dialog.getByText('Ce nom est déjà pris.').waitFor()
    await dialog.getByLabel('Nom').fill('Port')
    await dialog.getByRole('radio', { name: 'Port', exact: true }).check({ force: true })
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await page.getByRole('button', { name: 'Supprimer Port' }).waitFor()
    const types = await api.call(siteRoutes.types)
    const port = types.find(type => type.name === 'Port')
    expect(port?.icon).toBe('anchor')
    const region = await byCode('SUD')
    await api.call(siteRoutes.update, {
      params: { id: String(region.id) },
      body: { ...region, typeId: port?.id ?? null },
    })
    await page.getByRole('button', { name: 'Supprimer Port' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer', exact: true }).click()
    await page.getByText(/celui de 1 site/).waitFor()
  })

  it('the page of a site shows where it is, its hours, whom to call and what is above and below', async () => {
    const town = await byCode('LYO-1')
    await api.call(siteRoutes.update, {
      params: { id: String(town.id) },
      body: {
        ...town,
        contactPhone: '+33 4 72 00 00 00',
        contactEmail: 'claire@exemple.fr',
        instruction: 'Appeler le gardien.',
      },
    })
    const { page } = await open(`/site/${town.id}`)
    await drawn(page)
    const above = page.getByRole('navigation', { name: 'Sites au-dessus' })
    expect(await page.getByRole('link', { name: '+33 4 72 00 00 00' }).getAttribute('href')).toBe('tel:+33472000000')
    expect(await page.getByRole('link', { name: 'claire@exemple.fr' }).getAttribute('href')).toBe(
      'mailto:claire@exemple.fr',
    )
    await page.getByText(/^(En service|Hors des heures de service)$/).waitFor()
    await page.getByText('lun.–jeu. 08:00–17:30').waitFor()
    await page.getByText('Appeler le gardien.').first().waitFor()
    await above.getByRole('link', { name: 'Région Nord' }).click()
    await page.getByRole('heading', { name: 'Sites rattachés' }).waitFor()
    await page.getByRole('link', { name: /Lyon Part-Dieu/ }).waitFor()
  })

  it.each([
    { dark: false, width: 1440 },
    { dark: true, width: 1440 },
    { dark: false, width: 390 },
    { dark: true, width: 390 },
  ])('axe-core finds nothing on the form, the page, the tree and the types ($width px, dark: $dark)', async options => {
    const { id } = await byCode('LYO-1')
    const { page } = await open('/site?view=tree', options)
    await item(page, 'Région').first().waitFor()
    expect(await findings(page, 'all')).toEqual([])
    for (const path of [`/site/${id}`, `/site/edit/${id}`]) {
      await page.goto(path)
      await drawn(page)
      expect([path, await findings(page, 'all')]).toEqual([path, []])
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, path).toBeLessThanOrEqual(0)
    }
    await page.goto('/site/edit/type')
    await page.getByRole('button', { name: 'Ajouter un type' }).click()
    await page.getByRole('dialog').getByLabel('Nom').waitFor()
    expect(await findings(page, 'all')).toEqual([])
  })
})
