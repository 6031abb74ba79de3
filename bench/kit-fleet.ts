import { customFieldRoutes, monitoringModelRoutes, siteRoutes } from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import type { RunningServer } from '../e2e/kit/server.ts'
import { csvOf, runImport, upload } from './kit-import.ts'

/** A fleet made through the API: a site for every 10 hosts in a tree, a custom field, 11 metrics a host by its ping and a model. */
export const METRICS_PER_HOST = 11
const FAN = 10

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
