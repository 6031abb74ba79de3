import {
  type BodyOf,
  grants,
  HANDOVER_LINES,
  HANDOVERS_SHOWN,
  type Handover,
  type HandoverSummary,
  type handoverRoutes,
} from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { ToldToOthers } from '../../account-notice.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, notFound } from '../../http/refusal.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import { audit } from '../../store/audit.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Db } from '../../store/database.ts'
import { personOf } from '../../store/person.ts'
import { fromIso, toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { requireSeen, visibleIncident } from '../../store/visible.ts'
import { type HandoverRow, presentHandovers, readHandovers } from './handover.store.ts'
import type { LogBookDeps } from './log-book.service.ts'
import { INCIDENT_FROM, readNotes, TITLE } from './log-book.store.ts'
import { openRuns } from './maintenance-lines.ts'

export interface HandoverDeps extends LogBookDeps {
  /** Says to the others who are signed in what somebody has done. */
  readonly tell: (viewer: Viewer, told: ToldToOthers) => void
}
type CreateBody = BodyOf<typeof handoverRoutes.create>
interface Asked {
  readonly from: string
  readonly to: string
  readonly site?: number | undefined
}

/** Hand-over notes: what one shift leaves to the next. */
export const createHandoverService = ({ database, monitoring, now, tell }: HandoverDeps) => {
  const { db } = database
  const changed = (id: number): void =>
    monitoring.publisher.changed({ entity: 'log-book', ids: [id], action: 'updated' })
  const present = (viewer: Viewer, rows: readonly HandoverRow[]): Promise<Handover[]> =>
    presentHandovers(db, viewer, rows, grants(viewer.claims, 'incident_write'))
  const find = async (trx: Db, viewer: Viewer, id: number): Promise<HandoverRow> => {
    const [row] = await readHandovers(trx, viewer, sql<boolean>`handover.id = ${id}`, 1)
    if (row === undefined) throw notFound('Cette relève n’existe pas.')
    return row
  }
  const get = async (viewer: Viewer, id: number): Promise<Handover> => {
    const [found] = await present(viewer, [await find(db, viewer, id)])
    if (found === undefined) throw notFound('Cette relève n’existe pas.')
    return found
  }

  return {
    get,
    async list(viewer: Viewer, before: number | undefined): Promise<Handover[]> {
      const older = before === undefined ? sql<boolean>`1 = 1` : sql<boolean>`handover.id < ${before}`
      return present(viewer, await readHandovers(db, viewer, older, HANDOVERS_SHOWN))
    },
    summary: (viewer: Viewer, asked: Asked): Promise<HandoverSummary> => summaryOf(db, viewer, asked),
    async create(viewer: Viewer, body: CreateBody): Promise<Handover> {
      requireSeen(viewer, body.siteId)
      const sites = body.siteId === null ? viewer.place?.sites : new Set([body.siteId])
      if (sites?.size === 0)
        throw forbidden('Une relève porte sur des sites\u202f: aucun ne vous est confié en entier.')
      const nowMs = now()
      const { id, author } = await transaction(db, async trx => {
        const author = (await personOf(trx, viewer.userId))?.name ?? viewer.login
        const made = await trx
          .insertInto('handover')
          .values({
            ...{ from_at: fromIso(body.from), to_at: fromIso(body.to), text: body.text, author, signed_at: nowMs },
            ...{ author_id: viewer.userId, limited: sites === undefined ? (0 as const) : (1 as const) },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const { id: handover_id } = made
        const rows = [...(sites ?? [])].map(site_id => ({ handover_id, site_id }))
        if (rows.length > 0) await trx.insertInto('handover_site').values(rows).execute()
        const { from, to, text, siteId } = body
        const line = { actor: viewer.login, object: `handover ${handover_id}`, name: author, before: null }
        await auditChange(trx, { ...line, action: 'handover-create', after: { from, to, text, siteId } }, nowMs)
        return { id: handover_id, author }
      })
      changed(id)
      tell(viewer, {
        title: 'Relève',
        message: `${author} a signé sa relève.`,
        link: `/comments/log-book/handover/${id}`,
      })
      return get(viewer, id)
    },
    /** Says that it was read: once by each, and not by who wrote it. */
    async read(viewer: Viewer, id: number): Promise<Handover> {
      await transaction(db, async trx => {
        const row = await find(trx, viewer, id)
        if (row.author_id === viewer.userId)
          throw conflict('C’est votre relève\u202f: un autre la lit et prend son poste.')
        const reader = (await personOf(trx, viewer.userId))?.name ?? viewer.login
        const made = await trx
          .insertInto('handover_reading')
          .values({ handover_id: id, reader_id: viewer.userId, reader, at: now() })
          .onConflict(found => found.columns(['handover_id', 'reader_id']).doNothing())
          .returning('id')
          .executeTakeFirst()
        if (made === undefined) return
        const entry = { action: 'handover-read', outcome: 'success', actor: viewer.login } as const
        await audit(trx, { ...entry, object: `handover ${id}`, detail: { name: row.author } }, now())
      })
      changed(id)
      return get(viewer, id)
    },
  }
}
export type HandoverService = ReturnType<typeof createHandoverService>

interface IncidentRow {
  id: number
  title: string | null
  severity_rank: number
  opened_at: number
  closed_at: number | null
  site_name: string | null
  acknowledged_by: string | null
  owner: string | null
}

/** Those that stand for themselves and may be seen. */
const askedOf = (viewer: Viewer, site: number | undefined, condition: RawBuilder<boolean>): RawBuilder<unknown> => {
  const on = site === undefined ? sql<boolean>`1 = 1` : sql<boolean>`site.id = ${site}`
  return sql`from incident ${INCIDENT_FROM} where ${visibleIncident(viewer)} and incident.parent_id is null
    and ${on} and ${condition}`
}
const countOf = async (db: Db, asked: RawBuilder<unknown>): Promise<number> =>
  Number((await sql<{ n: number }>`select count(*) as n ${asked}`.execute(db)).rows[0]?.n ?? 0)

/** The first of them, the worst first, and how many there are. */
const incidentsOf = async (db: Db, viewer: Viewer, site: number | undefined, condition: RawBuilder<boolean>) => {
  const asked = askedOf(viewer, site, condition)
  const { rows } =
    await sql<IncidentRow>`select incident.id, ${TITLE} as title, incident.severity_rank, incident.opened_at,
    incident.closed_at, site.name as site_name, incident.acknowledged_by, incident.owner ${asked}
    order by incident.severity_rank, incident.opened_at desc, incident.id desc limit ${HANDOVER_LINES}`.execute(db)
  return {
    count: await countOf(db, asked),
    lines: rows.map(row => ({
      ...{ id: row.id, title: row.title ?? '', severity: severityOf(row.severity_rank), siteName: row.site_name },
      ...{ openedAt: toIso(row.opened_at), closedAt: toIsoOrNull(row.closed_at) },
      ...{ inCharge: row.owner ?? row.acknowledged_by, acknowledged: row.acknowledged_by !== null },
    })),
  }
}

const summaryOf = async (db: Db, viewer: Viewer, { from, to, site }: Asked): Promise<HandoverSummary> => {
  requireSeen(viewer, site, 'site')
  const [fromMs, toMs] = [fromIso(from), fromIso(to)]
  const begun = sql<boolean>`incident.opened_at >= ${fromMs} and incident.opened_at < ${toMs}`
  const closed = sql<boolean>`incident.closed_at >= ${fromMs} and incident.closed_at < ${toMs}`
  const open = await incidentsOf(db, viewer, site, sql<boolean>`incident.closed_at is null`)
  const ended = await incidentsOf(db, viewer, site, closed)
  const begunCount = await countOf(db, askedOf(viewer, site, begun))
  const runs = await openRuns(db, viewer, site ?? null)
  const onSite = site === undefined ? sql<boolean>`1 = 1` : sql<boolean>`note.site_id = ${site}`
  const notes = await readNotes(
    db,
    viewer,
    sql<boolean>`note.at >= ${fromMs} and note.at < ${toMs} and ${onSite}`,
    1_000,
  )
  return {
    ...{
      open: open.lines,
      openCount: open.count,
      ended: ended.lines,
      endedCount: ended.count,
      begunCount,
    },
    maintenances: runs
      .slice(0, HANDOVER_LINES)
      .map(run => ({ id: run.maintenance_id, comment: run.comment, until: toIso(run.until), hosts: run.host_count })),
    maintenanceCount: runs.length,
    // As they came.
    notes: notes
      .slice(0, HANDOVER_LINES)
      .reverse()
      .map(note => ({ at: toIso(note.at), author: note.author, text: note.text, siteName: note.site_name })),
    noteCount: notes.length,
  }
}
