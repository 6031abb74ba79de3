import type { Generated } from 'kysely'

/**
 * Rows as they lie in both databases: snake_case, times as epoch ms, booleans as 0/1, lists and records as JSON text.
 * Snake case stops in the `*.store.ts` files.
 */
export type Bit = 0 | 1

interface Stamped {
  created_at: number
  updated_at: number
  updated_by: string | null
}

export interface SettingTable {
  key: string
  value: string
  updated_at: number
  updated_by: string | null
}

export interface AccountTable extends Stamped {
  id: Generated<number>
  login: string
  login_folded: string
  first_name: string
  last_name: string
  name_folded: string
  email: string
  avatar: string
  password_hash: string
  first_connection: Bit
  enabled: Bit
  theme: string
  home_page: string
  last_login_at: number | null
  password_changed_at: number | null
  /** A generated password is refused from then on; null for one that its owner chose. */
  password_expires_at: number | null
  /** Notifications up to this id were read. */
  notifications_through: number
}

export interface AccountClaimTable {
  account_id: number
  claim: string
}

export interface UserGroupTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  description: string
}

export interface UserGroupClaimTable {
  group_id: number
  claim: string
}

export interface UserGroupMemberTable {
  group_id: number
  account_id: number
}

export interface SessionTable {
  id: Generated<number>
  account_id: number
  uuid: string
  /** The device fields of the login request (spec §3) as JSON. */
  device: string
  address: string
  created_at: number
  last_used_at: number
  ended_at: number | null
  end_reason: string | null
}

export interface RefreshTokenTable {
  /** SHA-256 of the token, in hex. */
  hash: string
  session_id: number
  created_at: number
  used_at: number | null
}

export interface ApiTokenTable {
  id: Generated<number>
  account_id: number
  name: string
  /** SHA-256 of the token, in hex. */
  hash: string
  /** JSON list; what counts is what of it the account still holds. */
  claims: string
  created_at: number
  expires_at: number
  last_used_at: number | null
}

/** Who did what, from where, and how it ended (rule: every change is audited). */
export interface AuditTable {
  id: Generated<number>
  at: number
  /** Login of who did it; null for nobody known. */
  actor: string | null
  address: string
  action: string
  /** What it was done to: `account 12`. */
  object: string
  outcome: string
  /** JSON of what is worth knowing; never a secret. */
  detail: string
}

export interface LoginFailureTable {
  /** What is counted: see `login-throttle.ts`. */
  key: string
  failures: number
  last_at: number
  blocked_until: number
}

export interface NamedTypeTable {
  id: Generated<number>
  name: string
  name_folded: string
  icon: string
}

export interface HostModelTable {
  id: Generated<number>
  name: string
  name_folded: string
  manufacturer: string
}

export interface SiteTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  code: string
  code_folded: string
  type_id: number | null
  parent_id: number | null
  address: string
  postal_code: string
  city: string
  city_folded: string
  country: string
  latitude: number | null
  longitude: number | null
  time_zone: string
  contact_name: string
  contact_phone: string
  contact_email: string
  instruction: string
  probe_id: number | null
  /** JSON list of `{ days, from, to }`; empty: at any time. */
  opening_hours: Generated<string>
}

export interface HostTable extends Stamped {
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
}

export interface ProbeTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  site_id: number | null
  /** pending, approved, revoked; online or offline is derived from the last contact. */
  approval: string
  local: Bit
  public_key: string
  version: string
  address: string
  last_contact_at: number | null
  boot_id: string | null
  /** What people were last told of it: online, offline; null: nothing yet. */
  announced: string | null
}

export interface ProbeCodeTable {
  /** SHA-256 of the secret, in hex. */
  hash: string
  created_at: number
  expires_at: number
  used_at: number | null
  created_by: string | null
  /** The probe enrolled by it is approved at once (the local probe). */
  approves: Bit
}

export interface ScannerTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  kind: string
  host_id: number
  probe_id: number | null
  interval_seconds: number | null
  retry_interval_seconds: number | null
  timeout_ms: number | null
  attempts: number | null
  parameters: string
  enabled: Bit
  /** The monitoring model, and the item of it, that this scanner comes from; null for a scanner of the host alone. */
  model_id: Generated<number | null>
  model_item: Generated<string | null>
  /** JSON list of the fields that are its own although it comes from a model. */
  overrides: Generated<string>
}

export interface MetricTable extends Stamped {
  id: Generated<number>
  host_id: number
  scanner_id: number
  key: string
  name: string
  name_folded: string
  unit: string
  type: string
  thresholds: string
  attempts: number | null
  no_data: string
  enabled: Bit
  /** JSON list of the fields that are its own; the others come from the model, else from the check kind. */
  overrides: Generated<string>
  /** JSON: side of a threshold → formula over custom fields, from which that side of `thresholds` was computed. */
  formulas: Generated<string>
}

