import { type DiscoveredPart, fold } from '@narval/contracts'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { changesOf, type FindingColumns, factsOf, keyOf } from './finding.store.ts'
import { changesBetween, macOf, matchHost, mergedFacts, nameOf, namesOf } from './findings.ts'
import { guessRole } from './guess.ts'

export interface PartOf {
  readonly runId: number
  readonly rangeId: number
  readonly siteId: number
  /** Whether ports were asked: those that are closed now were open before. */
  readonly ports: boolean
}

type Found = DiscoveredPart['found'][number]

/** Writes what one part tells; how many of it were never seen before, and how many changed now. */
export const writePart = async (
  trx: Db,
  part: readonly Found[],
  { runId, rangeId, siteId, ports }: PartOf,
  nowMs: number,
): Promise<{ added: number; changed: number }> => {
  if (part.length === 0) return { added: 0, changed: 0 }
  const keys = part.map(({ address }) => keyOf(address))
  const known = await trx
    .selectFrom('discovery_finding')
    .selectAll()
    .where('range_id', '=', rangeId)
    .where('address_key', 'in', keys)
    .execute()
  const before = new Map(known.map(row => [row.address_key, row]))
  const hostOf = await findHosts(trx, part, siteId)
  let [added, changed] = [0, 0]
  for (const found of part) {
    const row = before.get(keyOf(found.address)) ?? null
    const columns = columnsOf(found, row, ports)
    const seen = { ...columns, host_id: hostOf(found), run_id: runId, last_seen_at: nowMs, vanished_at: null }
    if (row === null) {
      added += 1
      await trx
        .insertInto('discovery_finding')
        .values({
          ...seen,
          ...{ range_id: rangeId, address: found.address, address_key: keyOf(found.address), ignored: 0 },
          ...{ parent_host_id: null, parent_id: null, parent_source: '', first_seen_at: nowMs },
        })
        .execute()
    } else {
      if (columns.changes !== row.changes) changed += 1
      await trx.updateTable('discovery_finding').set(seen).where('id', '=', row.id).execute()
    }
  }
  return { added, changed }
}

const columnsOf = (found: Found, row: FindingColumns | null, ports: boolean) => {
  const facts = mergedFacts(row === null ? null : factsOf(row), found, ports)
  const name = nameOf({ address: found.address, ...facts })
  const mac = macOf(facts)
  const changes =
    row === null
      ? []
      : changesBetween(changesOf(row), { name: nameWas(row), mac: row.mac, facts: factsOf(row) }, { name, mac, facts })
  return {
    ...{ name, name_folded: fold(name), mac, role: guessRole(facts) },
    facts: JSON.stringify(facts),
    changes: JSON.stringify(changes),
  }
}
/** A name that was only its address was none. */
const nameWas = (row: FindingColumns): string => (row.name === row.address ? '' : row.name)

/** The hosts that the things of a part are. */
const findHosts = async (trx: Db, part: readonly Found[], siteId: number) => {
  const names = new Map(part.map(found => [found, namesOf(found, fold)]))
  const texts = [...new Set([...names.values()].flat().concat(part.map(({ address }) => address)))]
  const hosts = await trx
    .selectFrom('host')
    .select(['id', 'site_id', 'address', 'name_folded'])
    .where(eb =>
      eb.or([eb('address_folded', 'in', texts), eb.and([eb('name_folded', 'in', texts), eb('site_id', '=', siteId)])]),
    )
    .limit(2_000)
    .execute()
  const identities = hosts.map(row => ({
    id: row.id,
    siteId: row.site_id,
    address: row.address,
    nameFolded: row.name_folded,
  }))
  const macs = part.map(macOf).filter(mac => mac !== '')
  const same =
    macs.length === 0
      ? []
      : await trx
          .selectFrom('discovery_finding')
          .select([
            'mac',
            eb => eb.fn.max('host_id').as('host_id'),
            eb => eb.fn.count(sql`distinct host_id`).as('hosts'),
          ])
          .where('mac', 'in', macs)
          .where('host_id', 'is not', null)
          .groupBy('mac')
          .execute()
  const byMac = new Map(same.filter(({ hosts: n }) => Number(n) === 1).map(row => [row.mac, row.host_id]))
  return (found: Found): number | null =>
    matchHost(
      { address: found.address, names: names.get(found) ?? [], siteId },
      identities,
      byMac.get(macOf(found)) ?? null,
    )
}
