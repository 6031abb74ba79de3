import { type ApproveInput, type ApproveReply, CHECK_KINDS, fold, type HostInput, hostFields } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { auditChanges } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { checkReferences } from '../../store/host-references.ts'
import { lock } from '../../store/lock.ts'
import { applyModels } from '../../store/model-inheritance.ts'
import { hostColumns } from '../../store/object-columns.ts'
import { insertScannerOnHosts } from '../../store/scanner-creation.ts'
import {
  type Catalogue,
  type FindingRow,
  factsOf,
  findingList,
  modelsOf,
  parentOf,
  readCatalogue,
  roleOf,
  typeOf,
} from './finding.store.ts'

type Item = ApproveInput['items'][number]
type Created = ApproveReply['created'][number]
type Refused = ApproveReply['refused'][number]

/** One host to be, with what its parents wait for: another one of the same batch. */
interface Draft {
  readonly finding: FindingRow
  readonly input: HostInput
  readonly wantedName: string | null
  /** A finding of the batch that is its parent. */
  readonly parentFindingId: number | null
}

interface Around {
  readonly names: ReadonlyMap<'site' | 'type' | 'model' | 'host', ReadonlyMap<number, string>>
  /** What each model's scanners are, by kind and folded name. */
  readonly scanners: ReadonlyMap<number, readonly { readonly key: string; readonly kind: string }[]>
}

/**
 * Turns findings into hosts, or says what that would make, within the caller's transaction: names that are taken in a site
 * get a number, parents of the same batch are tied to each other, and models bring their scanners.
 */
export const approveFindings = async (
  trx: Db,
  database: Database,
  viewer: Viewer,
  { items, plan }: ApproveInput,
  nowMs: number,
): Promise<ApproveReply> => {
  await lock(database, trx, 'host-parents')
  await lock(database, trx, 'monitoring-models')
  const { drafts, refused } = await draftAll(trx, items)
  const around = await readAround(trx, drafts)
  const ids = plan ? new Map<number, number>() : await createAll(trx, drafts, around, viewer.login, nowMs)
  const created = drafts.map(draft => told(draft, drafts, around, ids.get(draft.finding.id) ?? null))
  return { created, refused }
}

const draftAll = async (trx: Db, items: readonly Item[]): Promise<{ drafts: Draft[]; refused: Refused[] }> => {
  const asked = new Map(items.map(item => [item.findingId, item]))
  const rows = await fetchByIds<FindingRow>(trx, findingList, [...asked.keys()])
  const refused: Refused[] = [...asked.keys()]
    .filter(id => !rows.some(row => row.id === id))
    .map(findingId => ({ findingId, address: '', error: 'Cette adresse n’est plus dans la liste.' }))
  const taken = await takenAddresses(trx, rows)
  const able = rows.filter(row => {
    const error = refusalOf(row, taken)
    if (error !== null) refused.push({ findingId: row.id, address: row.address, error })
    return error === null
  })
  const catalogue = await readCatalogue(trx)
  const wishes = able.map(row => wishOf(row, asked.get(row.id), catalogue))
  await checkAll(trx, wishes)
  const numbered = await createNumberer(trx, [...new Set(wishes.map(({ input }) => input.siteId))])
  const batch = new Set(able.map(row => row.id))
  const drafts = wishes.map(({ finding, input, parentFindingId }): Draft => {
    const name = numbered(input.siteId, input.name)
    return {
      finding,
      input: { ...input, name },
      wantedName: name === input.name ? null : input.name,
      parentFindingId: parentFindingId !== null && batch.has(parentFindingId) ? parentFindingId : null,
    }
  })
  return { drafts: drafts.map(draft => unlooped(draft, drafts)), refused }
}

const refusalOf = (row: FindingRow, taken: ReadonlyMap<string, string>): string | null => {
  if (row.host_id !== null) return `C’est déjà l’équipement « ${row.host_name ?? ''} ».`
  if (row.state === 'vanished')
    return 'Cette adresse ne répond plus : relancez la découverte avant de créer l’équipement.'
  const holder = taken.get(row.address)
  return holder === undefined ? null : `L’équipement « ${holder} » a déjà cette adresse.`
}