export interface MetricStateTable {
  metric_id: number
  severity_rank: number
  hard_rank: number
  kind: string
  attempt: number
  cause: string | null
  hard_cause: string | null
  /** Severity last told of the open incident; null when none is open. */
  incident_rank: number | null
  held: number
  raised: number
  since: number
  hard_since: number
  problem_since: number | null
  information: string
  incident_id: number | null
  updated_at: number
}

export interface IncidentTable {
  id: Generated<number>
  /** Derived from what opened it, unique: the same result evaluated twice opens it once. */
  event_key: string
  metric_id: number
  host_id: number
  site_id: number
  severity_rank: number
  information: string
  opened_at: number
  closed_at: number | null
  acknowledged_by: string | null
  acknowledged_at: number | null
  acknowledged_comment: string | null
}

export interface OutboxTable {
  id: Generated<number>
  event_key: string
  at: number
  severity_rank: number
  type: string
  title: string
  message: string
  link: string
  incident_id: number | null
  /** Whom alone it concerns; null for everybody. */
  account_id: number | null
}

/** Places reached by readers of the journal (`applied`). */
export interface PositionTable {
  name: string
  position: number
}

export interface HostParentTable {
  host_id: number
  parent_id: number
}

export interface MonitoringModelTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  description: string
  /** JSON in the shape of `modelDefinition`. */
  definition: string
}

/** What a model was before each change, so that it can be undone. */
export interface MonitoringModelVersionTable {
  id: Generated<number>
  model_id: number
  name: string
  description: string
  definition: string
  at: number
  changed_by: string | null
}

export interface HostMonitoringModelTable {
  host_id: number
  model_id: number
  /** The first one wins where two say something of the same scanner. */
  position: number
}

export interface CredentialTable extends Stamped {
  id: Generated<number>
  owner_kind: string
  owner_id: number
  kind: string
  /** JSON of what is no secret. */
  settings: string
  /** JSON of the secrets, encrypted and bound to this row's owner and kind; '' when there is none. */
  secret: string
}

export interface FieldGroupTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  position: number
}

export interface FieldDefinitionTable extends Stamped {
  id: Generated<number>
  key: string
  label: string
  label_folded: string
  help: string
  type: string
  unit: string
  default_value: string
  required: Bit
  regex: string
  min_value: number | null
  max_value: number | null
  /** JSON list of texts. */
  choices: string
  group_id: number
  position: number
  scope: string
  /** JSON list of the ids of the types concerned; empty: all. */
  types: string
}

export interface FieldPrivilegeTable {
  user_group_id: number
  field_group_id: number
  level: string
}

export interface FieldPrivilegeOverrideTable {
  user_group_id: number
  definition_id: number
  level: string
}

export interface FieldValueTable {
  definition_id: number
  owner_id: number
  /** As text in the form of its type; ciphertext for a secret. */
  value: string
  value_folded: string
  value_number: number | null
  updated_at: number
  updated_by: string | null
}

export interface FieldHistoryTable {
  id: Generated<number>
  definition_id: number
  owner_id: number
  before: string | null
  after: string | null
  at: number
  changed_by: string | null
}

export interface SavedViewTable extends Stamped {
  id: Generated<number>
  account_id: number
  list: string
  name: string
  query: string
  shared: Bit
}

export interface ListPreferenceTable {
  account_id: number
  list: string
  columns: string
}

export interface ImportMappingTable {
  account_id: number
  entity: string
  header: string
  mapping: string
  used_at: number
}

export interface Schema {
  host_parent: HostParentTable
  monitoring_model: MonitoringModelTable
  monitoring_model_version: MonitoringModelVersionTable
  host_monitoring_model: HostMonitoringModelTable
  credential: CredentialTable
  field_group: FieldGroupTable
  field_definition: FieldDefinitionTable
  field_privilege: FieldPrivilegeTable
  field_privilege_override: FieldPrivilegeOverrideTable
  field_value: FieldValueTable
  field_history: FieldHistoryTable
  saved_view: SavedViewTable
  list_preference: ListPreferenceTable
  import_mapping: ImportMappingTable
  setting: SettingTable
  account: AccountTable
  account_claim: AccountClaimTable
  user_group: UserGroupTable
  user_group_claim: UserGroupClaimTable
  user_group_member: UserGroupMemberTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  api_token: ApiTokenTable
  audit: AuditTable
  login_failure: LoginFailureTable
  site_type: NamedTypeTable
  host_type: NamedTypeTable
  host_model: HostModelTable
  site: SiteTable
  host: HostTable
  probe: ProbeTable
  probe_code: ProbeCodeTable
  scanner: ScannerTable
  metric: MetricTable
  metric_state: MetricStateTable
  incident: IncidentTable
  outbox: OutboxTable
  position: PositionTable
}
