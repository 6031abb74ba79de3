import { customFieldRoutes, hostRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { createPerson, type Person } from './kit/client.ts'
import { useProduct } from './kit/product.ts'

let reader: Person
let outsider: Person
let hostId: number
const { api, open } = useProduct({
  prepare: async ({ server }) => {
    const site = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYON' } })
    const host = { address: '127.0.0.1', siteId: site.id, withPing: false }
    hostId = (await api.call(hostRoutes.create, { body: { ...host, name: 'rtr-lyon-01' } })).id
    await api.call(hostRoutes.create, { body: { ...host, name: 'rtr-lyon-02' } })
    reader = await createPerson(server.url, api, 'lecteur')
    outsider = await createPerson(server.url, api, 'ailleurs')
  },
})

const PATIENT = { timeout: 30_000 }
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}
const labelsOf = (page: Page) =>
  page
    .locator('ul[aria-label="Réseau"] > li a > span:first-child')
    .evaluateAll(rows => rows.map(row => row.firstChild?.textContent ?? ''))
const definitionOf = async (key: string) => {
  const all = await api.call(customFieldRoutes.definitions)
  const found = all.find(one => one.key === key)
  if (found === undefined) throw new Error(`no field ${key}`)
  return found
}

describe('« Champs dynamiques »', () => {
  it('defines a group and fields of several types, each with the parameters of its type and a key out of its label', async () => {
    const { page } = await open('/customfield/edit')
    await page.getByRole('link', { name: 'Créer un groupe' }).click()
    await page.getByRole('button', { name: 'Ajouter un groupe', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Nouveau groupe de champs' })
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await dialog.getByText('Champ requis').waitFor()
    await dialog.getByLabel('Nom du groupe').fill('Réseau')
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await dialog.waitFor({ state: 'detached' })

    const add = async (label: string, type: string, more: () => Promise<void>) => {
      await page.goto('/customfield/edit/new')
      await page.getByRole('textbox', { name: 'Libellé' }).fill(label)
      await choose(page, 'Type', type)
      await more()
      await page.getByRole('button', { name: 'Créer', exact: true }).click()
      await page.waitForURL('**/customfield/edit')
    }
    await add('Débit contractuel', 'Nombre décimal', async () => {
      await page.getByRole('combobox', { name: 'Unité' }).fill('bit/s')
      await page.getByRole('textbox', { name: 'Valeur par défaut' }).fill('100 Mbit/s')
    })
    await add('Opérateur', 'Choix', async () => {
      await page.getByRole('textbox', { name: 'Choix n° 1' }).fill('Orange')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Choix n° 2' }).fill('SFR')
    })
    await add('Numéro de contrat', 'Texte', async () => {
      await page.getByRole('textbox', { name: 'Format imposé' }).fill('CT-\\d{3}')
      await page.getByRole('textbox', { name: 'Essayer' }).fill('CT-12')
      await page.getByText('Ce texte est refusé.').waitFor()
      await page.getByRole('textbox', { name: 'Essayer' }).fill('CT-123')
      await page.getByText('Ce texte est accepté.').waitFor()
      expect(await page.getByLabel('Unité').count()).toBe(0)
    })
    expect(await definitionOf('debit_contractuel')).toMatchObject({ unit: 'bits/s', defaultValue: '100000000' })
    expect(await definitionOf('operateur')).toMatchObject({ choices: ['Orange', 'SFR'] })
    expect(await definitionOf('numero_de_contrat')).toMatchObject({ type: 'text', regex: 'CT-\\d{3}' })

    // What the server alone knows stands beside its field, and nothing that was typed is lost.
    await page.goto('/customfield/edit/new')
    await page.getByRole('textbox', { name: 'Libellé' }).fill('Opérateur')
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.locator('[id$="-error"]').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Clé' }).inputValue()).toBe('operateur')
  })

  it('puts fields in order by keyboard and by mouse, for everybody', async () => {
    const { page } = await open('/customfield/edit')
    await expect.poll(() => labelsOf(page), PATIENT).toEqual(['Débit contractuel', 'Opérateur', 'Numéro de contrat'])
    const down = page.getByRole('button', { name: /Descendre .*Débit contractuel/ })
    await down.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => labelsOf(page), PATIENT).toEqual(['Opérateur', 'Débit contractuel', 'Numéro de contrat'])
    expect(await down.evaluate(button => button === document.activeElement)).toBe(true)
    const handles = page.locator('ul[aria-label="Réseau"] [data-handle]')
    const [last, first] = [await handles.nth(2).boundingBox(), await handles.nth(0).boundingBox()]
    if (last === null || first === null) throw new Error('no handle')
    await page.mouse.move(last.x + 10, last.y + 10)
    await page.mouse.down()
    await page.mouse.move(first.x + 10, first.y - 4, { steps: 8 })
    await page.mouse.up()
    const ordered = ['Numéro de contrat', 'Opérateur', 'Débit contractuel']
    await expect.poll(() => labelsOf(page), PATIENT).toEqual(ordered)
    const kept = async () =>
      (await api.call(customFieldRoutes.definitions)).toSorted((a, b) => a.position - b.position).map(one => one.label)
    await expect.poll(kept, PATIENT).toEqual(ordered)
  })

  it('gives a user group its members and its privileges in the matrix, by keyboard, all saved together', async () => {
    const { page } = await open('/customfield/edit?tab=privileges')
    await page.getByRole('button', { name: 'Ajouter un groupe d’utilisateurs' }).click()
    const naming = page.getByRole('dialog', { name: 'Nouveau groupe d’utilisateurs' })
    await naming.getByLabel('Nom').fill('Techniciens')
    await naming.getByRole('button', { name: 'Créer' }).click()
    await naming.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions sur le groupe Techniciens' }).click()
    await page.getByRole('menuitem', { name: 'Membres' }).click()
    const members = page.getByRole('dialog', { name: /Membres de/ })
    await members.getByRole('combobox', { name: 'Ajouter un membre' }).fill(reader.login)
    await page.getByRole('option', { name: reader.login }).click()
    await members.getByRole('button', { name: `Retirer ${reader.login}` }).waitFor()
    await members.getByRole('button', { name: 'Enregistrer les membres' }).click()
    await members.waitFor({ state: 'detached' })
    await page.getByRole('columnheader', { name: /Techniciens.*1 membre/ }).waitFor()

    const cell = (row: string) => page.getByRole('button', { name: new RegExp(`^${row}, Techniciens`) })
    await cell('Réseau').focus()
    await page.keyboard.press('Space')
    await cell('Réseau').getByText('Lecture').waitFor()
    await cell('Débit contractuel').getByText('Comme le groupe').waitFor()
    // The first field is the contract's number: nobody's business.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('0')
    await cell('Numéro de contrat').getByText('Aucun').waitFor()
    await page.getByRole('tab', { name: 'Groupes' }).click()
    await page.getByRole('tab', { name: 'Privilèges' }).click()
    await page.getByRole('button', { name: /Enregistrer 2.changements/ }).click()
    await page.getByText('Privilèges enregistrés.').waitFor()
    const { cells } = await api.call(customFieldRoutes.privileges)
    const number = await definitionOf('numero_de_contrat')
    expect(cells).toContainEqual(expect.objectContaining({ groupId: number.groupId, level: 'read' }))
    expect(cells).toContainEqual(expect.objectContaining({ definitionId: number.id, level: 'none' }))
  })

  it('shows the form as a user group sees it', async () => {
    const { userGroups } = await api.call(customFieldRoutes.privileges)
    const group = userGroups.find(one => one.name === 'Techniciens')
    const { page } = await open(`/customfield/edit?tab=preview&userGroup=${group?.id}&scope=host`)
    await page.getByRole('textbox', { name: 'Débit contractuel' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Débit contractuel' }).isDisabled()).toBe(true)
    expect(await page.getByRole('textbox', { name: 'Numéro de contrat' }).count()).toBe(0)
    await page.getByText(/^1 autre champ ne lui est pas montré/).waitFor()
  })
})

describe('the fields of a host', () => {
  it('are changed by who may, seen at once by who reads them, and by nobody else', async () => {
    const admin = await open(`/host/${hostId}`)
    const reading = await open(`/host/${hostId}`, { person: reader })
    const outside = await open(`/host/${hostId}`, { person: outsider })
    const card = (page: Page) =>
      page.locator('section', { has: page.getByRole('heading', { name: 'Champs dynamiques' }) })
    await card(reading.page)
      .getByText(/100.Mbit\/s/)
      .waitFor()
    await card(reading.page).getByText('par défaut').waitFor()
    expect(await card(reading.page).getByRole('button', { name: 'Modifier' }).count()).toBe(0)
    expect(await reading.page.getByText('Numéro de contrat').count()).toBe(0)

    await card(admin.page).getByRole('button', { name: 'Modifier' }).click()
    const form = admin.page.getByRole('form', { name: 'Champs dynamiques' })
    await form.getByRole('textbox', { name: 'Numéro de contrat' }).fill('CT-1')
    await form.getByRole('textbox', { name: 'Débit contractuel' }).fill('1 Gbit/s')
    await form.getByRole('combobox', { name: 'Opérateur' }).click()
    await admin.page.getByRole('option', { name: 'Orange' }).click()
    await form.getByRole('button', { name: 'Enregistrer les champs' }).click()
    await form.getByText(/n’a pas la forme demandée/).waitFor()
    await form.getByRole('textbox', { name: 'Numéro de contrat' }).fill('CT-123')
    await form.getByRole('button', { name: 'Enregistrer les champs' }).click()
    await card(admin.page).getByText('CT-123').waitFor()
    await card(reading.page)
      .getByText(/1.Gbit\/s/)
      .waitFor()
    await card(reading.page).getByText('Orange').waitFor()

    await card(reading.page).getByRole('button', { name: 'Historique' }).click()
    const history = reading.page.getByRole('dialog', { name: /Historique des champs/ })
    await history.getByText(/1.Gbit\/s/).waitFor()
    expect(await history.getByText('CT-123').count()).toBe(0)

    await outside.page.getByRole('heading', { name: 'rtr-lyon-01' }).waitFor()
    await outside.page.getByText('Aucun incident.').waitFor()
    expect(await outside.page.getByText('Champs dynamiques').count()).toBe(0)
  })

  it('changed by two at once show both values, and nothing typed is lost (S31)', async () => {
    const { page } = await open(`/host/edit/${hostId}`)
    const form = page.getByRole('form', { name: 'Champs dynamiques' })
    await form.getByRole('textbox', { name: 'Numéro de contrat' }).fill('CT-456')
    const before = await api.call(customFieldRoutes.host, { params: { id: String(hostId) } })
    const mine = before.fields.find(one => one.definition.key === 'numero_de_contrat')
    await api.call(customFieldRoutes.setHost, {
      params: { id: String(hostId) },
      body: { values: { numero_de_contrat: 'CT-789' }, updatedAt: mine?.updatedAt ?? null },
    })
    await form.getByText('Ces champs ont changé entre-temps').waitFor()
    await form.getByText('CT-789').waitFor()
    expect(await form.getByRole('textbox', { name: 'Numéro de contrat' }).inputValue()).toBe('CT-456')
    expect(await form.getByRole('button', { name: 'Enregistrer les champs' }).isDisabled()).toBe(true)
    await form.getByRole('button', { name: 'Garder la mienne' }).click()
    await form.getByRole('button', { name: 'Enregistrer les champs' }).click()
    await page.getByText('Champs enregistrés.').waitFor()
    // The default comes back where the own value is taken away.
    await form.getByRole('button', { name: /Revenir à la valeur héritée/ }).click()
    await form.getByRole('button', { name: 'Enregistrer les champs' }).click()
    await form.getByText('par défaut').waitFor()
    const after = await api.call(customFieldRoutes.host, { params: { id: String(hostId) } })
    expect(after.fields.find(one => one.definition.key === 'numero_de_contrat')?.value).toBe('CT-456')
    expect(after.fields.find(one => one.definition.key === 'debit_contractuel')?.origin).toBe('default')
  })

  it('typed and not saved are not left without asking, beside another form that is not saved either', async () => {
    const { page } = await open(`/host/edit/${hostId}`)
    const form = page.getByRole('form', { name: 'Champs dynamiques' })
    await page.getByRole('textbox', { name: 'Description' }).fill('cœur de réseau')
    await form.getByRole('textbox', { name: 'Numéro de contrat' }).fill('CT-999')
    const dialog = page.getByRole('dialog', { name: /Quitter sans enregistrer/ })
    const leave = () => page.getByRole('link', { name: 'Voir la fiche' }).click()
    await leave()
    await dialog.getByRole('button', { name: 'Rester sur la page' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await form.getByRole('textbox', { name: 'Numéro de contrat' }).inputValue()).toBe('CT-999')
    // The host's own form is as it was again: the fields alone still ask.
    await page.getByRole('textbox', { name: 'Description' }).fill('')
    await leave()
    await dialog.getByRole('button', { name: 'Quitter sans enregistrer' }).click()
    await page.waitForURL(`**/host/${hostId}`)
  })

  it('are columns and filters of the list for who reads them', async () => {
    const { page } = await open('/host', { person: reader })
    await page.getByRole('button', { name: 'Colonnes', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Opérateur' }).click()
    await page.getByRole('checkbox', { name: 'Débit contractuel' }).click()
    expect(await page.getByRole('checkbox', { name: 'Numéro de contrat' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Colonnes', exact: true }).click()
    await page.getByRole('row', { name: /rtr-lyon-01.*Orange/ }).waitFor()
    await page.getByRole('row', { name: /rtr-lyon-02.*100.Mbit\/s/ }).waitFor()
    // The filter came with its column, and stands before it.
    await page.getByRole('button', { name: 'Opérateur', exact: true }).first().click()
    await page.getByRole('checkbox', { name: 'Orange' }).click()
    await page.getByRole('row', { name: /rtr-lyon-02/ }).waitFor({ state: 'detached' })
    expect(decodeURIComponent(page.url())).toContain('champ.operateur=Orange')
  })
})

it.each([
  { dark: false, width: 1440 },
  { dark: true, width: 390 },
])('axe-core finds nothing of weight in « Champs dynamiques » ($width px, dark: $dark)', async options => {
  const { page } = await open('/customfield/edit', options)
  const number = await definitionOf('operateur')
  const places = [
    ['/customfield/edit', page.getByRole('link', { name: /Opérateur/ })],
    ['/customfield/edit?tab=groups', page.getByRole('button', { name: /Renommer/ })],
    ['/customfield/edit?tab=privileges', page.getByRole('grid')],
    [`/customfield/edit/${number.id}`, page.getByRole('textbox', { name: 'Libellé' })],
    [`/host/edit/${hostId}`, page.getByRole('form', { name: 'Champs dynamiques' })],
  ] as const
  for (const [path, shown] of places) {
    if (!page.url().endsWith(path)) await page.goto(path)
    await shown.first().waitFor()
    expect(await findings(page), path).toEqual([])
  }
})