/** Addresses of findings that a host got meanwhile, with its name. */
const takenAddresses = async (trx: Db, rows: readonly FindingRow[]): Promise<Map<string, string>> => {
  const taken = new Map<string, string>()
  for (const slice of batches(rows.map(row => row.address))) {
    const hosts = await trx
      .selectFrom('host')
      .select(['address_folded', 'name'])
      .where('address_folded', 'in', slice)
      .execute()
    for (const { address_folded, name } of hosts) taken.set(address_folded, name)
  }
  return taken
}

interface Wish {
  readonly finding: FindingRow
  readonly input: HostInput
  readonly parentFindingId: number | null
}

const wishOf = (finding: FindingRow, item: Item | undefined, catalogue: Catalogue): Wish => {
  const role = roleOf(finding)
  const parent = item?.parentIds === undefined ? parentOf(finding) : null
  const input = hostFields.parse({
    name: item?.name ?? finding.name,
    address: finding.address,
    siteId: item?.siteId ?? finding.site_id,
    typeId: item?.typeId === undefined ? (typeOf(role, catalogue)?.id ?? null) : item.typeId,
    // The range's own probe sees it; that of the site is inherited anyway.
    probeId: item?.probeId === undefined ? finding.probe_id : item.probeId,
    monitoringModelIds: item?.monitoringModelIds ?? modelsOf(role, factsOf(finding), catalogue).map(({ id }) => id),
    parentIds: item?.parentIds ?? (parent?.hostId == null ? [] : [parent.hostId]),
    tags: item?.tags ?? [],
  })
  return { finding, input, parentFindingId: parent?.hostId === null ? parent.findingId : null }
}

const checkAll = async (trx: Db, wishes: readonly Wish[]): Promise<void> => {
  const different = new Map(
    wishes.map(({ input }) => {
      const { siteId, typeId, probeId, parentIds, monitoringModelIds } = input
      const named = { siteId, typeId, probeId, parentIds, monitoringModelIds }
      return [JSON.stringify(named), named] as const
    }),
  )
  for (const named of different.values()) await checkReferences(trx, named)
}

/** Gives each name once in a site: `srv`, `srv (2)`, `srv (3)`. */
const createNumberer = async (trx: Db, siteIds: readonly number[]) => {
  const used = new Set<string>()
  const keyOf = (siteId: number, name: string): string => `${siteId} ${fold(name)}`
  if (siteIds.length > 0) {
    const rows = await trx
      .selectFrom('host')
      .select(['site_id', 'name_folded'])
      .where('site_id', 'in', siteIds)
      .execute()
    for (const row of rows) used.add(`${row.site_id} ${row.name_folded}`)
  }
  return (siteId: number, wanted: string): string => {
    for (let n = 1; ; n += 1) {
      const suffix = n === 1 ? '' : ` (${n})`
      const name = `${wanted.slice(0, 120 - suffix.length)}${suffix}`
      if (used.has(keyOf(siteId, name))) continue
      used.add(keyOf(siteId, name))
      return name
    }
  }
}

/** Two runs may each be right and close a circle together: that link is left out. */
const unlooped = (draft: Draft, drafts: readonly Draft[]): Draft => {
  const parents = new Map(drafts.map(one => [one.finding.id, one.parentFindingId]))
  const seen = new Set<number>()
  for (let at: number | null = draft.finding.id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    seen.add(at)
    if (parents.get(at) === draft.finding.id) return { ...draft, parentFindingId: null }
  }
  return draft
}

const readAround = async (trx: Db, drafts: readonly Draft[]): Promise<Around> => {
  const inputs = drafts.map(({ input }) => input)
  const named = async (table: 'site' | 'host_type' | 'monitoring_model' | 'host', ids: readonly (number | null)[]) => {
    const names = new Map<number, string>()
    for (const slice of batches([...new Set(ids.flatMap(id => id ?? []))])) {
      const rows = await trx.selectFrom(table).select(['id', 'name']).where('id', 'in', slice).execute()
      for (const { id, name } of rows) names.set(id, name)
    }
    return names
  }
  const modelIds = [...new Set(inputs.flatMap(input => input.monitoringModelIds))]
  const models =
    modelIds.length === 0
      ? []
      : await trx.selectFrom('monitoring_model').select(['id', 'definition']).where('id', 'in', modelIds).execute()
  return {
    names: new Map([
      [
        'site',
        await named(
          'site',
          inputs.map(input => input.siteId),
        ),
      ],
      [
        'type',
        await named(
          'host_type',
          inputs.map(input => input.typeId),
        ),
      ],
      ['model', await named('monitoring_model', modelIds)],
      [
        'host',
        await named(
          'host',
          inputs.flatMap(input => input.parentIds),
        ),
      ],
    ] as const),
    scanners: new Map(models.map(({ id, definition }) => [id, scannersOf(definition)])),
  }
}

