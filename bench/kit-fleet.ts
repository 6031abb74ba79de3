import {
  accountRoutes,
  CSRF_COOKIE,
  CSRF_HEADER,
  customFieldRoutes,
  type ImportEntity,
  type ImportState,
  importRoutes,
  monitoringModelRoutes,
  siteRoutes,
} from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import type { RunningServer } from '../e2e/kit/server.ts'

/** A fleet made through the API: a site for every 10 hosts in a tree, a custom field, 11 metrics a host by its ping and a model. */
export const METRICS_PER_HOST = 11
const FAN = 10

const csvOf = (header: string, rows: readonly string[]): string => `${header}\r\n${rows.join('\r\n')}\r\n`
const codeOf = (site: number): string => `BENCH-${site}`
const parentOf = (site: number): string => (site === 0 ? '' : codeOf(Math.floor((site - 1) / FAN)))
const sitesFile = (count: number): string =>
  csvOf(
    'Code;Nom;Ville;Site parent',
    Array.from({ length: count }, (_, site) => `${codeOf(site)};Site de mesure ${site};Rennes;${parentOf(site)}`),
  )
const CITIES = ['paris', 'lyon', 'lille', 'rennes', 'brest', 'nantes']
/** `prefix` tells two files of hosts apart. */
export const hostsFile = (count: number, sites: number, prefix = 'srv'): string =>
  csvOf(
    'Nom;Adresse;Site;Type;Fabricant;Modèle;Étiquettes;Supervision active;Modèles de supervision;champ.baie',
    Array.from({ length: count }, (_, host) => {
      const address = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
      const name = `${prefix}-${CITIES[host % CITIES.length]}-${host}`
      return `${name};${address};${codeOf(host % sites)};Mesure;Narval;M${host % 20};"a, b";oui;Base;baie-${host % 500}`
    }),
  )

/** The file as it is, which the JSON client can not send. */
export const upload = async (server: RunningServer, api: ApiClient, entity: ImportEntity, content: string) => {
  const authorization = `Bearer ${api.token()}`
  const offered = await fetch(`${server.url}${accountRoutes.ownClaims.path}`, { headers: { authorization } })
  const cookie = offered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const answer = await fetch(`${server.url}${importRoutes.file.path}?entity=${entity}`, {
    method: 'POST',
    headers: { authorization, cookie, [CSRF_HEADER]: cookie.slice(CSRF_COOKIE.length + 1), 'content-type': 'text/csv' },
    body: content,
  })
  const file = importRoutes.file.reply.parse(await answer.json())
  const mapping = Object.fromEntries(
    file.columns.flatMap(({ field }, column) => (field === null ? [] : [[String(column), field]])),
  )
  return { params: { id: String(file.id) }, body: { mapping, mode: 'upsert' as const, createTypes: true } }
}

export const runImport = async (api: ApiClient, input: Awaited<ReturnType<typeof upload>>): Promise<ImportState> => {
  await api.call(importRoutes.run, input)
  for (;;) {
    const state = await api.call(importRoutes.get, { params: input.params })
    if (state.state === 'done') return state
    if (state.state === 'failed') throw new Error(state.message)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

const scanner = (item: string, name: string, kind: 'http' | 'ping') => ({ item, name, kind })

/** @returns the sites, and a model of two scanners that no host has yet. */
export const createFleet = async (server: RunningServer, api: ApiClient, hosts: number) => {
  const sites = hosts / FAN
  const group = await api.call(customFieldRoutes.createGroup, { body: { name: 'Mesure' } })
  await api.call(customFieldRoutes.createDefinition, {
    body: { key: 'baie', label: 'Baie', type: 'text', scope: 'host', groupId: group.id },
  })
  await api.call(monitoringModelRoutes.create, {
    body: { name: 'Base', definition: { scanners: [scanner('web', 'Site web', 'http')] } },
  })
  const { id: modelId } = await api.call(monitoringModelRoutes.create, {
    body: {
      name: 'Deux scanners',
      definition: { scanners: [scanner('api', 'Second site', 'http'), scanner('ping', 'Ping lointain', 'ping')] },
    },
  })
  await runImport(api, await upload(server, api, 'site', sitesFile(sites)))
  await runImport(api, await upload(server, api, 'host', hostsFile(hosts, sites)))
  return { siteIds: (await api.call(siteRoutes.tree)).map(site => site.id), modelId }
}
