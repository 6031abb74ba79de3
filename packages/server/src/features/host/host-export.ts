import { fold, type Host } from '@narval/contracts'
import { joinList } from '../../csv/csv-cells.ts'
import type { ExportColumn } from '../../http/exported.ts'
import type { Db } from '../../store/database.ts'
import { importColumns } from '../../store/import-columns.ts'

const STATES: Readonly<Record<Host['state'], string>> = {
  available: 'Disponible',
  down: 'Indisponible',
  unreachable: 'Injoignable',
  unknown: 'Inconnu',
  pending: 'En attente',
  disabled: 'Désactivé',
}

/** What a file of equipment needs to know beyond its rows, read once: codes of sites, makers of models, names borne by several. */
const readNames = async (db: Db) => {
  const sites = await db.selectFrom('site').select(['id', 'code']).execute()
  const models = await db.selectFrom('host_model').select(['id', 'manufacturer']).execute()
  const shared = await db
    .selectFrom('host')
    .select('name_folded')
    .groupBy('name_folded')
    .having(eb => eb.fn.countAll(), '>', 1)
    .execute()
  return {
    sites: new Map(sites.map(site => [site.id, site.code])),
    makers: new Map(models.map(model => [model.id, model.manufacturer])),
    shared: new Set(shared.map(row => row.name_folded)),
  }
}

/** Columns of equipment as a file: first those that an import reads back, then what is known of them now. */
export const hostColumnsOf = async (db: Db): Promise<ExportColumn<Host>[]> => {
  const { sites, makers, shared } = await readNames(db)
  const parentText = ({ id, name }: Host['parents'][number]): string => (shared.has(fold(name)) ? `#${id}` : name)
  return [
    ...importColumns<Host>('host', {
      id: host => host.id,
      name: host => host.name,
      address: host => host.address,
      site: host => sites.get(host.siteId) ?? '',
      type: host => host.typeName,
      manufacturer: host => (host.modelId === null ? '' : (makers.get(host.modelId) ?? '')),
      model: host => host.modelName,
      probe: host => host.probeName,
      tags: host => joinList(host.tags),
      enabled: host => host.enabled,
      description: host => host.description,
      instruction: host => host.instruction,
      parents: host => joinList(host.parents.map(parentText)),
      models: host => joinList(host.monitoringModels.map(model => model.name)),
    }),
    { header: 'Nom du site', cell: host => host.siteName },
    { header: 'État', cell: host => STATES[host.state] },
    { header: 'Sévérité', cell: host => host.severity },
    { header: 'Depuis', cell: host => host.since },
    { header: 'Dernière réponse', cell: host => host.lastAnswer },
    { header: 'Modifié le', cell: host => host.updatedAt },
    { header: 'Modifié par', cell: host => host.updatedBy },
  ]
}
