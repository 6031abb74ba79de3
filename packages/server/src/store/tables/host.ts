import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'
import type { NamedTypeTable } from './site.ts'

interface HostModelTable {
  id: Generated<number>
  name: string
  name_folded: string
  manufacturer: string
}

interface HostTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  address: string
  address_folded: string
  type_id: number | null
  model_id: number | null
  site_id: number
  probe_id: number | null
  life_scanner_id: number | null
  tags: string
  tags_folded: string
  enabled: Bit
  description: string
  instruction: string
  /** Derived by monitoring, kept here so that lists sort and filter on it. */
  state: string
  severity_rank: number
  state_since: number
  /** When its life test was last heard while something that hangs on it had to wait for that. */
  vouched_at: number | null
}

interface HostParentTable {
  host_id: number
  parent_id: number
}

export interface HostTables {
  host_type: NamedTypeTable
  host_model: HostModelTable
  host: HostTable
  host_parent: HostParentTable
}
