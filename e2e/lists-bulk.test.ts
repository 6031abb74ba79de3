import { hostRoutes, metricRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bar, box, button, pageBox, row, useLists } from './kit/lists.ts'

const { api, open, all, reader, hosts, host } = useLists()
const selected = (page: Page, count: number) => bar(page).getByText(new RegExp(`: ${count}\\s`))
const ticked = (page: Page) => page.locator('tr[data-ticked]').count()

/** What has the focus, by its kind, and whether it stands in a list. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement
    const kind = one?.matches('input[type=search]') ? 'searchbox' : (one?.tagName.toLowerCase() ?? '')
    return `${kind}${one?.closest('[data-table]') ? ' of a list' : ''}`
  })

describe('rows that are ticked', () => {
  it('by click, by Shift through all between, by Space on a row, by the page’s box, and all that match', async () => {
    const { page } = await open('/host?sort=name')
    await box(page, 'eq-002').click()
    await selected(page, 1).waitFor()
    await box(page, 'eq-006').click({ modifiers: ['Shift'] })
    await selected(page, 5).waitFor()
    await box(page, 'eq-004').click()
    await selected(page, 4).waitFor()
    expect(await row(page, 'eq-004').getAttribute('aria-selected')).not.toBe('true')
    await row(page, 'eq-010').focus()
    await page.keyboard.press('Space')
    await selected(page, 5).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await selected(page, 7).waitFor()
    expect(page.url()).toContain('/host?sort=name')

    // Kept from page to page; the page's box takes its page and gives it back.
    await button(page, 'Page suivante').click()
    await box(page, 'eq-026').waitFor()
    expect(await ticked(page)).toBe(0)
    await pageBox(page).click()
    await selected(page, 32).waitFor()
    await pageBox(page).click()
    await selected(page, 7).waitFor()
    await pageBox(page).click()
    await bar(page)
      .getByRole('button', { name: new RegExp(`^Tout sélectionner \\(${all.hosts}\\s`) })
      .click()
    await selected(page, all.hosts).waitFor()
    await button(page, 'Page précédente').click()
    await box(page, 'eq-003').waitFor()
    expect(await ticked(page)).toBe(25)
    await button(page, 'Tout désélectionner').click()
    await bar(page).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('tr of a list')
    expect(await ticked(page)).toBe(0)

    // Another search is another list: nothing of the former one is acted upon unseen.
    await box(page, 'eq-001').click()
    await page.getByRole('searchbox').fill('eq-02')
    await box(page, 'eq-020').waitFor()
    await bar(page).waitFor({ state: 'detached' })
  })

  it('without the right to write there is nothing to tick, no bar, and Space does nothing', async () => {
    const { page } = await open('/host?sort=name', { person: reader })
    await row(page, 'eq-001').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await row(page, 'eq-001').focus()
    await page.keyboard.press('Space')
    expect(await bar(page).count()).toBe(0)
    await page.goto('/site')
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    // Metrics are ticked to be drawn together, and for nothing else.
    await page.goto('/metric')
    await page.getByRole('row').nth(1).waitFor()
    await page.getByRole('checkbox').nth(1).click()
    await page
      .getByRole('link', { name: 'Tracer ensemble' })
      .or(page.getByRole('button', { name: 'Tracer ensemble' }))
      .waitFor()
    expect(await page.getByRole('button', { name: /Acquitter|Modifier|Supprimer|Vérifier/ }).count()).toBe(0)
  })
})

describe('a change of many hosts', () => {
  it('says what will change and what is refused, does it, and a second browser shows it without a reload', async () => {
    const parent = await host('eq-001')
    const child = await host('eq-002')
    await api.call(hostRoutes.update, {
      params: { id: String(child.id) },
      body: { ...child, parentIds: [parent.id] },
    })
    const [first, second] = [await open('/host/edit'), await open('/host/edit', { apart: true })]
    await row(second.page, 'eq-003').waitFor()
    const { page } = first
    for (const name of ['eq-001', 'eq-002', 'eq-003']) await box(page, name).click()
    await bar(page).getByRole('button', { name: 'Modifier' }).click()
    const dialog = page.getByRole('dialog', { name: /^Modifier 3.équipements/ })
    await dialog.getByLabel('Étiquettes').first().selectOption({ label: 'Ajouter des étiquettes' })
    await dialog.getByLabel('Étiquettes').nth(1).fill('lot-7')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Équipements parents').first().selectOption({ label: 'Ajouter des parents' })
    await dialog.getByLabel('Équipements parents').nth(1).fill('eq-002')
    await page.getByRole('option', { name: 'eq-002' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Voir ce qui changera' }).click()
    await dialog.getByText(/^1.équipement changera\.$/).waitFor()
    await dialog.getByText(/2 sont refusés/).waitFor()
    const refusals = dialog.getByRole('listitem')
    expect(await refusals.allInnerTexts()).toEqual([
      expect.stringMatching(/^eq-001.*ne peut dépendre de lui-même, même de loin/),
      expect.stringMatching(/^eq-002/),
    ])
    expect((await host('eq-003')).tags).toEqual([])
    await dialog.getByRole('button', { name: 'Appliquer à 1' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row(second.page, 'eq-003').getByText('lot-7').waitFor()
    const changed = await host('eq-003')
    expect([changed.tags, changed.parents.map(one => one.name)]).toEqual([['lot-7'], ['eq-002']])
    expect((await host('eq-001')).tags).toEqual([])
  })

  it('disables and enables; what is already so is said; nothing to do can not be applied', async () => {
    const { page } = await open('/host/edit')
    for (const name of ['eq-007', 'eq-008']) await box(page, name).click()
    await button(page, 'Désactiver').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^2.équipements changeront\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Appliquer à 2' }).click()
    await row(page, 'eq-007').getByText('Désactivé').waitFor()
    expect((await host('eq-008')).enabled).toBe(false)
    // They stay ticked: one more action on the same rows.
    await button(page, 'Désactiver').click()
    await dialog.getByText('Rien ne changera.').waitFor()
    await dialog.getByText('2 sont déjà ainsi.').waitFor()
    expect(await dialog.getByRole('button', { name: /^Appliquer/ }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Annuler' }).click()
    await button(page, 'Activer').click()
    await dialog.getByRole('button', { name: 'Appliquer à 2' }).click()
    await row(page, 'eq-007').getByText('Désactivé').waitFor({ state: 'detached' })
    expect((await host('eq-008')).enabled).toBe(true)
  })

  it('deletes only once what disappears with them was read and the box is ticked', async () => {
    const { siteId } = await host('eq-001')
    for (const name of ['perime-1', 'perime-2'])
      await api.call(hostRoutes.create, { body: { name, address: '192.0.2.200', siteId, withPing: true } })
    const { page } = await open('/host/edit?q=perime')
    await box(page, 'perime-1').waitFor()
    await pageBox(page).click()
    await button(page, 'Autres actions').click()
    await page.getByRole('menuitem', { name: 'Supprimer' }).click()
    const dialog = page.getByRole('dialog', { name: /^Supprimer 2.équipements/ })
    await dialog.getByText(/^Disparaîtront.*2.équipements.*2.scanners.*métriques/).waitFor()
    const remove = dialog.getByRole('button', { name: 'Supprimer', exact: true })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Je comprends que tout cela sera supprimé' }).check()
    await remove.click()
    await page.getByText('Rien ne correspond').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    expect((await hosts()).length).toBe(all.hosts)
    // No row is left to have the focus: the search has it.
    await expect.poll(() => focused(page)).toBe('searchbox of a list')
  })

  it('by keyboard alone: a row, its action, the plan, the answer, and back where one was', async () => {
    const { page } = await open('/host/edit?q=eq-05')
    await box(page, 'eq-050').waitFor()
    await page.getByRole('searchbox').focus()
    // Tab goes through the tools, the page's box, the head, then the one row that is a stop.
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.tagName === 'TR')) break
    }
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await selected(page, 1).waitFor()
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('Shift+Tab')
      if (await page.evaluate(() => document.activeElement?.textContent === 'Désactiver')) break
    }
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Désactiver 1.équipement/ })
    const apply = dialog.getByRole('button', { name: 'Appliquer à 1' })
    await apply.waitFor()
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Tab')
      if (await apply.evaluate(one => one === document.activeElement)) break
    }
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await row(page, 'eq-059').getByText('Désactivé').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Désactiver')
  })
})

describe('sites, metrics and scanners', () => {
  it('several sites get a parent at once; a site is not its own ancestor; the second browser sees it', async () => {
    const region = await api.call(siteRoutes.create, { body: { name: 'Région Ouest', code: 'OUE' } })
    const [first, second] = [await open('/site/edit'), await open('/site/edit', { apart: true })]
    await row(second.page, 'Nantes').waitFor()
    const { page } = first
    await box(page, 'Nantes').click()
    await box(page, 'Région Ouest').click()
    await bar(page).getByRole('button', { name: 'Modifier' }).click()
    const dialog = page.getByRole('dialog', { name: /^Modifier 2.sites/ })
    await dialog.getByLabel('Site parent').first().selectOption({ label: 'Remplacer par' })
    await dialog.getByLabel('Site parent').nth(1).fill('ouest')
    await page.getByRole('option', { name: 'Région Ouest' }).click()
    await dialog.getByRole('button', { name: 'Voir ce qui changera' }).click()
    await dialog.getByText(/1 est refusé/).waitFor()
    await dialog.getByRole('button', { name: 'Appliquer à 1' }).click()
    await row(second.page, 'Nantes').getByText('Région Ouest').waitFor()
    const sites = await api.call(siteRoutes.list)
    expect(sites.find(one => one.code === 'NAN')?.parentId).toBe(region.id)
  })

  it('metrics take a number of attempts and give it back to inheritance; a page of them goes with one box', async () => {
    const { page } = await open('/metric/edit?q=eq-001')
    await pageBox(page).click()
    await bar(page).getByRole('button', { name: 'Modifier' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nombre de tentatives avant validation').first().selectOption({ label: 'Remplacer par' })
    await dialog.getByLabel('Nombre de tentatives avant validation').nth(1).fill('7')
    await dialog.getByRole('button', { name: 'Voir ce qui changera' }).click()
    await dialog.getByRole('button', { name: /^Appliquer à/ }).click()
    await dialog.waitFor({ state: 'detached' })
    const own = async () =>
      (await api.call(metricRoutes.datatable.put, { body: { search: { value: 'eq-001' }, length: 100 } })).data.map(
        one => one.attempts,
      )
    expect(new Set(await own())).toEqual(new Set([7]))
    await button(page, 'Autres actions').click()
    await page.getByRole('menuitem', { name: 'Revenir à l’héritage' }).click()
    await dialog.getByRole('button', { name: /^Appliquer à/ }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new Set(await own())).toEqual(new Set([null]))
  })

  it('every scanner that matches is disabled, beyond the page too', async () => {
    const { page } = await open('/scanner/edit')
    await page.getByRole('row').nth(25).waitFor()
    await pageBox(page).click()
    await bar(page)
      .getByRole('button', { name: /^Tout sélectionner/ })
      .click()
    await button(page, 'Désactiver').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: `Appliquer à ${all.scanners}` }).click()
    await dialog.waitFor({ state: 'detached' })
    const { data } = await api.call(scannerRoutes.datatable.put, { body: { length: 100 } })
    expect([data.length, data.filter(one => one.enabled).length]).toEqual([all.scanners, 0])
  })
})
