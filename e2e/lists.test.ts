import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { bar, button, HOSTS, row, useLists } from './kit/lists.ts'

const { folder, open, reader } = useLists()
const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()

describe('a list as one wants it', () => {
  it('columns are chosen and put in order, and are so at the next sign-in on another machine', async () => {
    const { page } = await open('/host')
    await row(page, 'eq-001').waitFor()
    await button(page, 'Colonnes').click()
    const menu = page.getByRole('group', { name: 'Colonnes' })
    await menu.getByRole('checkbox', { name: 'Type' }).click()
    await menu.getByRole('checkbox', { name: 'Description' }).click()
    await menu.getByRole('button', { name: 'Avancer la colonne Site' }).click()
    await page.keyboard.press('Escape')
    const wanted = [
      ...['État', 'Nom', 'Site', 'Adresse', 'Métriques', 'Depuis', 'Dernière réponse', 'Description', 'Actions'],
    ]
    const shown = async (of: Page) => (await headers(of)).map(text => text.trim()).filter(text => text !== '')
    await expect.poll(() => shown(page)).toEqual(wanted)
    const other = await open('/host', { apart: true })
    await row(other.page, 'eq-001').waitFor()
    expect(await shown(other.page)).toEqual(wanted)
    // The list of the edition has columns of its own, and others have theirs.
    await other.page.goto('/host/edit')
    await row(other.page, 'eq-001').waitFor()
    expect(await shown(other.page)).toContain('Type')
    const hers = await open('/host', { person: reader })
    await row(hers.page, 'eq-001').waitFor()
    expect(await shown(hers.page)).toContain('Type')
    await button(page, 'Colonnes').click()
    await button(page, 'Colonnes d’origine').click()
    await expect.poll(() => shown(page)).toContain('Type')
  })

  it('a view is saved and shared; another account applies it and can not take it away; its author deletes it', async () => {
    const { page } = await open('/host?sort=name')
    await page.getByRole('searchbox').fill('eq-03')
    await page.waitForURL(/q=eq-03/)
    await button(page, 'Vues enregistrées').click()
    await button(page, 'Enregistrer la vue actuelle').click()
    const dialog = page.getByRole('dialog', { name: 'Enregistrer la vue actuelle' })
    await dialog.getByLabel('Nom de la vue').fill('Trentaine')
    await dialog.getByRole('checkbox', { name: 'La montrer aux autres comptes' }).check()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    const hers = await open('/host', { person: reader })
    await row(hers.page, 'eq-001').waitFor()
    await button(hers.page, 'Vues enregistrées').click()
    const shared = hers.page.getByRole('button', { name: /^Trentaine.*partagée par/ })
    await shared.waitFor()
    expect(await hers.page.getByRole('button', { name: /^Supprimer la vue/ }).count()).toBe(0)
    await shared.click()
    await hers.page.waitForURL(/q=eq-03/)
    await row(hers.page, 'eq-039').waitFor()
    expect(await hers.page.getByRole('searchbox').inputValue()).toBe('eq-03')

    await button(page, 'Vues enregistrées').click()
    await page.getByRole('button', { name: 'Supprimer la vue « Trentaine »' }).click()
    await page.getByText(/^Aucune vue/).waitFor()
    await hers.page.reload()
    await button(hers.page, 'Vues enregistrées').click()
    await hers.page.getByText(/^Aucune vue/).waitFor()
  })

  it('the CSV export holds all that match, not the page alone, and imports back with nothing to change', async () => {
    const { page } = await open('/host/edit?q=eq-')
    await row(page, 'eq-001').waitFor()
    expect(await page.getByRole('row').count()).toBe(26)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Exporter en CSV tout ce qui correspond').click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^equipements-\d{4}-\d\d-\d\d-\d\d-\d\d\.csv$/)
    const file = join(folder, 'equipements.csv')
    await download.saveAs(file)
    const text = readFileSync(file, 'utf8')
    const names = [...text.matchAll(/\beq-\d{3}(?=[;,"])/g)].map(([name]) => name)
    expect(new Set(names).size).toBe(HOSTS)
    expect(text).not.toMatch(/[;"]=1\+1/)
    await page.getByRole('link', { name: 'Importer' }).click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choisir un fichier' }).click(),
    ])
    await chooser.setFiles(file)
    await button(page, 'Vérifier').click()
    await page.getByText('Aucune erreur, et rien à changer\u202f: tout est déjà ainsi.').waitFor()
  })
})

const LISTS = ['/host/edit', '/site/edit', '/metric/edit', '/scanner/edit'] as const
describe('for everyone', () => {
  it.each([
    { dark: false, width: 1440 },
    { dark: true, width: 1440 },
    { dark: false, width: 390 },
    { dark: true, width: 390 },
  ])(
    'axe-core finds nothing with the menus and the dialog open, nothing overflows ($width px, dark: $dark)',
    async options => {
      const { page } = await open('/host/edit', options)
      for (const path of LISTS) {
        await page.goto(path)
        const boxes = page.getByRole('checkbox', { name: /^Sélectionner / })
        await boxes.nth(1).waitFor()
        await button(page, 'Vues enregistrées').click()
        await button(page, 'Enregistrer la vue actuelle').waitFor()
        expect([path, 'views', await findings(page, 'all')]).toEqual([path, 'views', []])
        await page.keyboard.press('Escape')
        if (options.width > 390) {
          await button(page, 'Colonnes').click()
          await page.getByRole('group', { name: 'Colonnes' }).waitFor()
          expect([path, 'columns', await findings(page, 'all')]).toEqual([path, 'columns', []])
          await page.keyboard.press('Escape')
        }
        await boxes.nth(1).click()
        await bar(page).waitFor()
        if (options.width === 390) {
          // Cards have no head: the bar takes the page, and stays in sight while one scrolls.
          await button(page, 'Toute la page').click()
          await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
          const place = await bar(page).boundingBox()
          expect(place?.y ?? -1, path).toBeGreaterThanOrEqual(40)
          expect(place?.y ?? 999, path).toBeLessThan(400)
        }
        expect([path, 'bar', await findings(page, 'all')]).toEqual([path, 'bar', []])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, path).toBeLessThanOrEqual(0)
        await bar(page).getByRole('button', { name: 'Modifier' }).click()
        await button(page, 'Voir ce qui changera').waitFor()
        expect([path, 'dialog', await findings(page, 'all')]).toEqual([path, 'dialog', []])
      }
    },
  )
})
