import { hostRoutes, probeGroupRoutes, probeRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { enrolWireProbe, type WireProbe } from './kit/wire-probe.ts'

const NAMES = ['Alpha', 'Bravo', 'Charlie']
const probes: WireProbe[] = []
let host = 0

const { api, open } = useProduct({
  env: { NARVAL_SILENCE_SECONDS: '15' },
  prepare: async ({ server }) => {
    for (const name of NAMES) {
      const { code } = await api.call(probeRoutes.code)
      const probe = await enrolWireProbe(server.url, code, { name })
      await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
      probes.push(probe)
    }
    const site = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
    const [alpha] = probes
    const body = { name: 'srv-1', address: '192.0.2.9', siteId: site.id, probeId: alpha?.id ?? null }
    host = (await api.call(hostRoutes.create, { body })).id
  },
})

describe('groups of probes', () => {
  it('are created, put in order and changed on the page of probes; a probe of another group is refused in words', async () => {
    const { page } = await open('/probe/edit')
    await page.getByRole('button', { name: 'Nouveau groupe' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nom').fill('Sondes de Lyon')
    for (const name of ['Bravo', 'Alpha']) {
      await dialog.getByLabel('Ajouter une sonde').first().click()
      await page.getByRole('option', { name, exact: true }).click()
      await dialog.getByRole('button', { name: `Retirer ${name}` }).waitFor()
    }
    await dialog.getByRole('button', { name: 'Monter Alpha' }).click()
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await dialog.waitFor({ state: 'detached' })
    const group = page.getByRole('region', { name: 'Sondes de Lyon' })
    await group.getByRole('link', { name: 'Bravo' }).waitFor()
    const names = async () => (await api.call(probeGroupRoutes.list)).map(one => one.members.map(({ name }) => name))
    expect(await names()).toEqual([['Alpha', 'Bravo']])

    await page.getByRole('button', { name: 'Nouveau groupe' }).click()
    await dialog.getByLabel('Nom').fill('Autres')
    await dialog.getByLabel('Ajouter une sonde').first().click()
    await page.getByRole('option', { name: 'Alpha', exact: true }).click()
    await dialog.getByRole('button', { name: 'Retirer Alpha' }).waitFor()
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await dialog.getByText('est déjà dans le groupe').waitFor()
    await dialog.getByRole('button', { name: 'Annuler' }).click()

    await page.getByRole('button', { name: 'Modifier «\u202fSondes de Lyon\u202f»' }).click()
    await dialog.getByLabel('Ajouter une sonde').first().click()
    await page.getByRole('option', { name: 'Charlie', exact: true }).click()
    await dialog.getByRole('button', { name: 'Retirer Charlie' }).waitFor()
    await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).click()
    await group.getByRole('link', { name: 'Charlie' }).waitFor()
    expect(await names()).toEqual([NAMES])
    expect(await findings(page)).toEqual([])
  })

  it('show, while a member is silent, who runs its scanners: on their page, on the host and in the list of scanners', async () => {
    const { page } = await open('/probe/edit')
    const [alpha, bravo] = probes
    const [scanner] = await api.call(scannerRoutes.list, { query: { host: String(host) } })
    const result = { scanner: scanner?.id ?? 0, at: Date.now(), durationMs: 3, failure: null, values: { rtt_avg: 1 } }
    expect(await alpha?.post(1, [result])).toBe(204)
    // Bravo goes on speaking, Alpha does not.
    let sequence = 0
    const speaking = setInterval(() => void bravo?.post(++sequence, []), 5_000)
    try {
      await page.getByText('exécuté par Bravo').waitFor({ timeout: 60_000 })
      await page.goto(`/host/${host}`)
      await page.getByText('exécuté par Bravo à la place de Alpha').waitFor()
      await page.getByText('Alpha, remplacée pour l’instant par Bravo').waitFor()
      await page.goto('/scanner/edit')
      await page.getByText('exécuté par Bravo à la place de Alpha').first().waitFor()
      const { standIn, state } = await api.call(hostRoutes.get, { params: { id: String(host) } })
      expect([standIn?.name, state]).toEqual(['Bravo', 'available'])
    } finally {
      clearInterval(speaking)
    }
  })
})
