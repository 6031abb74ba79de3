import { hostRoutes, siteRoutes } from '@narval/contracts'
import type { Page, Response } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { openPage } from './kit/browser.ts'
import { createPerson } from './kit/client.ts'
import { useProduct } from './kit/product.ts'
import { ADMIN } from './kit/server.ts'
import { openThirdParty, type ThirdParty } from './kit/third-party-page.ts'
import { approvedWireProbe } from './kit/wire-probe.ts'

let party: ThirdParty
let page: Page
let faults: string[]
const HOSTS = 35
const SITES = 34

const { api } = useProduct({
  prepare: async ({ browser, server }) => {
    await createFleet()
    await approvedWireProbe(server.url, api)
    await createPerson(server.url, api, 'zoé.lefèvre', { fresh: true })
    party = await openThirdParty(server.port)
    ;({ page, faults } = await openPage(browser, party.url))
    await page.goto('/')
    await page.evaluate(`signIn('${ADMIN.login}', '${ADMIN.password}')`)
  },
})
afterAll(() => party.close())

const createFleet = async (): Promise<void> => {
  // What a first start creates would be counted too.
  for (const { id } of await api.call(hostRoutes.list))
    await api.call(hostRoutes.delete, { params: { id: String(id) } })
  for (const { id } of await api.call(siteRoutes.list))
    await api.call(siteRoutes.delete, { params: { id: String(id) } })
  const sites: number[] = []
  for (let index = 1; index <= SITES; index++) {
    const name = index === 1 ? 'Évreux, siège' : `Agence ${String(index).padStart(2, '0')}`
    sites.push((await api.call(siteRoutes.create, { body: { name, code: `S${index}` } })).id)
  }
  for (let index = 1; index <= HOSTS; index++) {
    const name = index === 1 ? 'Caméra d’entrée' : `srv-${String(index).padStart(2, '0')}`
    const siteId = sites[index % 2] ?? 0
    await api.call(hostRoutes.create, { body: { name, address: `192.0.2.${index}`, siteId, withPing: index <= 12 } })
  }
}

interface Asked {
  readonly draw: number
  readonly start: number
  readonly length: number
}
interface Answer {
  readonly draw: number
  readonly recordsTotal: number
  readonly recordsFiltered: number
  readonly data: readonly Record<string, unknown>[]
}
/** What the library sent, and what it was answered; the answer's draw is always the one sent. */
const exchange = async (response: Response): Promise<{ asked: Asked; answer: Answer }> => {
  expect(response.status()).toBe(200)
  const asked: Asked = JSON.parse(response.request().postData() ?? '')
  const answer: Answer = await response.json()
  expect(answer.draw).toBe(asked.draw)
  return { asked, answer }
}
/** Does something that makes the library ask, and waits until it has drawn the answer. */
const drawing = async (controller: string, act: () => Promise<unknown>) => {
  const [response] = await Promise.all([page.waitForResponse(one => one.url().includes(`/api/${controller}`)), act()])
  const done = await exchange(response)
  await page.waitForFunction(`!table.settings()[0].processing && table.ajax.json()?.draw === ${done.answer.draw}`)
  return done
}
const open = (controller: string, columns: readonly (string | null)[], options: object = {}) =>
  drawing(controller, () =>
    page.evaluate(`openTable('${controller}', ${JSON.stringify(columns)}, ${JSON.stringify(options)})`),
  )
const cells = (column: number): Promise<string[]> => page.locator(`tbody td:nth-child(${column})`).allTextContents()
const search = (typed: string) => page.locator('.dt-search input').fill(typed)
const info = () => page.locator('.dt-info').textContent()

/** Its columns, a text that is found without its accents, and how many rows have it. */
const LISTS = [
  {
    controller: 'HostDatatable',
    columns: ['name', 'address', 'siteName', null],
    typed: 'CAMERA',
    found: 1,
    total: HOSTS,
  },
  { controller: 'SiteDatatable', columns: ['name', 'code', 'typeName', null], typed: 'evreux', found: 1, total: SITES },
  { controller: 'MetricDatatable', columns: ['name', 'hostName', 'siteName', null], typed: 'disponibilite', found: 12 },
  { controller: 'ScannerDatatable', columns: ['hostName', 'name', 'kind', null], typed: 'CAMERA', found: 1, total: 12 },
  {
    controller: 'ScannerPingDatatable',
    columns: ['hostName', 'lossRatio', 'rttAvg', null],
    typed: 'CAMERA',
    found: 1,
    total: 12,
  },
  { controller: 'ProbeDatatable', columns: ['name', 'state', null], typed: 'd’ESSAI', found: 1, total: 1 },
  { controller: 'AccountDatatable', columns: ['login', 'email', null], typed: 'ZOE', found: 1, total: 2 },
] as const

