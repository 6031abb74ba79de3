import { grants, type ProbeDuties, type ProbeMoveInput } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalidField } from '../../http/refusal.ts'
import { concernsOwnMachine } from '../../monitoring/probe/own-machine.ts'
import { audit } from '../../store/audit.ts'
import { type AuditedChange, auditChange, auditChanges } from '../../store/audit-change.ts'
import { turns } from '../../store/batches.ts'
import { updateAlike } from '../../store/bulk.ts'
import type { Database, Db } from '../../store/database.ts'
import { LOCAL_PROBE, SITE_PROBES } from '../../store/site-probe.ts'
import { transaction } from '../../store/transaction.ts'
import { visibleHost } from '../../store/visible.ts'

interface Named {
  readonly id: number
  readonly name: string
}
interface DutyHost extends Named {
  readonly probe_id: number | null
  readonly address: string
}
interface EffectiveHost extends DutyHost {
  readonly site_probe: number | null
}
/** What names a probe, or is left to it because nothing else is chosen. */
interface Duties {
  readonly hosts: readonly DutyHost[]
  readonly scanners: readonly Named[]
  readonly sites: readonly Named[]
  readonly ranges: readonly Named[]
  /** Hosts that follow their site without a word of their own. */
  readonly following: number
}
export interface Settled {
  readonly hostIds: readonly number[]
  readonly scannerIds: readonly number[]
  readonly siteIds: readonly number[]
}

/** Gives the work of one probe to another, and lets a revoked one go. */
export const createProbeDuties = ({ database, now }: { readonly database: Database; readonly now: () => number }) => ({
  /** @returns what moved, or would. */
  async move(viewer: Viewer, from: Named, { to, hostIds, plan }: ProbeMoveInput): Promise<[ProbeDuties, Settled]> {
    if (!grants(viewer.claims, 'host_write'))
      throw forbidden('Cette action demande le droit « Équipements\u202f: écriture ».')
    return transaction(database.db, async trx => {
      const target = await targetOf(trx, to, from.id)
      const chosen = hostIds === undefined ? null : new Set(hostIds)
      const duties = await dutiesOf(trx, viewer, from.id, chosen)
      if (duties.sites.length > 0 && !grants(viewer.claims, 'site_write'))
        throw forbidden(
          'Des sites ont choisi cette sonde : les confier à une autre demande le droit « Sites\u202f: écriture ».',
        )
      const counts = countsOf(duties)
      if (plan) return [counts, settledOf(duties)]
      await assign(trx, viewer, duties, to, now())
      const lines = linesOf(viewer, duties, from.id, to)
      await auditChanges(trx, lines, now())
      const detail = { name: from.name, to: { id: to, name: target.name }, ...counts }
      const entry = {
        action: 'probe-move',
        outcome: 'success',
        actor: viewer.login,
        object: `probe ${from.id}`,
        detail,
      } as const
      await audit(trx, entry, now())
      return [counts, settledOf(duties)]
    })
  },
  /** @returns what had named it, and is now left to the probe of the site or to the local one. */
  async remove(viewer: Viewer, probe: Named, before: object, plan: boolean): Promise<[ProbeDuties, Settled]> {
    return transaction(database.db, async trx => {
      const duties = await namedBy(trx, probe.id)
      const counts = countsOf(duties)
      if (plan) return [counts, settledOf(duties)]
      await assign(trx, viewer, duties, null, now())
      await auditChanges(trx, linesOf(viewer, duties, probe.id, null), now())
      // Its key stays refused: whoever still holds it does not enrol again with it.
      const row = await trx
        .selectFrom('probe')
        .select('public_key')
        .where('id', '=', probe.id)
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('probe_old_key')
        .values({ public_key: row.public_key, probe_id: null, replaced_at: now() })
        .execute()
      await trx.deleteFrom('probe').where('id', '=', probe.id).execute()
      const entry = {
        action: 'probe-delete',
        actor: viewer.login,
        object: `probe ${probe.id}`,
        name: probe.name,
      } as const
      await auditChange(trx, { ...entry, before, after: null }, now())
      return [counts, settledOf(duties)]
    })
  },
})

