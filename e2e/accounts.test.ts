import { accountRoutes, hostRoutes, siteRoutes, userGroupRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { createPerson, signIn } from './kit/client.ts'
import { useProduct } from './kit/product.ts'

const product = useProduct()
const { api, open } = product

describe('accounts and groups', () => {
  it('an account is created with a password shown once, limited by a group, reset and deleted', async () => {
    const lyon = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const brest = await api.call(siteRoutes.create, { body: { name: 'Brest', code: 'BRE' } })
    for (const [name, siteId] of [
      ['lyo-01', lyon.id],
      ['bre-01', brest.id],
    ] as const)
      await api.call(hostRoutes.create, { body: { name, address: '192.0.2.1', siteId } })
    const { page } = await open('/user/group/new')
    await page.getByRole('textbox', { name: 'Nom' }).fill('Exploitants Lyon')
    await page.getByRole('checkbox', { name: 'Équipements\u202f: écriture' }).check()
    await page.getByRole('switch', { name: 'Limiter à des sites' }).check({ force: true })
    expect(await page.getByRole('checkbox', { name: 'Journal\u202f: lecture' }).isDisabled()).toBe(true)
    await page
      .getByRole('combobox', { name: 'Sites' })
      .or(page.getByLabel('Sites', { exact: true }))
      .first()
      .fill('Ly')
    await page.getByRole('option', { name: 'Lyon' }).click()
    await page.getByRole('button', { name: 'Créer' }).click()
    await page.getByRole('link', { name: 'Exploitants Lyon' }).or(page.getByText('Exploitants Lyon')).first().waitFor()

    await page.goto('/user/edit/new')
    await page.getByRole('textbox', { name: 'Nom de compte' }).fill('marie.durand')
    await page.getByRole('checkbox', { name: /Exploitants Lyon/ }).check()
    await page.getByText('Ce compte ne voit que ce que ses groupes montrent', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Créer' }).click()
    const shown = page.getByRole('dialog', { name: 'Mot de passe provisoire' })
    const password = (await shown.locator('code').textContent()) ?? ''
    await shown.getByRole('button', { name: 'C’est noté' }).click()
    await page.getByText('marie.durand').first().waitFor()
    await shown.waitFor({ state: 'detached' })
    expect((await page.content()).includes(password)).toBe(false)
    const { data } = await api.call(accountRoutes.datatable.get)
    const id = data.find(({ login }) => login === 'marie.durand')?.idUser ?? 0
    const marie = await signIn(product.server.url, 'marie.durand', password)
    expect((await marie.call(accountRoutes.own)).firstConnection).toBe(true)

    await page.getByRole('button', { name: 'Actions sur marie.durand' }).click()
    await page.getByRole('menuitem', { name: 'Réinitialiser le mot de passe…' }).click()
    await page.getByRole('button', { name: 'Réinitialiser', exact: true }).click()
    const next = (await shown.locator('code').textContent()) ?? ''
    expect(next).not.toBe(password)
    await shown.getByRole('button', { name: 'C’est noté' }).click()
    await expect(marie.call(accountRoutes.own)).rejects.toThrow('401')

    await page.getByRole('button', { name: 'Actions sur marie.durand' }).click()
    await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
    const deletion = page.getByRole('dialog', { name: 'Supprimer marie.durand' })
    await deletion.getByRole('checkbox').check()
    await deletion.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByText('marie.durand est supprimé').waitFor()
    await expect(api.call(accountRoutes.get, { params: { id: String(id) } })).rejects.toThrow('404')
  })

  it('who only reads sees accounts without what changes them, and the rights that he lacks are said to be out of reach', async () => {
    const reader = await createPerson(product.server.url, api, 'lecteur', { claims: ['user_read'] })
    const looked = await open('/user/edit', { person: reader, apart: true })
    await looked.page.getByText('lecteur').first().waitFor()
    expect(await looked.page.getByRole('link', { name: 'Créer un compte' }).count()).toBe(0)
    expect(await looked.page.getByRole('link', { name: 'Groupes' }).count()).toBe(0)
    await looked.page.getByRole('button', { name: 'Actions sur lecteur' }).click()
    expect(await looked.page.getByRole('menuitem').allTextContents()).toEqual(['Ouvrir', 'Sessions ouvertes…'])

    const manager = await createPerson(product.server.url, api, 'gestion', { claims: ['user_read', 'user_write'] })
    const target = (await api.call(accountRoutes.datatable.get)).data.find(({ login }) => login === 'lecteur')
    const { page } = await open(`/user/edit/${target?.idUser}`, { person: manager, apart: true })
    const own = (name: string) => page.getByRole('checkbox', { name: `Donner en propre\u202f: ${name}` })
    expect([
      await own('Utilisateurs\u202f: lecture').isDisabled(),
      await own('Journal\u202f: lecture').isDisabled(),
    ]).toEqual([false, true])
    await page.getByText('Vous n’avez pas ce droit partout').first().waitFor()
    expect((await api.call(userGroupRoutes.list)).length).toBeGreaterThan(2)
  })

  it('a tag shows equipment to who looks after it, at once, and controls are offered only where a right holds', async () => {
    const site = await api.call(siteRoutes.create, { body: { name: 'Nantes', code: 'NAN' } })
    const add = (name: string, tags: string[]) =>
      api.call(hostRoutes.create, { body: { name, address: '192.0.2.1', siteId: site.id, tags } })
    const [lamp, other] = [await add('nan-lampe', ['Éclairage']), await add('nan-borne', [])]
    const body = { name: 'Éclairage', claims: [{ claim: 'host_write' as const }], limited: true, tags: ['éclairage'] }
    const lights = await api.call(userGroupRoutes.create, { body })
    const readers = await api.call(userGroupRoutes.create, { body: { name: 'Lecture' } })
    const person = await createPerson(product.server.url, api, 'eclairage')
    const { data } = await api.call(accountRoutes.datatable.get)
    const id = String(data.find(({ login }) => login === person.login)?.idUser)
    const join = (groups: number[]) => api.call(accountRoutes.update, { params: { id }, body: { groups } })

    await join([lights.id])
    const { page } = await open('/host', { person, apart: true })
    await page.getByRole('link', { name: 'nan-lampe' }).or(page.getByText('nan-lampe')).first().waitFor()
    expect(await page.getByText('nan-borne').count()).toBe(0)
    await api.call(hostRoutes.update, { params: { id: String(other.id) }, body: { ...other, tags: ['éclairage'] } })
    await page.getByText('nan-borne').first().waitFor()
    const tagged = await api.call(hostRoutes.get, { params: { id: String(other.id) } })
    await api.call(hostRoutes.update, { params: { id: String(other.id) }, body: { ...tagged, tags: [] } })
    await page.getByText('nan-borne').first().waitFor({ state: 'detached' })

    await join([lights.id, readers.id])
    await page.goto('/user/myaccount')
    await page.getByText('sur 1 équipement', { exact: true }).waitFor()
    await page.goto(`/host/${lamp.id}`)
    await page.getByRole('link', { name: 'Modifier' }).waitFor()
    await page.goto(`/host/${other.id}`)
    await page.getByRole('heading', { name: 'nan-borne' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Modifier' }).count()).toBe(0)
    await page.goto('/host/edit')
    await page.getByRole('checkbox', { name: /nan-lampe/ }).waitFor()
    expect(await page.getByRole('checkbox', { name: /nan-borne/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Importer' }).count()).toBe(0)
    // A right that is taken away is gone from the page that is open.
    await join([readers.id])
    await page.getByRole('checkbox', { name: /nan-lampe/ }).waitFor({ state: 'detached' })
    // As much where it was taken before the page could listen.
    await join([lights.id, readers.id])
    const late = Promise.withResolvers<void>()
    await page.route('**/Hub/Service/negotiate*', async route => {
      await late.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('checkbox', { name: /nan-lampe/ }).waitFor()
    await join([readers.id])
    late.resolve()
    await page.getByRole('checkbox', { name: /nan-lampe/ }).waitFor({ state: 'detached' })
  })
})
