import {
  CREDENTIAL_KINDS,
  CREDENTIAL_SECRETS,
  type CredentialBody,
  type CredentialKind,
  type CredentialOrigin,
  type Credentials,
  credentials,
} from '@narval/contracts'
import type { SecretBox } from '../../secret-box.ts'
import { type CredentialRow, openSecrets } from '../../store/effective-credentials.ts'
import { toIso } from '../../store/time.ts'

/** What is told of a credential: its settings, which secrets there are, never what they are. */
const shown = (box: SecretBox, row: CredentialRow, kind: CredentialKind) => {
  const secrets = openSecrets(box, row)
  const isThere = (name: string): boolean => secrets !== null && name in secrets
  return {
    settings: JSON.parse(row.settings),
    secrets: Object.fromEntries(CREDENTIAL_SECRETS[kind].map(name => [name, isThere(name)])),
    unreadable: secrets === null,
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }
}

/** What an owner has and what is in force there; `owners` begins with itself. */
export const toCredentials = (
  box: SecretBox,
  owners: readonly CredentialOrigin[],
  rows: readonly CredentialRow[],
): Credentials => {
  const rowOf = (owner: CredentialOrigin | undefined, kind: CredentialKind) =>
    rows.find(row => row.kind === kind && row.owner_kind === owner?.kind && row.owner_id === owner.id)
  const entries = CREDENTIAL_KINDS.map(kind => {
    const own = rowOf(owners[0], kind)
    const origin = owners.find(owner => rowOf(owner, kind) !== undefined)
    const row = rowOf(origin, kind)
    return [
      kind,
      {
        own: own === undefined ? null : shown(box, own, kind),
        effective: row === undefined ? null : { ...shown(box, row, kind), origin },
      },
    ]
  })
  return credentials.parse(Object.fromEntries(entries))
}

export interface Merged {
  /** What is no secret, as it is kept and audited. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  /** Names of the secrets that were given, and of those taken away. */
  readonly given: readonly string[]
  readonly removed: readonly string[]
}

/** Separates what was sent from its secrets: one left out stays as it was, null removes it. */
export const mergeSecrets = (body: CredentialBody, before: Readonly<Record<string, string>>): Merged => {
  const sent = new Map<string, unknown>(Object.entries(body.settings))
  const secrets = new Map(Object.entries(before))
  const given: string[] = []
  const removed: string[] = []
  for (const name of CREDENTIAL_SECRETS[body.kind]) {
    const value = sent.get(name)
    sent.delete(name)
    if (typeof value === 'string') {
      secrets.set(name, value)
      given.push(name)
    } else if (value === null && secrets.delete(name)) removed.push(name)
  }
  return { settings: Object.fromEntries(sent), secrets: Object.fromEntries(secrets), given, removed }
}
