import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

/** One of the four ids is set, by its kind. */
interface CommentTable extends Stamped {
  id: Generated<number>
  kind: string
  site_id: number | null
  host_id: number | null
  metric_id: number | null
  incident_id: number | null
  text: string
  text_folded: string
  author_id: number | null
  author: string
  pinned: Bit
  from_at: number | null
  to_at: number | null
  edited_at: number | null
}

/** Whom a comment names, of those who might see what it is about when it was written. */
interface CommentMentionTable {
  comment_id: number
  account_id: number
}

/** Accounts that asked for other alerts than those of everybody. */
interface AlertSettingTable {
  account_id: number
  error: Bit
  warning: Bit
  unknown: Bit
  recovery: Bit
  mine: Bit
  acts: Bit
  /** JSON list of ids; null for all. */
  sites: string | null
  /** JSON of the quiet hours; null for none. */
  quiet: Generated<string | null>
}

export interface CommentTables {
  comment: CommentTable
  comment_mention: CommentMentionTable
  alert_setting: AlertSettingTable
}
