import { type AddressInterval, holdsAddress } from '@narval/contracts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { changesOf, type FindingColumns, factsOf, roleOf } from './finding.store.ts'
import type { Changed } from './findings.ts'
import { proposeParents } from './parents.ts'

/**
 * What a whole run tells that no part of it does: what vanished, hosts that answer at another address, and parents.
 * @returns how many findings vanished now, and how many changed.
 */
export const settleRun = async (
  trx: Db,
  run: { readonly runId: number; readonly rangeId: number; readonly gateway: string | null },
  intervals: readonly AddressInterval[],
  nowMs: number,
): Promise<{ vanished: number; changed: number }> => {
  const all = await trx.selectFrom('discovery_finding').selectAll().where('range_id', '=', run.rangeId).execute()
  const seen = all.filter(row => row.run_id === run.runId)
  const gone = all.filter(row => row.run_id !== run.runId && row.vanished_at === null)
  for (const slice of batches(gone.map(({ id }) => id)))
    await trx.updateTable('discovery_finding').set({ vanished_at: nowMs }).where('id', 'in', slice).execute()
  const changed = await tellMoves(trx, seen, intervals)
  await saveParents(trx, seen, run.gateway)
  return { vanished: gone.length, changed }
}

/** A host that was recognised by its name or MAC address, and whose own address in the range is silent now, moved. */
const tellMoves = async (
  trx: Db,
  seen: readonly FindingColumns[],
  intervals: readonly AddressInterval[],
): Promise<number> => {
  const hostIds = [...new Set(seen.flatMap(({ host_id }) => host_id ?? []))]
  const addresses = new Map<number, string>()
  for (const slice of batches(hostIds)) {
    const rows = await trx.selectFrom('host').select(['id', 'address']).where('id', 'in', slice).execute()
    for (const { id, address } of rows) addresses.set(id, address)
  }
  const answering = new Set(seen.map(({ address }) => address))
  let moved = 0
  for (const row of seen) {
    const was = row.host_id === null ? undefined : addresses.get(row.host_id)
    const hasMoved = was !== undefined && was !== row.address && holdsAddress(intervals, was) && !answering.has(was)
    const others = changesOf(row).filter(({ what }) => what !== 'address')
    const own: Changed[] = hasMoved ? [{ what: 'address', before: was, after: row.address }] : []
    const changes = JSON.stringify([...others, ...own])
    if (changes === row.changes) continue
    if (hasMoved) moved += 1
    await trx.updateTable('discovery_finding').set({ changes }).where('id', '=', row.id).execute()
  }
  return moved
}

const saveParents = async (trx: Db, seen: readonly FindingColumns[], gateway: string | null): Promise<void> => {
  const nodes = seen.map(row => ({
    ...{ id: row.id, address: row.address, name: row.name, role: roleOf(row), hostId: row.host_id },
    facts: factsOf(row),
  }))
  const lastHops = [...new Set(nodes.flatMap(({ facts }) => facts.hops?.at(-1) ?? []))]
  const hosts: { id: number; address: string }[] = []
  for (const slice of batches(lastHops))
    hosts.push(
      ...(await trx.selectFrom('host').select(['id', 'address']).where('address_folded', 'in', slice).execute()),
    )
  const parents = proposeParents(nodes, hosts, gateway)
  for (const row of seen) {
    const parent = parents.get(row.id)
    const columns = {
      parent_host_id: parent?.hostId ?? null,
      parent_id: parent?.findingId ?? null,
      parent_source: parent?.source ?? '',
    }
    const isSame =
      columns.parent_host_id === row.parent_host_id &&
      columns.parent_id === row.parent_id &&
      columns.parent_source === row.parent_source
    if (!isSame) await trx.updateTable('discovery_finding').set(columns).where('id', '=', row.id).execute()
  }
}
