import type { Handover } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { seesAll, visibleTo } from '../../store/visible.ts'
import { type Line, type LogBookQuery, PLAIN, SOURCE, within } from './log-book.store.ts'

export interface HandoverRow {
  id: number
  from_at: number
  to_at: number
  text: string
  limited: 0 | 1
  author_id: number | null
  author: string
  signed_at: number
}
interface ReadingRow {
  id: number
  handover_id: number
  reader_id: number | null
  reader: string
  at: number
}

/** A note is read by who sees each site that it is about; what is about all, or about none any more, by who sees all. */
const seenHandover = (viewer: Viewer): RawBuilder<boolean> =>
  seesAll(viewer)
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(handover.limited = 1
        and exists (select 1 from handover_site hs where hs.handover_id = handover.id)
        and not exists (select 1 from handover_site hs where hs.handover_id = handover.id
          and not ${visibleTo(viewer, sql`hs.site_id`)}))`

/** Notes of which the condition holds, the last signed first. */
export const readHandovers = async (
  db: Db,
  viewer: Viewer,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<HandoverRow[]> =>
  (
    await sql<HandoverRow>`select handover.* from handover where ${seenHandover(viewer)} and ${condition}
      order by handover.id desc limit ${limit}`.execute(db)
  ).rows

/** Notes with their sites and readers. */
export const presentHandovers = async (
  db: Db,
  viewer: Viewer,
  rows: readonly HandoverRow[],
  mayAct: boolean,
): Promise<Handover[]> => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const readings = await db
    .selectFrom('handover_reading')
    .selectAll()
    .where('handover_id', 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute()
  const sites = await db
    .selectFrom('handover_site')
    .innerJoin('site', 'site.id', 'handover_site.site_id')
    .select(['handover_site.handover_id', 'site.id', 'site.name'])
    .where('handover_site.handover_id', 'in', ids)
    .orderBy('site.name_folded')
    .execute()
  const [readersOf, sitesOf] = [
    Map.groupBy(readings, one => one.handover_id),
    Map.groupBy(sites, one => one.handover_id),
  ]
  return rows.map(row => {
    const readers = readersOf.get(row.id) ?? []
    const isConcerned = row.author_id === viewer.userId || readers.some(one => one.reader_id === viewer.userId)
    return {
      ...{ id: row.id, from: toIso(row.from_at), to: toIso(row.to_at), text: row.text, author: row.author },
      signedAt: toIso(row.signed_at),
      sites: row.limited === 0 ? null : (sitesOf.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
      readers: readers.map(one => ({ name: one.reader, at: toIso(one.at) })),
      mayRead: mayAct && !isConcerned,
    }
  })
}

/** Notes signed and read. A site narrows them to those that are about it, or about all. */
export const handoverLines = async (db: Db, viewer: Viewer, query: LogBookQuery): Promise<Line[]> => {
  if (!query.kinds.has('handover')) return []
  const about =
    query.site === null
      ? sql<boolean>`1 = 1`
      : sql<boolean>`(handover.limited = 0 or exists (select 1 from handover_site hs
          where hs.handover_id = handover.id and hs.site_id = ${query.site}))`
  const signed = await sql<HandoverRow>`select handover.* from handover where ${seenHandover(viewer)} and ${about}
    and ${within(query, 'handover', sql`handover.signed_at`, sql`handover.id`)}
    order by handover.signed_at desc, handover.id desc limit ${query.limit}`.execute(db)
  const read = await sql<ReadingRow & { author: string }>`select reading.*, handover.author
    from handover_reading reading join handover on handover.id = reading.handover_id where ${seenHandover(viewer)}
    and ${about} and ${within(query, 'reading', sql`reading.at`, sql`reading.id`)}
    order by reading.at desc, reading.id desc limit ${query.limit}`.execute(db)
  const link = (id: number): string => `/comments/log-book/handover/${id}`
  return [
    ...signed.rows.map(row => ({
      place: { at: row.signed_at, source: SOURCE.handover, id: row.id },
      entry: {
        ...PLAIN,
        ...({ key: `handover:${row.id}`, at: toIso(row.signed_at), kind: 'handover', event: 'handed-over' } as const),
        ...{ title: '', id: row.id, link: link(row.id), text: row.text, author: row.author },
      },
    })),
    ...read.rows.map(row => ({
      place: { at: row.at, source: SOURCE.reading, id: row.id },
      entry: {
        ...PLAIN,
        ...({ key: `reading:${row.id}`, at: toIso(row.at), kind: 'handover', event: 'taken-over' } as const),
        ...{ title: row.author, id: row.handover_id, link: link(row.handover_id), text: '', author: row.reader },
      },
    })),
  ]
}