describe('DataTables as it comes from npm', () => {
  it.each(LISTS)('$controller is paged, sorted both ways, and searched without case or accents', async list => {
    const first = await open(list.controller, list.columns)
    const total = first.answer.recordsTotal
    if ('total' in list) expect(total).toBe(list.total)
    expect(first.answer.data).toHaveLength(Math.min(10, total))
    if (total > 10) {
      const next = await drawing(list.controller, () => page.locator('.dt-paging button.next').click())
      expect(next.asked.start).toBe(10)
      expect(await info()).toBe(`Showing 11 to ${Math.min(20, total)} of ${total} entries`)
    }
    const header = page.locator('thead th').first()
    await drawing(list.controller, () => header.click())
    const descending = await cells(1)
    await drawing(list.controller, () => page.locator('.dt-length select').selectOption('-1'))
    const all = await cells(1)
    expect(all).toHaveLength(total)
    expect(all).toEqual(all.toSorted(new Intl.Collator('fr').compare).toReversed())
    expect(all.slice(0, descending.length)).toEqual(descending)
    const { answer } = await drawing(list.controller, () => search(list.typed))
    expect({ total: answer.recordsTotal, filtered: answer.recordsFiltered }).toEqual({ total, filtered: list.found })
    expect(await cells(1)).toHaveLength(list.found)
    expect(faults).toEqual([])
  })

  it('a search that finds nothing says so, and an emptied one gives everything back', async () => {
    await open('HostDatatable', ['name', 'address'])
    await drawing('HostDatatable', () => search('<b>introuvable %_\\'))
    expect(await page.locator('tbody').textContent()).toContain('No matching records')
    await drawing('HostDatatable', () => search(''))
    expect(await info()).toBe(`Showing 1 to 10 of ${HOSTS} entries`)
  })

  it('a column is searched by itself, and together with the search of all', async () => {
    await open('HostDatatable', ['name', 'siteName'])
    const evreux = await drawing('HostDatatable', () => page.evaluate(`void table.column(1).search('EVREUX').draw()`))
    expect(evreux.answer.recordsFiltered).toBe(17)
    const both = await drawing('HostDatatable', () => search('srv-1'))
    expect(both.answer.recordsFiltered).toBe(5)
    expect(new Set(await cells(2))).toEqual(new Set(['Évreux, siège']))
  })

  it('sorts by several columns', async () => {
    const order = [
      [1, 'desc'],
      [0, 'desc'],
    ]
    await open('HostDatatable', ['name', 'siteName'], { order })
    expect((await cells(1)).slice(0, 2)).toEqual(['srv-34', 'srv-32'])
  })

  it('a third click on a heading gives the list back in its own order', async () => {
    await open('HostDatatable', ['name', 'address'], { order: [[1, 'desc']] })
    expect((await cells(2))[0]).toBe('192.0.2.9')
    const { answer } = await drawing('HostDatatable', () => page.locator('thead th').nth(1).click())
    expect(answer.data[0]).toMatchObject({ name: 'Caméra d’entrée' })
  })

  it('« length: -1 » gives all rows, without paging', async () => {
    const { asked, answer } = await open('HostDatatable', ['name'], { paging: false })
    expect(asked.length).toBe(-1)
    expect(answer.data).toHaveLength(HOSTS)
    expect(await cells(1)).toHaveLength(HOSTS)
  })

  it('keeps the newest answer when somebody types quickly', async () => {
    await open('HostDatatable', ['name'])
    await page.evaluate(`for (const typed of ['s', 'sr', 'srv-07']) table.search(typed).draw()`)
    await expect.poll(() => cells(1)).toEqual(['srv-07'])
  })

  it('a column that does not exist is said in French', async () => {
    await page.evaluate(`DataTable.ext.errMode = 'none'`)
    await page.evaluate(`openTable('HostDatatable', ['name', 'couleur'])`)
    await expect.poll(() => page.locator('output').textContent()).toBe('La colonne «\u202fcouleur\u202f» n’existe pas.')
    expect(faults).toEqual([])
  })
})

const options = () => page.locator('.select2-results__option--selectable')
const openChoice = async (path: string): Promise<void> => {
  await page.evaluate(`openChoice('${path}')`)
  await page.locator('.select2-selection').click()
}

describe('Select2 as it comes from npm', () => {
  it.each([
    { path: 'Site/Select2D/Get', all: SITES, typed: 'EVREUX', chosen: 'Évreux, siège' },
    { path: 'Host/Select2D/Get', all: HOSTS, typed: 'camera', chosen: 'Caméra d’entrée' },
  ])('$path gives more as one scrolls, and finds without case or accents', async ({ path, all, typed, chosen }) => {
    await openChoice(path)
    await expect.poll(() => options().count()).toBe(30)
    await page.locator('.select2-results__options').evaluate(list => list.scrollTo(0, list.scrollHeight))
    await expect.poll(() => options().count()).toBe(all)
    expect(new Set(await options().allTextContents()).size).toBe(all)
    await page.locator('.select2-search__field').fill(typed)
    await expect.poll(() => options().allTextContents()).toEqual([chosen])
    await options().click()
    expect(await page.locator('.select2-selection__rendered').getAttribute('title')).toBe(chosen)
    expect(await page.evaluate(`Number(jQuery('select').val()) > 0`)).toBe(true)
    expect(faults).toEqual([])
  })

  it.each([
    { path: 'Site/Select2D/GetType', typed: 'siege', chosen: 'Siège' },
    { path: 'Host/Select2D/GetType', typed: 'CAMERA', chosen: 'Caméra' },
  ])('$path finds « $chosen »', async ({ path, typed, chosen }) => {
    await openChoice(path)
    await expect.poll(() => options().count()).toBeGreaterThan(3)
    await page.locator('.select2-search__field').fill(typed)
    await expect.poll(() => options().allTextContents()).toEqual([chosen])
    expect(faults).toEqual([])
  })

  it('Host/Select2D/GetModel answers while there are no models', async () => {
    await openChoice('Host/Select2D/GetModel')
    await page.getByText('No results found').waitFor()
    expect(faults).toEqual([])
  })
})
