import { HOST_MAX_MODELS, HOST_MAX_PARENTS, HOST_MAX_TAGS, type HostChange, type HostInput } from '@narval/contracts'

const withAll = <T>(held: readonly T[], added: readonly T[] = [], removed: readonly T[] = []): T[] => [
  ...new Set([...held.filter(one => !removed.includes(one)), ...added]),
]
const sameTexts = (tags: readonly string[], unwanted: readonly string[] = []): string[] =>
  tags.filter(tag => unwanted.some(one => one.toLowerCase() === tag.toLowerCase()))

/** A host as a bulk change would make it, and why that can not be; pure. Tags are compared without case. */
export const changedHost = (host: HostInput, change: HostChange): { next: HostInput; errors: string[] } => {
  const added = (change.addTags ?? []).filter(tag => sameTexts(host.tags, [tag]).length === 0)
  const next: HostInput = {
    ...host,
    siteId: change.siteId ?? host.siteId,
    typeId: change.typeId === undefined ? host.typeId : change.typeId,
    modelId: change.modelId === undefined ? host.modelId : change.modelId,
    probeId: change.probeId === undefined ? host.probeId : change.probeId,
    enabled: change.enabled ?? host.enabled,
    tags: withAll(host.tags, added, sameTexts(host.tags, change.removeTags)),
    parentIds: withAll(host.parentIds, change.addParentIds, change.removeParentIds),
    monitoringModelIds: withAll(host.monitoringModelIds, change.addMonitoringModelIds, change.removeMonitoringModelIds),
  }
  const errors = [
    ...(next.tags.length > HOST_MAX_TAGS ? [`Au plus ${HOST_MAX_TAGS} étiquettes par équipement.`] : []),
    ...(next.parentIds.length > HOST_MAX_PARENTS ? [`Au plus ${HOST_MAX_PARENTS} parents par équipement.`] : []),
    ...(next.monitoringModelIds.length > HOST_MAX_MODELS
      ? [`Au plus ${HOST_MAX_MODELS} modèles de supervision par équipement.`]
      : []),
  ]
  return { next, errors }
}