const targetOf = async (trx: Db, to: number, from: number): Promise<Named> => {
  const target = await trx
    .selectFrom('probe')
    .select(['id', 'name', 'approval'])
    .where('id', '=', to)
    .executeTakeFirst()
  if (target === undefined) throw invalidField('to', "Cette sonde n'existe pas.")
  if (to === from) throw invalidField('to', 'Choisissez une autre sonde.')
  if (target.approval !== 'approved') throw conflict(`La sonde « ${target.name} » n’est pas approuvée.`)
  return target
}

/** Rows that name the probe; other tables forget it by themselves. */
const namedBy = async (trx: Db, id: number): Promise<Duties> => ({
  hosts: await trx
    .selectFrom('host')
    .select(['id', 'name', 'probe_id', 'address'])
    .where('probe_id', '=', id)
    .execute(),
  scanners: await trx.selectFrom('scanner').select(['id', 'name']).where('probe_id', '=', id).execute(),
  sites: await trx.selectFrom('site').select(['id', 'name']).where('probe_id', '=', id).execute(),
  ranges: await trx.selectFrom('discovery_range').select(['id', 'name']).where('probe_id', '=', id).execute(),
  following: 0,
})

/** Of all that it does, what another can do: a probe's own machine is left to it, unless it was chosen. */
const dutiesOf = async (trx: Db, viewer: Viewer, id: number, chosen: ReadonlySet<number> | null): Promise<Duties> => {
  const answer =
    await sql<EffectiveHost>`select host.id, host.name, host.probe_id, host.address, chosen.probe_id as site_probe
    from host join site on site.id = host.site_id left join ${SITE_PROBES} chosen on chosen.site_id = host.site_id
    where ${visibleHost(viewer)} and coalesce(host.probe_id, chosen.probe_id, ${LOCAL_PROBE}) = ${id}`.execute(trx)
  const named = await namedBy(trx, id)
  if (chosen !== null) {
    const scanners = await trx
      .selectFrom('scanner')
      .select(['id', 'name', 'host_id'])
      .where('probe_id', '=', id)
      .execute()
    return {
      hosts: answer.rows.filter(host => chosen.has(host.id)),
      scanners: scanners.filter(scanner => chosen.has(scanner.host_id)),
      sites: [],
      ranges: [],
      following: 0,
    }
  }
  const others = answer.rows.filter(host => !concernsOwnMachine('', host.address, ''))
  // What a site decides goes with its site; what nobody decided is the local probe's, and has to be told.
  const hosts = others.filter(host => host.probe_id !== null || host.site_probe === null)
  return { ...named, hosts, following: others.length - hosts.length }
}

const countsOf = ({ hosts, scanners, sites, ranges, following }: Duties): ProbeDuties => ({
  sites: sites.length,
  hosts: hosts.length + following,
  scanners: scanners.length,
  discoveryRanges: ranges.length,
})
const idsOf = (rows: readonly Named[]): number[] => rows.map(row => row.id)
const settledOf = ({ hosts, scanners, sites }: Duties): Settled => ({
  hostIds: idsOf(hosts),
  scannerIds: idsOf(scanners),
  siteIds: idsOf(sites),
})

const assign = async (trx: Db, viewer: Viewer, duties: Duties, to: number | null, nowMs: number): Promise<void> => {
  const columns = { probe_id: to }
  for (const [table, rows] of [
    ['host', duties.hosts],
    ['scanner', duties.scanners],
  ] as const)
    await updateAlike(
      trx,
      table,
      idsOf(rows).map(id => ({ id, columns })),
      viewer.login,
      nowMs,
    )
  for (const [table, rows] of [
    ['site', duties.sites],
    ['discovery_range', duties.ranges],
  ] as const)
    for await (const slice of turns(idsOf(rows)))
      await trx
        .updateTable(table)
        .set(eb => ({
          ...columns,
          updated_by: viewer.login,
          updated_at: eb
            .case()
            .when('updated_at', '<', nowMs)
            .then(nowMs)
            .else(eb('updated_at', '+', 1))
            .end(),
        }))
        .where('id', 'in', slice)
        .execute()
}

const linesOf = (viewer: Viewer, duties: Duties, from: number, to: number | null): AuditedChange[] =>
  (['site', 'host', 'scanner'] as const).flatMap(kind =>
    duties[`${kind}s`].map(one => ({
      action: `${kind}-update` as const,
      actor: viewer.login,
      object: `${kind} ${one.id}`,
      name: one.name,
      before: { probeId: 'probe_id' in one ? one.probe_id : from },
      after: { probeId: to },
    })),
  )
