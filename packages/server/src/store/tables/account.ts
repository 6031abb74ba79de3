import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface AccountTable extends Stamped {
  id: Generated<number>
  login: string
  login_folded: string
  first_name: string
  last_name: string
  name_folded: string
  email: string
  /** E.164; '' when unknown. */
  phone: Generated<string>
  avatar: string
  password_hash: string
  first_connection: Bit
  enabled: Bit
  theme: string
  home_page: string
  density: Generated<string>
  last_login_at: number | null
  password_changed_at: number | null
  /** A generated password is refused from then on; null for one that its owner chose. */
  password_expires_at: number | null
  /** Notifications up to this id were read. */
  notifications_through: number
  /** Comments up to this id were read. */
  comments_through: Generated<number>
}

interface AccountClaimTable {
  account_id: number
  claim: string
}

interface UserGroupTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  description: string
  /** Its rights, and what its members read, are limited to its sites and those under them. */
  limited: Generated<Bit>
}

interface UserGroupClaimTable {
  group_id: number
  claim: string
}

interface UserGroupMemberTable {
  group_id: number
  account_id: number
}

interface UserGroupSiteTable {
  group_id: number
  site_id: number
}

/** As it was written; compared folded. */
interface UserGroupTagTable {
  group_id: number
  tag: string
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

interface RefreshTokenTable {
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

interface SecondFactorTable {
  account_id: number
  /** Base32, sealed. */
  secret: string
  /** Null until a first code has shown that the application has it: nothing is asked for before. */
  confirmed_at: number | null
  /** The 30 s of the last code that was taken: none of them, or of those before, is taken again. */
  last_step: Generated<number>
  created_at: number
}

interface RecoveryCodeTable {
  /** SHA-256 of account and code, in hex. */
  hash: string
  account_id: number
  used_at: number | null
}

interface LoginChallengeTable {
  /** SHA-256 of what the code has to come with, in hex. */
  hash: string
  account_id: number
  uuid: string
  /** The device fields of the login request (spec §3) as JSON. */
  device: string
  /** SHA-256 of the password's hash: another password ends what this one began. */
  password: string
  tries: Generated<number>
  expires_at: number
}

/** One's own picture, as the server has encoded it. */
interface AccountPictureTable {
  account_id: number
  /** 32 random hex digits: its address, which nobody can guess. */
  name: string
  png: Uint8Array
}

interface LoginFailureTable {
  /** What is counted: see `login-throttle.ts`. */
  key: string
  failures: number
  last_at: number
  blocked_until: number
}

export interface AccountTables {
  account: AccountTable
  account_claim: AccountClaimTable
  user_group: UserGroupTable
  user_group_claim: UserGroupClaimTable
  user_group_member: UserGroupMemberTable
  user_group_site: UserGroupSiteTable
  user_group_tag: UserGroupTagTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  api_token: ApiTokenTable
  login_failure: LoginFailureTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  login_challenge: LoginChallengeTable
  account_picture: AccountPictureTable
}
