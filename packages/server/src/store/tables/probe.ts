import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface ProbeTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  site_id: number | null
  /** pending, approved, revoked; online or offline is derived from the last contact. */
  approval: string
  local: Bit
  public_key: string
  /** Since when it has this key. */
  key_at: Generated<number>
  /** X25519 key for which credentials are sealed; empty until the probe says it. */
  seal_key: Generated<string>
  version: string
  address: string
  last_contact_at: number | null
  boot_id: string | null
  /** What people were last told of it: online, offline; null: nothing yet. */
  announced: string | null
  /** 1 when people were told that its link is at fault. */
  link_announced: Generated<Bit>
  /** Of the results that it lost in its spool, how many people were told of. */
  dropped_told: Generated<number>
}

/** Keys that probes had before: never accepted again. */
interface ProbeOldKeyTable {
  public_key: string
  /** Null: the probe was deleted. */
  probe_id: number | null
  replaced_at: number
}

interface ProbeCodeTable {
  /** SHA-256 of the secret, in hex. */
  hash: string
  created_at: number
  expires_at: number
  used_at: number | null
  created_by: string | null
  /** The probe enrolled by it is approved at once (the local probe). */
  approves: Bit
}

interface ProbeGroupTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
}

interface ProbeGroupMemberTable {
  probe_id: number
  group_id: number
  position: number
}

/** One stand-in's time with another probe's scanners; times of the server. */
interface ProbeTakeoverTable {
  id: Generated<number>
  home_id: number
  runner_id: number
  since: number
  /** When its first result of those scanners came; null: none yet. */
  covered_from: number | null
  /** Since when the home speaks again without a pause; null while it is silent. */
  back_since: number | null
  /** Null while it lasts. */
  until: number | null
}

/** What another probe said of a host whose life test failed. */
interface SecondOpinionTable {
  id: Generated<number>
  host_id: number
  metric_id: number
  /** The probe whose run failed. */
  runner_id: number
  /** The one that was asked. */
  probe_id: number
  probe_name: string
  at: number
  /** `problemSinceMs` of the failure that it was asked about. */
  problem_at: number
  verdict: string
  message: string
  incident_id: number | null
}

export interface ProbeTables {
  probe: ProbeTable
  probe_code: ProbeCodeTable
  probe_old_key: ProbeOldKeyTable
  probe_group: ProbeGroupTable
  probe_group_member: ProbeGroupMemberTable
  probe_takeover: ProbeTakeoverTable
  second_opinion: SecondOpinionTable
}
