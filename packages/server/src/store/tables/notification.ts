import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

export interface NotificationChannelTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  kind: string
  /** JSON of what is no secret. */
  settings: string
  /** JSON of the secrets, sealed and bound to this row; '' when there is none. */
  secret: string
  enabled: Bit
  last_at: number | null
  /** `sent` or `failed`. */
  last_outcome: string | null
  last_answer: string | null
  last_ms: number | null
  /** Since when nothing gets through; null: the last one did. */
  failing_since: number | null
  /** Administrators were told of this trouble. */
  alerted: Generated<Bit>
}

export interface DeliveryTable {
  id: Generated<number>
  delivery_key: string
  incident_id: number | null
  rule_id: number | null
  rule_name: string
  channel_id: number
  account_id: number | null
  kind: string
  severity_rank: number
  subject: string
  subject_folded: string
  /** JSON of the `NotificationMessage`. */
  message: string
  /** Why this person, in French. */
  reason: string
  /** To whom it went, as people read it; '' until it is tried. */
  recipient: Generated<string>
  /** One of `DELIVERY_STATES`. */
  state: string
  attempts: Generated<number>
  created_at: number
  due_at: number
  first_at: number | null
  tried_at: number | null
  next_at: number
  ended_at: number | null
  /** What the channel answered last, or why nothing was sent. */
  answer: Generated<string>
  duration_ms: number | null
}

interface DeliveryIncidentTable {
  delivery_id: number
  incident_id: number
}

export interface NotificationTables {
  notification_channel: NotificationChannelTable
  delivery: DeliveryTable
  delivery_incident: DeliveryIncidentTable
}
