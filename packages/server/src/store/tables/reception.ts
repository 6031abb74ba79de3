import type { Generated } from 'kysely'

/** The token of a push scanner: its SHA-256 in hexadecimal. */
interface PushTokenTable {
  scanner_id: number
  hash: string
  created_at: number
  created_by: string | null
}

/** A message that a rule matched, or words that came with a pushed value. */
interface ReceivedEventTable {
  id: Generated<number>
  event_key: string
  scanner_id: number
  host_id: number
  /** Kind of the scanner. */
  kind: string
  severity_rank: number
  /** When the probe received it. */
  at: number
  /** Who sent it: an address, or what the message says of its program. */
  source: string
  text: string
}

export interface ReceptionTables {
  push_token: PushTokenTable
  received_event: ReceivedEventTable
}
