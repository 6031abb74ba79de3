import { EVENTS_SHOWN, eventRoutes, type ReceivedEvent } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { notFound } from '../../http/refusal.ts'
import { EVENT_RANKS } from '../../monitoring/event-log.ts'
import { kindOf, type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import type { Database } from '../../store/database.ts'
import { fetchOne } from '../../store/fetch.ts'
import { toIso } from '../../store/time.ts'

/** The last messages of a scanner, the newest first; `before` goes further back. */
const eventsOf = async (
  { db }: Database,
  viewer: Viewer,
  scannerId: number,
  before: number | undefined,
): Promise<ReceivedEvent[]> => {
  const scanner = await fetchOne<ScannerRow>(db, scannerList(viewer), scannerId)
  if (scanner === null) throw notFound("Ce scanner n'existe pas.")
  const rows = await db
    .selectFrom('received_event')
    .selectAll()
    .where('scanner_id', '=', scannerId)
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
  return rows.map(row => ({
    id: row.id,
    at: toIso(row.at),
    severity: EVENT_RANKS[row.severity_rank] ?? 'warning',
    kind: kindOf(row.kind),
    source: row.source,
    text: row.text,
    scannerId,
    hostId: scanner.host_id,
    hostName: scanner.host_name,
    siteId: scanner.site_id,
    siteName: scanner.site_name,
  }))
}

export const eventHandlers = (database: Database): Mounted[] => [
  on(eventRoutes.ofScanner, ({ query }, viewer) => eventsOf(database, viewer, query.id, query.before)),
]
