import type { ProbeGroup, ProbeGroupInput } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalidField, notFound, stale } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { requireFreeName } from '../../store/names.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { findProbes, type GroupRow, insertGroup, readGroups, updateGroup } from './probe-group.store.ts'

export interface ProbeGroupDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
}

/** Groups of probes that stand in for each other. */
export const createProbeGroupService = ({ database, now, changes, monitoring }: ProbeGroupDeps) => {
  const { db } = database
  const shown = (row: GroupRow, names: ReadonlyMap<number, string>): ProbeGroup => ({
    id: row.id,
    name: row.name,
    memberIds: row.memberIds,
    members: row.memberIds.map(id => {
      const standIn = monitoring.model.standIns.get(id)
      return {
        id,
        name: names.get(id) ?? '',
        state: monitoring.presence.state(id),
        standIn: standIn === undefined ? null : { id: standIn.id, name: standIn.name, since: toIso(standIn.sinceMs) },
        scanners: [...monitoring.model.scanners.values()].filter(scanner => scanner.probeId === id).length,
      }
    }),
    createdAt: toIso(row.createdMs),
    updatedAt: toIso(row.updatedMs),
    updatedBy: row.updatedBy,
  })
  const read = async (from: Db, id?: number): Promise<ProbeGroup[]> => {
    const probes = await from.selectFrom('probe').select(['id', 'name']).execute()
    const names = new Map(probes.map(probe => [probe.id, probe.name]))
    return (await readGroups(from, id)).map(row => shown(row, names))
  }
  const get = async (id: number, from: Db = db): Promise<ProbeGroup> => {
    const [group] = await read(from, id)
    if (group === undefined) throw notFound("Ce groupe de sondes n'existe pas.")
    return group
  }
  /** One change of groups at a time: a probe must not join two of them. */
  const inTurn = <T>(work: (trx: Db) => Promise<T>): Promise<T> =>
    transaction(db, async trx => {
      await lock(database, trx, 'probe-groups')
      return work(trx)
    })
  const find = async (trx: Db, id: number): Promise<GroupRow> => {
    const [row] = await readGroups(trx, id)
    if (row === undefined) throw notFound("Ce groupe de sondes n'existe pas.")
    return row
  }
  /** Who runs what follows at once, and the lists are told. */
  const settle = async (probes: readonly number[]): Promise<void> => {
    await monitoring.failover.load()
    await monitoring.failover.step()
    changes.emit({ entity: 'probe', ids: [...new Set(probes)], action: 'updated' })
  }

  return {
    get: (id: number) => get(id),
    list: () => read(db),
    async create(viewer: Viewer, input: ProbeGroupInput): Promise<ProbeGroup> {
      const id = await inTurn(async trx => {
        await check(trx, input, 0)
        const made = await insertGroup(trx, input, viewer.login, now())
        await auditChange(trx, { ...entry(viewer, 'create', made, input.name), before: null, after: input }, now())
        return made
      })
      await settle(input.memberIds)
      return get(id)
    },
    async update(viewer: Viewer, id: number, body: ProbeGroupInput & { updatedAt: string }): Promise<ProbeGroup> {
      const input = { name: body.name, memberIds: body.memberIds }
      const before = await inTurn(async trx => {
        const row = await find(trx, id)
        if (row.updatedMs !== fromIso(body.updatedAt)) throw stale(await get(id, trx), row.updatedBy)
        await check(trx, input, id)
        await updateGroup(trx, id, input, viewer.login, Math.max(now(), row.updatedMs + 1))
        const was = { name: row.name, memberIds: row.memberIds }
        await auditChange(trx, { ...entry(viewer, 'update', id, input.name), before: was, after: input }, now())
        return row
      })
      await settle([...before.memberIds, ...input.memberIds])
      return get(id)
    },
    async delete(viewer: Viewer, id: number): Promise<{ deleted: boolean }> {
      const before = await inTurn(async trx => {
        const row = await find(trx, id)
        await trx.deleteFrom('probe_group').where('id', '=', id).execute()
        const was = { name: row.name, memberIds: row.memberIds }
        await auditChange(trx, { ...entry(viewer, 'delete', id, row.name), before: was, after: null }, now())
        return row
      })
      await settle(before.memberIds)
      return { deleted: true }
    },
  }
}
export type ProbeGroupService = ReturnType<typeof createProbeGroupService>

const entry = (viewer: Viewer, what: 'create' | 'update' | 'delete', id: number, name: string) =>
  ({ action: `probe-group-${what}`, actor: viewer.login, object: `probe-group ${id}`, name }) as const

/** @throws when the name is taken, or a probe does not exist or is in another group. */
const check = async (trx: Db, { name, memberIds }: ProbeGroupInput, id: number): Promise<void> => {
  await requireFreeName(trx, 'probe_group', name, id, held => `Le groupe « ${held} » existe déjà.`)
  const probes = await findProbes(trx, memberIds, id)
  if (probes.length < memberIds.length) throw invalidField('memberIds', "Une de ces sondes n'existe pas.")
  const taken = probes.find(probe => probe.otherGroup !== null)
  if (taken !== undefined)
    throw conflict(
      `La sonde « ${taken.name} » est déjà dans le groupe « ${taken.otherGroup} » : retirez-l'en d'abord.`,
      { fields: { memberIds: `« ${taken.name} » est dans un autre groupe.` } },
    )
}
