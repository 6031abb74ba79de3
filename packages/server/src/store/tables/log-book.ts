import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

/** What an operator wrote in the log book. */
interface LogBookNoteTable extends Stamped {
  id: Generated<number>
  /** When what it tells took place. */
  at: number
  site_id: number | null
  text: string
  author_id: number | null
  author: string
  edited_at: number | null
}

/** A hand-over note; once signed it never changes. */
interface HandoverTable {
  id: Generated<number>
  from_at: number
  to_at: number
  text: string
  /** It is about its sites alone. */
  limited: Bit
  author_id: number | null
  author: string
  signed_at: number
}

interface HandoverSiteTable {
  handover_id: number
  site_id: number
}

/** Who said that it was read. */
interface HandoverReadingTable {
  id: Generated<number>
  handover_id: number
  reader_id: number | null
  reader: string
  at: number
}

export interface LogBookTables {
  log_book_note: LogBookNoteTable
  handover: HandoverTable
  handover_site: HandoverSiteTable
  handover_reading: HandoverReadingTable
}
