import type { IncidentKind } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import type { Db } from '../../store/database.ts'
import { insertIncidentEvent } from './incident-log.ts'
import { separateAtEnd } from './incident-merge.ts'

export interface ProbeTrouble {
  /** Unique: told again, it opens nothing twice. */
  readonly key: string
  readonly kind: Exclude<IncidentKind, 'metric'>
  readonly probeId: number
  readonly title: string
  /** What people read of it. */
  readonly text: string
  readonly atMs: number
}

/** Opens the one incident of a silent probe, or of its link. @returns its id. */
export const openProbeIncident = async (trx: Db, { key, kind, probeId, text, atMs }: ProbeTrouble): Promise<number> => {
  const { site_id } = await trx
    .selectFrom('probe')
    .select('site_id')
    .where('id', '=', probeId)
    .executeTakeFirstOrThrow()
  const rank = severityRank('error')
  await trx
    .insertInto('incident')
    .values({
      ...{ event_key: key, kind, probe_id: probeId, site_id, severity_rank: rank, worst_rank: rank, information: text },
      opened_at: atMs,
    })
    .onConflict(conflict => conflict.column('event_key').doNothing())
    .execute()
  const { id } = await trx.selectFrom('incident').select('id').where('event_key', '=', key).executeTakeFirstOrThrow()
  await insertIncidentEvent(trx, { key, incidentId: id, atMs, kind: 'opened', severity: 'error', text })
  return id
}

export interface Ended {
  readonly id: number
  /** Merged into it by hand, and now standing for themselves. */
  readonly separated: readonly number[]
}

/** Closes what is open of a probe; null: nothing was, as of one told offline before incidents of probes were. */
export const closeProbeIncident = async (trx: Db, trouble: ProbeTrouble): Promise<Ended | null> => {
  const { key, kind, probeId, title, text, atMs } = trouble
  const open = await trx
    .selectFrom('incident')
    .select('id')
    .where('probe_id', '=', probeId)
    .where('kind', '=', kind)
    .where('closed_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (open === undefined) return null
  await trx.updateTable('incident').set({ closed_at: atMs }).where('id', '=', open.id).execute()
  await insertIncidentEvent(trx, { key, incidentId: open.id, atMs, kind: 'closed', severity: 'ok', text })
  return { id: open.id, separated: await separateAtEnd(trx, open.id, title, atMs) }
}
