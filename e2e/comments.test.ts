import { commentRoutes, hostRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { createPerson, type Person } from './kit/client.ts'
import { useProduct } from './kit/product.ts'

let marie: Person = { login: '', password: '' }
let hostId = 0
const { api, open } = useProduct({
  prepare: async ({ server, api: admin }) => {
    marie = await createPerson(server.url, admin, 'marie', { claims: ['incident_write'] })
    const site = await admin.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const host = { name: 'srv-lyon', address: '127.0.0.1', siteId: site.id, withPing: false }
    hostId = (await admin.call(hostRoutes.create, { body: host })).id
  },
})
const HOSTILE = '<img src=x onerror=alert(1)> </script><b>'

describe('comments and the log book', () => {
  it('a name that is typed is offered; the one named is told and sees it at once; pinned, it stands above the page; markup stays text', async () => {
    await api.call(commentRoutes.create, { body: { kind: 'host', id: hostId, text: HOSTILE } })
    const { page: mine } = await open('/comments')
    await mine.getByText(HOSTILE).waitFor()
    const { page: hers } = await open(`/host/${hostId}`, { person: marie, apart: true })
    const box = hers.getByRole('textbox', { name: 'Écrire un commentaire' })
    await box.pressSequentially('À voir avec @adm')
    await hers.getByRole('option', { name: /admin/ }).waitFor()
    await box.press('Enter')
    expect(await box.inputValue()).toBe('À voir avec @admin ')
    await box.press('Control+Enter')
    await mine.getByRole('group', { name: 'marie vous mentionne' }).waitFor()
    await mine.getByRole('button', { name: 'Commentaires, 1 vous mentionne' }).waitFor()
    await mine.getByText('À voir avec @admin').first().waitFor()
    await mine.getByRole('button', { name: /^Tout marquer comme lu/ }).click()
    await mine.getByRole('button', { name: 'Commentaires', exact: true }).waitFor()
    expect(await findings(mine)).toEqual([])
    const said = hers.getByRole('listitem', { name: 'Commentaire de marie' })
    await said.getByRole('button', { name: 'Épingler' }).click()
    const instructions = hers.getByRole('region', { name: 'Consigne' })
    await instructions.getByText('À voir avec @admin').waitFor()
    await mine.goto('/comments?pinned=true')
    await mine.getByText(/^1 à 1 sur 1/).waitFor()
    // Escape ends the change alone, where the cursor went by itself.
    await mine.getByRole('row').getByText('À voir avec').click()
    const drawer = mine.getByRole('dialog', { name: 'Commentaire' })
    await drawer.getByRole('button', { name: 'Modifier' }).click()
    await drawer.getByRole('textbox', { name: 'Modifier' }).waitFor()
    await mine.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Modifier' }).waitFor()
  })

  it('what is noted is read by others without a reload; a shift is summed up, signed, and taken over, also on a phone', async () => {
    const { page: mine } = await open('/comments/log-book')
    const { page: hers } = await open('/comments/log-book', { person: marie, apart: true, width: 390 })
    await hers.getByRole('textbox', { name: 'Écrire dans la main courante' }).fill('Ronde faite')
    await hers.getByRole('button', { name: 'Ajouter' }).click()
    await mine.getByText('Ronde faite').waitFor()
    expect(await findings(mine)).toEqual([])
    await hers.getByRole('link', { name: 'Écrire la relève' }).click()
    const words = hers.getByRole('textbox', { name: 'Relève' })
    await expect.poll(() => words.inputValue()).toContain('INCIDENTS OUVERTS (0)\nRien d’ouvert.')
    await words.fill(`${await words.inputValue()}Rappeler le fournisseur`)
    await hers.getByRole('button', { name: 'Signer la relève' }).click()
    await hers.getByRole('button', { name: /^Signer/ }).click()
    await hers.getByText('Un autre opérateur la lira').waitFor()
    expect(await hers.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(
      false,
    )
    await mine.getByText('Relève de marie à lire').waitFor()
    await mine.getByRole('link', { name: 'Lire' }).first().click()
    await mine.getByRole('main').getByText('Rappeler le fournisseur').waitFor()
    await mine.getByRole('button', { name: 'J’ai lu, je prends le poste' }).click()
    await hers.getByText(/admin, \d\d\//).waitFor()
    expect(await findings(mine)).toEqual([])
  })
})
