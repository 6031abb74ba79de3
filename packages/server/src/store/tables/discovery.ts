import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface DiscoveryRangeTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  site_id: number
  probe_id: number | null
  ranges: string
  exclusions: string
  /** JSON list of methods, and of TCP ports. */
  methods: string
  ports: string
  /** Addresses a second. */
  rate: number
  recurrence: string
  at_hour: number
  /** 1 Monday … 7 Sunday; of weekly ones. */
  weekday: number
  enabled: Bit
  next_run_at: number | null
}

interface DiscoveryRunTable {
  id: Generated<number>
  range_id: number
  probe_id: number | null
  /** Outlives the probe. */
  probe_name: string
  state: string
  total: number
  done: number
  found: number
  added: number
  changed: number
  vanished: number
  /** French; empty when all went well. */
  error: string
  /** JSON list of French sentences: methods that this probe could not use. */
  notes: string
  started_by: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

interface DiscoveryFindingTable {
  id: Generated<number>
  range_id: number
  /** The run that saw it last; no reference, since runs are forgotten. */
  run_id: number
  address: string
  address_key: string
  host_id: number | null
  name: string
  name_folded: string
  /** Lower case with colons; empty when unknown. */
  mac: string
  role: string
  facts: string
  changes: string
  ignored: Bit
  parent_host_id: number | null
  parent_id: number | null
  parent_source: string
  first_seen_at: number
  last_seen_at: number
  vanished_at: number | null
}

export interface DiscoveryTables {
  discovery_range: DiscoveryRangeTable
  discovery_run: DiscoveryRunTable
  discovery_finding: DiscoveryFindingTable
}
