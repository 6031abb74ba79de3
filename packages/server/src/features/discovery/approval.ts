import { type ApproveInput, type ApproveReply, CHECK_KINDS, fold, type HostInput } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { auditChanges } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { lock } from '../../store/lock.ts'
import { applyModels } from '../../store/model-inheritance.ts'
import { hostColumns } from '../../store/object-columns.ts'
import { insertScannerOnHosts } from '../../store/scanner-creation.ts'
import { type Draft, draftAll } from './approval-drafts.ts'

type Created = ApproveReply['created'][number]

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