const scannersOf = (definition: string): { key: string; kind: string }[] => {
  const { scanners }: { scanners: { kind: string; name: string }[] } = JSON.parse(definition)
  return scanners
    .filter(({ kind }) => CHECK_KINDS.some(one => one === kind))
    .map(({ kind, name }) => ({ key: `${kind} ${fold(name)}`, kind }))
}

/** What the models of a host bring it: the same scanner of two models counts once. */
const broughtTo = (input: HostInput, { scanners }: Around) =>
  new Map(input.monitoringModelIds.flatMap(id => scanners.get(id) ?? []).map(one => [one.key, one.kind]))
const needsPing = (input: HostInput, around: Around): boolean =>
  ![...broughtTo(input, around).values()].includes('ping')

const told = (draft: Draft, drafts: readonly Draft[], around: Around, hostId: number | null): Created => {
  const { finding, input, wantedName, parentFindingId } = draft
  const name = (of: 'site' | 'type' | 'model' | 'host', id: number | null): string | null =>
    id === null ? null : (around.names.get(of)?.get(id) ?? null)
  const parent = drafts.find(one => one.finding.id === parentFindingId)
  return {
    ...{ findingId: finding.id, hostId, name: input.name, wantedName, address: finding.address },
    siteName: name('site', input.siteId) ?? '',
    typeName: name('type', input.typeId),
    monitoringModels: input.monitoringModelIds.flatMap(id => name('model', id) ?? []),
    parents: [
      ...input.parentIds.flatMap(id => name('host', id) ?? []),
      ...(parent === undefined ? [] : [parent.input.name]),
    ],
    scanners: broughtTo(input, around).size + (needsPing(input, around) ? 1 : 0),
  }
}

/** @returns the new hosts' ids by finding. */
const createAll = async (
  trx: Db,
  drafts: readonly Draft[],
  around: Around,
  by: string,
  nowMs: number,
): Promise<Map<number, number>> => {
  const ids = new Map<number, number>()
  for (const { finding, input } of drafts) {
    const stamps = { created_at: nowMs, updated_at: nowMs, updated_by: by }
    const row = await trx
      .insertInto('host')
      .values({ ...hostColumns(input), state: 'pending', severity_rank: 2, state_since: nowMs, ...stamps })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(finding.id, row.id)
    // What changed before was seen by who creates it.
    await trx
      .updateTable('discovery_finding')
      .set({ host_id: row.id, changes: '[]', ignored: 0 })
      .where('id', '=', finding.id)
      .execute()
  }
  const inputs = drafts.map(({ finding, input, parentFindingId }) => {
    const parent = parentFindingId === null ? undefined : ids.get(parentFindingId)
    return {
      hostId: ids.get(finding.id) ?? 0,
      input: { ...input, parentIds: [...input.parentIds, ...(parent === undefined ? [] : [parent])] },
    }
  })
  await tie(trx, inputs)
  const pinged = inputs.filter(({ input }) => needsPing(input, around)).map(({ hostId }) => hostId)
  await insertScannerOnHosts(trx, pinged, { kind: 'ping', name: 'Ping', parameters: {} }, by, nowMs)
  const hostIds = [...ids.values()]
  await applyModels(trx, hostIds, by, nowMs)
  await recomputeThresholds(trx, hostIds)
  const lines = inputs.map(({ hostId, input }) => ({
    ...({ action: 'host-create', actor: by, object: `host ${hostId}`, name: input.name, before: null } as const),
    after: input,
  }))
  await auditChanges(trx, lines, nowMs)
  return ids
}

const tie = async (
  trx: Db,
  hosts: readonly { readonly hostId: number; readonly input: HostInput }[],
): Promise<void> => {
  const parents = hosts.flatMap(({ hostId, input }) =>
    [...new Set(input.parentIds)].map(parent_id => ({ host_id: hostId, parent_id })),
  )
  for (const slice of batches(parents)) await trx.insertInto('host_parent').values(slice).execute()
  const models = hosts.flatMap(({ hostId, input }) =>
    [...new Set(input.monitoringModelIds)].map((model_id, position) => ({ host_id: hostId, model_id, position })),
  )
  for (const slice of batches(models)) await trx.insertInto('host_monitoring_model').values(slice).execute()
}
