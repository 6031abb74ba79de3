import { hostRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const made = { site: 0 }
const product = useProduct({
  async prepare({ api }) {
    made.site = (await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })).id
    await api.call(hostRoutes.create, { body: { name: 'srv-forêt', address: '192.0.2.7', siteId: made.site } })
  },
})
const createHost = (name: string) =>
  product.api.call(hostRoutes.create, { body: { name, address: '192.0.2.8', siteId: made.site } })

describe('the log', () => {
  it('grows while acts happen; paused it holds still and counts them; found by words, opened and left by keyboard', async () => {
    const { page } = await product.open('/log')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('srv-forêt').first().waitFor()
    await createHost('srv-vivant')
    await row('srv-vivant').first().waitFor()

    await page.getByRole('button', { name: 'Mettre en pause' }).click()
    await page.getByText('En pause\u202f: rien de nouveau').waitFor()
    await createHost('srv-attend')
    await page.getByText(/^En pause\u202f: \d entrées? de plus$/).waitFor()
    expect(await row('srv-attend').count()).toBe(0)
    await page.getByRole('button', { name: 'Reprendre le direct' }).click()
    await row('srv-attend').first().waitFor()

    const box = page.getByRole('searchbox', { name: 'Chercher dans le journal' })
    await box.fill('FORET creation')
    await row('srv-vivant').first().waitFor({ state: 'detached' })
    const first = row('srv-forêt').first()
    await first.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: /Entrée du journal/ })
    await drawer.getByText('192.0.2.7').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('FORET creation')
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(() => first.evaluate(element => element === document.activeElement)).toBe(true)

    await page.getByRole('button', { name: 'Vérifier les sceaux' }).click()
    await page.getByText('Le journal est intact').waitFor()
  })
})
