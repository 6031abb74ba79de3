import { type ApproveInput, type ApproveReply, fold, type HostInput, hostFields } from '@narval/contracts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { checkReferences } from '../../store/host-references.ts'
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
type Refused = ApproveReply['refused'][number]

/** One host to be, with what its parents wait for: another one of the same batch. */
export interface Draft {
  readonly finding: FindingRow
  readonly input: HostInput
  readonly wantedName: string | null
  /** A finding of the batch that is its parent. */
  readonly parentFindingId: number | null
}

/** What is to be made of findings, with what each lacks completed by what is proposed, and what can not be made. */
export const draftAll = async (trx: Db, items: readonly Item[]): Promise<{ drafts: Draft[]; refused: Refused[] }> => {
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
