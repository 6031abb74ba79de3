import { fold, HOST_STATES } from '@narval/contracts'
import { SEVERITIES, severityRank } from '@narval/engine'
import type { HostEntry, Model } from '../../monitoring/fleet/model.ts'
import type { FilterValue } from '../../store/datatable.ts'
import { amongIds, amongWords, flagged } from '../../store/memory-filters.ts'
import {
  createVisibleLists,
  type MemoryColumn,
  type MemoryList,
  type Test,
  textColumn,
} from '../../store/memory-list.ts'
import { foldTags } from '../../store/tags.ts'

const taggedOf = (value: FilterValue): Test<HostEntry> => {
  const tags = [value].flat().map(tag => fold(foldTags([String(tag)])))
  return host => tags.some(tag => host.facts.tags.includes(tag))
}

/** What `hostList` asks of the database, as far as monitoring has it in memory. */
export const HOST_MEMORY: MemoryList<HostEntry> = {
  columns: new Map<string, MemoryColumn<HostEntry>>([
    ['id', { sort: host => host.id }],
    ['name', textColumn(host => host.folded)],
    ['address', textColumn(host => host.facts.address)],
    ['typeName', textColumn(host => host.facts.typeName)],
    ['modelName', textColumn(host => host.facts.modelName)],
    ['siteName', textColumn(host => host.site.folded)],
    ['probeName', textColumn(host => host.facts.probeName)],
    ['tags', textColumn(host => host.facts.tags)],
    ['enabled', { sort: host => Number(host.enabled) }],
    ['state', { sort: host => HOST_STATES.indexOf(host.state) }],
    ['severity', { sort: host => severityRank(host.severity) }],
    ['since', { sort: host => host.sinceMs }],
    ['createdAt', { sort: host => host.createdMs }],
    ['updatedAt', { sort: host => host.facts.updatedMs }],
  ]),
  filters: new Map<string, (value: FilterValue) => Test<HostEntry>>([
    ['id', amongIds(host => host.id)],
    ['siteId', amongIds(host => host.site.id)],
    ['typeId', amongIds(host => host.facts.typeId)],
    ['modelId', amongIds(host => host.facts.modelId)],
    ['probeId', amongIds(host => host.facts.probeId)],
    ['severity', amongWords(SEVERITIES, host => host.severity)],
    ['state', amongWords(HOST_STATES, host => host.state)],
    ['enabled', flagged(host => host.enabled)],
    ['inMaintenance', flagged(host => host.maintenance !== null)],
    ['tag', taggedOf],
  ]),
  live: new Set(['state', 'severity', 'since', 'inMaintenance']),
  order: [['name', 'asc']],
}

/** The hosts that one may see. */
export const createHostsInMemory = (model: Model) =>
  createVisibleLists(
    HOST_MEMORY,
    () => model.version,
    () => model.hosts.values(),
    host => host,
  )
