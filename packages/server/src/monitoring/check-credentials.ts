import {
  CHECK_KINDS,
  type CheckCredential,
  CREDENTIAL_KINDS,
  type CredentialKind,
  checkCredential,
  credentialOf,
} from '@narval/contracts'
import type { SecretBox } from '../secret-box.ts'
import type { Db } from '../store/database.ts'
import { type CredentialRow, type Inheritance, openSecrets, readInheritance } from '../store/effective-credentials.ts'

/** What a check is given to show to its target, and what stands for it where a configuration is compared. */
export interface GivenCredential {
  readonly credential: CheckCredential
  /** Changes whenever the credential does, and tells nothing of it. */
  readonly mark: string
}

interface Asking {
  readonly kind: string
  readonly host_id: number
  readonly site_id: number
}
type Find = (scanner: Asking, parameters: Readonly<Record<string, unknown>>) => GivenCredential | null

/** The kind of credentials that a scanner asks for. */
const asked = (kind: string, parameters: Readonly<Record<string, unknown>>): CredentialKind | null => {
  const known = CHECK_KINDS.find(one => one === kind)
  return known === undefined ? null : credentialOf(known, parameters)
}

/** Finds the credentials that scanners ask for; null for those that ask for none. Reads nothing until one does. */
export const createCheckCredentials = async (
  db: Db,
  secrets: SecretBox,
  scanners: readonly { readonly kind: string; readonly parameters: string }[],
): Promise<Find> => {
  const wanted = new Set(scanners.map(scanner => asked(scanner.kind, JSON.parse(scanner.parameters))))
  const inForce = new Map<CredentialKind, Inheritance>()
  for (const kind of CREDENTIAL_KINDS) if (wanted.has(kind)) inForce.set(kind, await readInheritance(db, kind))
  // What a site gives to all its hosts is opened once.
  const opened = new Map<CredentialRow, GivenCredential>()
  return (scanner, parameters) => {
    const kind = asked(scanner.kind, parameters)
    if (kind === null) return null
    const row = inForce.get(kind)?.(scanner.host_id, scanner.site_id) ?? null
    if (row === null) return { credential: { kind: 'none', reason: 'missing' }, mark: 'missing' }
    const known = opened.get(row) ?? given(secrets, row)
    opened.set(row, known)
    return known
  }
}

/** What equipment of a site is shown that is no host yet: the credential in force there. */
export const siteCredential = async (
  db: Db,
  secrets: SecretBox,
  kind: CredentialKind,
  siteId: number,
): Promise<CheckCredential> => {
  // No host has this id: what counts is what the sites say.
  const row = (await readInheritance(db, kind))(0, siteId)
  return row === null ? { kind: 'none', reason: 'missing' } : given(secrets, row).credential
}

/** What a host is shown in an attempt that is no check. */
export const hostCredential = async (
  db: Db,
  secrets: SecretBox,
  kind: CredentialKind,
  host: { readonly id: number; readonly siteId: number },
): Promise<CheckCredential> => {
  const row = (await readInheritance(db, kind))(host.id, host.siteId)
  return row === null ? { kind: 'none', reason: 'missing' } : given(secrets, row).credential
}

const given = (secrets: SecretBox, row: CredentialRow): GivenCredential => {
  const secret = openSecrets(secrets, row)
  const settings: Readonly<Record<string, unknown>> = JSON.parse(row.settings)
  const parsed = checkCredential.safeParse({
    ...EMPTY[row.kind === 'snmp' ? 'snmp' : 'login'],
    ...settings,
    ...secret,
    kind: row.kind,
  })
  if (secret === null || !parsed.success)
    return { credential: { kind: 'none', reason: 'unreadable' }, mark: 'unreadable' }
  return { credential: parsed.data, mark: `${row.id} ${row.updated_at}` }
}

/** What a credential does not say: a community in v3, passwords in v1. A login without its password is no login. */
const EMPTY = { snmp: { community: '', authPassword: '', privPassword: '' }, login: {} } as const
