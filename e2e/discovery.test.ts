import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { discoveryRoutes, hostRoutes, probeRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { endProgram } from './kit/program.ts'

const servers: Server[] = []
const listen = (host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(socket => socket.on('error', () => undefined))
    servers.push(server)
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
const close = (server: Server): Promise<void> => new Promise(resolve => void server.close(() => resolve()))
afterAll(() => {
  for (const server of servers) server.close()
})

// The local probe is the only kind that may aim at loopback.
const product = useProduct({ env: { NARVAL_LOCAL_PROBE: 'on' } })
const { api, open } = product

const probeIsOnline = () =>
  expect
    .poll(async () => (await api.call(probeRoutes.list)).map(({ state }) => state), { timeout: 60_000 })
    .toEqual(['online'])
const lastRun = async (id: number) => (await api.call(discoveryRoutes.get, { params: { id: String(id) } })).lastRun
const stateOf = async (id: number) => (await lastRun(id))?.state

describe('discovery', () => {
  it('goes from a range typed in a form to hosts that are supervised: run, review, plan, creation', async () => {
    await probeIsOnline()
    const web = await listen('127.77.0.3', 8_080)
    await listen('127.77.0.4', 9_100)
    const { page } = await open('/scanner/edit')
    await page.getByRole('link', { name: 'Découverte', exact: true }).click()
    await page.getByText('Aucune plage à explorer').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('link', { name: 'Ajouter une plage' }).click()

    await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('Atelier')
    await page.getByRole('combobox', { name: 'Site', exact: true }).click()
    await page.getByRole('option', { name: 'Site principal' }).click()
    const ranges = page.getByRole('textbox', { name: 'Adresses', exact: true })
    await ranges.fill('127.77.0.0/28, 127.77.0.300')
    await page.getByRole('textbox', { name: 'Sauf', exact: true }).fill('127.77.0.9-127.77.0.14')
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.getByText('« 127.77.0.300 » : ni une adresse').waitFor()
    await ranges.fill('127.77.0.0/28')
    await page.getByText('8 adresses, au moins').waitFor()
    for (const name of ['Ping', 'DNS inverse', 'SNMP (groupe système)', 'Voisins LLDP'])
      await page.getByRole('checkbox', { name, exact: true }).click()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Créer', exact: true }).click()
    await page.getByText('« Atelier » est enregistré.').waitFor()

    await page.getByRole('button', { name: 'Découvrir Atelier' }).click()
    await page.getByText('2 trouvées, 2 vues pour la première fois').waitFor()
    const row = (address: string) => page.getByRole('row').filter({ hasText: address })
    await row('127.77.0.3').getByText('Service web').waitFor()
    await row('127.77.0.4').getByText('Imprimante').waitFor()
    expect(await findings(page)).toEqual([])

    await row('127.77.0.3').getByRole('checkbox').click()
    await row('127.77.0.4').getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Créer les équipements' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Nom de 127.77.0.4' }).fill('Imprimante accueil')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Prévoir' }).click()
    await dialog.getByText('2 équipements seront créés').waitFor()
    await dialog.getByText('Imprimante accueil').waitFor()
    expect((await api.call(hostRoutes.list)).some(host => host.address.startsWith('127.77.'))).toBe(false)
    await dialog.getByRole('button', { name: 'Créer 2 équipements' }).click()
    await dialog.getByText('2 équipements créés').waitFor()
    await dialog.getByRole('button', { name: 'Revenir à la liste' }).click()
    await row('127.77.0.4').getByText('Connu').waitFor()

    const hosts = (await api.call(hostRoutes.list)).filter(host => host.address.startsWith('127.77.'))
    expect(hosts.map(({ name, typeName }) => [name, typeName]).toSorted()).toEqual([
      ['127.77.0.3', 'Service web'],
      ['Imprimante accueil', 'Imprimante'],
    ])
    const runs = async () => {
      const scanners = await Promise.all(
        hosts.map(({ id }) => api.call(scannerRoutes.list, { query: { host: String(id) } })),
      )
      return scanners.every(some => some.length > 0 && some.every(({ lastRun: ran }) => ran !== null))
    }
    await expect.poll(runs, { timeout: 90_000, interval: 1_000 }).toBe(true)

    await close(web)
    await page.getByRole('button', { name: 'Découvrir Atelier' }).click()
    await page.getByText('1 trouvée, 1 disparue').waitFor()
    await row('127.77.0.3').getByText('Disparu').waitFor()
    await row('127.77.0.4').click()
    await page.getByRole('heading', { name: 'Identité' }).waitFor()
    await page.getByText('9100', { exact: true }).waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('is interrupted when the probe is killed, and when the server is; each time it can be started again', async () => {
    await probeIsOnline()
    const [site] = await api.call(siteRoutes.list)
    const body = {
      ...{ name: 'Longue', siteId: site?.id ?? 0, ranges: '127.78.0.0/20', rate: 25 },
      methods: ['snmp' as const],
    }
    const range = await api.call(discoveryRoutes.create, { body })
    const start = async () => {
      await api.call(discoveryRoutes.run, { params: { id: String(range.id) } })
      await expect.poll(() => stateOf(range.id), { timeout: 20_000 }).toBe('running')
    }
    await start()
    const { page } = await open('/scanner/discovery')
    await page.getByRole('progressbar', { name: 'Avancement de la découverte de Longue' }).waitFor()
    const lock = readFileSync(join(product.folder, 'probe', 'probe.lock'), 'utf8')
    process.kill(Number(/\d+/.exec(lock)?.[0]), 'SIGKILL')
    await expect.poll(() => stateOf(range.id), { timeout: 100_000, interval: 1_000 }).toBe('interrupted')
    await page.getByText('Interrompue', { exact: true }).waitFor()

    await probeIsOnline()
    await start()
    await page.close()
    await endProgram(product.server)
    await product.restart()
    expect(await lastRun(range.id)).toMatchObject({
      state: 'interrupted',
      error: expect.stringContaining('Le serveur s’est arrêté'),
    })
    await probeIsOnline()
    // The probe may still be at the run of before: it gives it up, and takes the new one.
    await start()
    const running = await lastRun(range.id)
    const cancelled = await api.call(discoveryRoutes.cancel, { params: { id: String(running?.id) } })
    expect(cancelled.state).toBe('cancelled')
  }, 300_000)
})
