import { type Host, hostRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { createPerson, type Person } from './client.ts'
import { type Product, useProduct } from './product.ts'

export const HOSTS = 60
const PINGED = 30

interface Lists extends Pick<Product, 'api' | 'folder' | 'open'> {
  /** How many there are; the platform's own, supervised from the start, are among them. */
  readonly all: { readonly hosts: number; readonly scanners: number }
  /** Whoever may only read. */
  readonly reader: Person
  hosts(): Promise<readonly Host[]>
  host(name: string): Promise<Host>
}

const nameOf = (number: number): string => `eq-${String(number).padStart(3, '0')}`

/** A product with more hosts and scanners than a page of a list shows, for all the tests of a file. */
export const useLists = (): Lists => {
  const all = { hosts: 0, scanners: 0 }
  const reader = { login: 'lectrice', password: '' }
  const { api, folder, open } = useProduct({
    prepare: async ({ server }) => {
      const lyon = await api.call(siteRoutes.create, { body: { name: 'Lyon', code: 'LYO' } })
      const nantes = await api.call(siteRoutes.create, { body: { name: 'Nantes', code: 'NAN' } })
      for (let number = 1; number <= HOSTS; number += 1)
        await api.call(hostRoutes.create, {
          body: {
            name: nameOf(number),
            address: `192.0.2.${number}`,
            siteId: number <= 40 ? lyon.id : nantes.id,
            withPing: number <= PINGED,
            // What a file must carry whole: separators, quotes, a cell that looks like a formula.
            description: number === 5 ? '=1+1; « a », "b"' : '',
          },
        })
      all.hosts = (await hosts()).length
      all.scanners = (await api.call(scannerRoutes.datatable.put, { body: {} })).recordsTotal
      Object.assign(reader, await createPerson(server.url, api, reader.login))
    },
  })
  const hosts = async (): Promise<readonly Host[]> =>
    (await api.call(hostRoutes.datatable.put, { body: { length: 1_000 } })).data
  const host = async (name: string): Promise<Host> => {
    const found = (await hosts()).find(one => one.name === name)
    if (found === undefined) throw new Error(`no host ${name}`)
    return found
  }
  return { api, folder, open, all, reader, hosts, host }
}

export const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true })
export const pageBox = (page: Page) => page.getByRole('checkbox', { name: 'Sélectionner les lignes de cette page' })
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const bar = (page: Page) => page.getByRole('region', { name: 'Sélection', exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
