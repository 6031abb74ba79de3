import type { SecondOpinion } from '@narval/contracts'
import { OPINION_VERDICTS, type Opinion, type OpinionVerdict } from '@narval/engine'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Schema } from '../../store/schema.ts'
import { toIso } from '../../store/time.ts'

/** What another probe said of a host. */
export interface KeptOpinion extends Opinion {
  readonly id: number
  readonly hostId: number
  readonly metricId: number
  /** The probe whose run failed. */
  readonly runnerId: number
  readonly probeId: number
  readonly probeName: string
  /** Its failure in French; '' where the host answered. */
  readonly message: string
}
export type NewOpinion = Omit<KeptOpinion, 'id'>

/** Opinions weigh for minutes; a replay judges what arrived before the last start. */
const REPLAYED_MS = 24 * 3_600_000
const MAX_REPLAYED = 5_000
const FORGOTTEN_MS = 90 * 24 * 3_600_000

const verdictOf = (text: string): OpinionVerdict => OPINION_VERDICTS.find(verdict => verdict === text) ?? 'fails'

/** Those of the day before the newest one, oldest first. */
export const readOpinions = async (db: Db): Promise<KeptOpinion[]> => {
  const newest = await db
    .selectFrom('second_opinion')
    .select(eb => eb.fn.max('at').as('at'))
    .executeTakeFirst()
  const rows = await db
    .selectFrom('second_opinion')
    .selectAll()
    .where('at', '>=', (newest?.at ?? 0) - REPLAYED_MS)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_REPLAYED)
    .execute()
  return rows.reverse().map(row => ({
    id: row.id,
    hostId: row.host_id,
    metricId: row.metric_id,
    runnerId: row.runner_id,
    probeId: row.probe_id,
    probeName: row.probe_name,
    atMs: row.at,
    problemMs: row.problem_at,
    verdict: verdictOf(row.verdict),
    message: row.message,
  }))
}

/** Keeps an opinion; `incidentId` is the incident that its problem has opened already. */
export const insertOpinion = async (db: Db, opinion: NewOpinion, incidentId: number | null): Promise<KeptOpinion> => {
  await db
    .deleteFrom('second_opinion')
    .where('at', '<', opinion.atMs - FORGOTTEN_MS)
    .execute()
  const { id } = await db
    .insertInto('second_opinion')
    .values({
      host_id: opinion.hostId,
      metric_id: opinion.metricId,
      runner_id: opinion.runnerId,
      probe_id: opinion.probeId,
      probe_name: opinion.probeName,
      at: opinion.atMs,
      problem_at: opinion.problemMs,
      verdict: opinion.verdict,
      message: opinion.message,
      incident_id: incidentId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...opinion, id }
}

/** The incident that a problem opened bears the opinions that were given of it. */
export const linkOpinions = (db: Db, metricId: number, problemMs: number, incidentId: number) =>
  db
    .updateTable('second_opinion')
    .set({ incident_id: incidentId })
    .where('metric_id', '=', metricId)
    .where('problem_at', '=', problemMs)
    .execute()

type OpinionRow = Selectable<Schema['second_opinion']>

/** An opinion as people read it. */
export const toOpinion = (row: OpinionRow): SecondOpinion => ({
  id: row.id,
  at: toIso(row.at),
  probeId: row.probe_id,
  probeName: row.probe_name,
  verdict: verdictOf(row.verdict),
  message: row.message,
})

/** By incident, the last opinion of the problem that opened it. */
export const opinionsOf = async (db: Db, incidentIds: readonly number[]): Promise<Map<number, SecondOpinion>> => {
  if (incidentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('second_opinion')
    .selectAll()
    .where('incident_id', 'in', [...incidentIds])
    .orderBy('id')
    .execute()
  return new Map(rows.flatMap(row => (row.incident_id === null ? [] : [[row.incident_id, toOpinion(row)] as const])))
}

export interface ReachRows {
  /** The host's site, then those above it. */
  readonly sites: readonly number[]
  readonly probes: readonly { readonly id: number; readonly site: number | null; readonly local: boolean }[]
}

/** Who might be asked about a host of this site. */
export const readReach = async (db: Db, siteId: number): Promise<ReachRows> => {
  const sites = await sql<{ id: number }>`with recursive up(id, parent_id, depth) as (
      select id, parent_id, 0 from site where id = ${siteId}
      union all select site.id, site.parent_id, up.depth + 1 from site join up on site.id = up.parent_id)
    select id from up order by depth`.execute(db)
  const probes = await db
    .selectFrom('probe')
    .select(['id', 'site_id', 'local'])
    .where('approval', '=', 'approved')
    .orderBy('id')
    .execute()
  return {
    sites: sites.rows.map(({ id }) => Number(id)),
    probes: probes.map(({ id, site_id, local }) => ({ id, site: site_id, local: local === 1 })),
  }
}

/** Probes of which people were told that their link is at fault. */
export const readBlamedLinks = async (db: Db): Promise<Set<number>> =>
  new Set((await db.selectFrom('probe').select('id').where('link_announced', '=', 1).execute()).map(({ id }) => id))

export const saveBlamedLink = (db: Db, probeId: number, isBlamed: boolean) =>
  db
    .updateTable('probe')
    .set({ link_announced: isBlamed ? 1 : 0 })
    .where('id', '=', probeId)
    .execute()
