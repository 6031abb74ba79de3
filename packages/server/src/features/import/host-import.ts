import { fold, hostFields, IMPORT_FIELDS } from '@narval/contracts'
import { booleanOf, booleanText, joinList, splitList } from '../../csv/csv-cells.ts'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { mapInTurns } from '../../turns.ts'
import { type HostName, readHostNames, readHostParents, readHosts } from './import.store.ts'
import { createNames, oneOf, short } from './import-names.ts'
import {
  type Body,
  type EntityImport,
  type Fault,
  type Identity,
  isFault,
  type Report,
  type Row,
} from './import-object.ts'
import type { References } from './import-references.ts'
import { checkBody } from './import-validation.ts'
import { findSites, type SiteFinder } from './site-import.ts'

const KEYS: Readonly<Record<string, string>> = {
  type: 'typeId',
  model: 'modelId',
  site: 'siteId',
  probe: 'probeId',
  parents: 'parentIds',
  models: 'monitoringModelIds',
}
const FIELDS = new Map(Object.entries(KEYS).map(([field, key]) => [key, field]))
const TEXTS = new Set(['name', 'address', 'description', 'instruction'])

export const hostImport = async (db: Db, viewer: Viewer, references: References): Promise<EntityImport> => {
  const sites = await findSites(db, viewer)
  const hosts = createHosts(await readHostNames(db, viewer))
  const read = (field: string, cell: string, row: Row, body: Body): Body | Fault => {
    const key = KEYS[field]
    if (key !== undefined) {
      const value = reference(field, cell, row, body)
      return isFault(value) ? value : { [key]: value }
    }
    if (TEXTS.has(field)) return { [field]: cell }
    if (field === 'tags') return { tags: splitList(cell) }
    if (field !== 'enabled' || cell === '') return {}
    const enabled = booleanOf(cell)
    return enabled === null ? { fault: '« oui » ou « non » est attendu.' } : { enabled }
  }
  const reference = (field: string, cell: string, row: Row, body: Body): unknown => {
    if (field === 'type') return references.type('host_type', cell)
    if (field === 'model') return references.model(cell, row.cell('manufacturer'), body.modelId)
    if (field === 'probe') return references.probe(cell)
    if (field === 'site') return cell === '' ? undefined : sites.find(cell)
    if (field === 'models')
      return all(splitList(cell), name => oneOf(references.models.find(name), 'Le modèle de supervision', name))
    const siteId = siteOf(row, sites) ?? body.siteId
    const parents = all(splitList(cell), name => hosts.find(name, siteId))
    return isFault(parents) ? parents : parents.toSorted((a, b) => a - b)
  }
  return {
    entity: 'host',
    fields: IMPORT_FIELDS.host,
    creates: true,
    words: { exists: 'Cet équipement existe déjà.', missing: "Cet équipement n'existe pas." },
    async identify(rows, report) {
      const found = await mapInTurns(rows, row => meant(row, hosts, sites, report))
      const known = await readHosts(db, [...new Set(found.flatMap(one => (one?.id == null ? [] : [one.id])))])
      return found.map((one): Identity | null =>
        one === null
          ? null
          : { key: one.key, name: one.name, existing: one.id === null ? null : (known.get(one.id) ?? null) },
      )
    },
    announce: (id, row, { name }) => hosts.add({ id, name, site_id: siteOf(row, sites) ?? 0 }),
    read,
    validate: body =>
      checkBody(
        hostFields,
        body,
        Object.values(KEYS),
        path => FIELDS.get(path.split('.')[0] ?? '') ?? path.split('.')[0] ?? '',
      ),
    show: (field, body) => show(field, body, references, sites, hosts),
    parents: await readHostParents(db),
    parentsOf: body => idsOf(body.parentIds),
    cycleFault: { field: 'parents', message: 'Un équipement ne peut être son propre parent, même de loin.' },
  }
}

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.filter(id => typeof id === 'number') : [])

/** Each of them once, or the first fault. */
const all = (names: readonly string[], find: (name: string) => number | Fault): number[] | Fault => {
  const ids = names.map(find)
  const fault = ids.find(isFault)
  return fault ?? [...new Set(ids.filter(id => typeof id === 'number'))]
}

/** The site that a row names; null where it names none, or none that there is. */
const siteOf = (row: Row, sites: SiteFinder): number | null => {
  const cell = row.cell('site') ?? ''
  const id = cell === '' ? null : sites.find(cell)
  return typeof id === 'number' ? id : null
}

type Hosts = ReturnType<typeof createHosts>
/** Hosts by name; new ones of the same file too. */
const createHosts = (rows: readonly HostName[]) => {
  const names = createNames(rows)
  const siteOfHost = new Map(rows.map(host => [host.id, host.site_id]))
  return {
    has: (id: number): boolean => siteOfHost.has(id),
    nameOf: names.nameOf,
    /** Its name where only one has it, else its number. */
    shownAs: (id: number): string => (names.find(names.nameOf(id)).length === 1 ? names.nameOf(id) : `#${id}`),
    named: (name: string, siteId: number | null): number[] =>
      names.find(name).filter(id => siteId === null || siteOfHost.get(id) === siteId),
    find(text: string, siteId: unknown): number | Fault {
      const id = /^#([1-9]\d{0,9})$/.exec(text)?.[1]
      if (id !== undefined)
        return siteOfHost.has(Number(id)) ? Number(id) : { fault: `Aucun équipement n'a le numéro ${text}.` }
      return oneOf(names.find(text), "L'équipement", text, one => siteOfHost.get(one) === siteId)
    },
    add(host: HostName): void {
      names.add(host.id, host.name)
      siteOfHost.set(host.id, host.site_id)
    },
  }
}

/** Which host a row means: the one of its number, else the one of its name on its site, else a new one. */
const meant = (row: Row, hosts: Hosts, sites: SiteFinder, report: Report) => {
  const number = row.cell('id') ?? ''
  const name = row.cell('name') ?? ''
  if (number !== '') {
    const id = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 0
    if (hosts.has(id)) return { key: `#${id}`, name: hosts.nameOf(id), id }
    report(row, 'id', `Aucun équipement n'a le numéro ${short(number)}.`)
    return null
  }
  if (name === '') {
    report(row, 'name', 'Champ requis.')
    return null
  }
  const siteId = siteOf(row, sites)
  // A site that is not: told where it is read.
  const same = (row.cell('site') ?? '') !== '' && siteId === null ? [] : hosts.named(name, siteId)
  if (same.length > 1) {
    report(row, 'name', `Plusieurs équipements s'appellent « ${short(name)} » : donnez leur site, ou leur identifiant.`)
    return null
  }
  const id = same[0] ?? null
  return { key: id === null ? `${siteId ?? ''}\n${fold(name)}` : `#${id}`, name, id }
}

const show = (field: string, body: Body, references: References, sites: SiteFinder, hosts: Hosts): string => {
  switch (field) {
    case 'type':
      return references.typeName('host_type', body.typeId)
    case 'model':
      return references.modelName(body.modelId).name
    case 'manufacturer':
      return references.modelName(body.modelId).manufacturer
    case 'site':
      return sites.codeOf(body.siteId)
    case 'probe':
      return references.probeName(body.probeId)
    case 'tags':
      return joinList(Array.isArray(body.tags) ? body.tags.map(String) : [])
    case 'enabled':
      return booleanText(body.enabled)
    case 'parents':
      return joinList(idsOf(body.parentIds).map(hosts.shownAs))
    case 'models':
      return joinList(idsOf(body.monitoringModelIds).map(references.models.nameOf))
    case 'id':
      return ''
    default:
      return String(body[field] ?? '')
  }
}
