import type { CheckCredential } from '@narval/contracts'
import type { SecretBox } from '../../secret-box.ts'
import type { Db } from '../../store/database.ts'
import { type CredentialRow, openSecrets, readInheritance } from '../../store/effective-credentials.ts'

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

const asks = (kind: string, parameters: Readonly<Record<string, unknown>>): boolean =>
  kind === 'http' && parameters.authentication === 'host'

/** Finds the credentials that scanners ask for; null for those that ask for none. Reads nothing until one does. */
export const createCheckCredentials = async (
  db: Db,
  secrets: SecretBox,
  scanners: readonly { readonly kind: string; readonly parameters: string }[],
): Promise<Find> => {
  if (!scanners.some(scanner => asks(scanner.kind, JSON.parse(scanner.parameters)))) return () => null
  const inForce = await readInheritance(db, 'http')
  // What a site gives to all its hosts is opened once.
  const opened = new Map<CredentialRow | null, GivenCredential>()
  return (scanner, parameters) => {
    if (!asks(scanner.kind, parameters)) return null
    const row = inForce(scanner.host_id, scanner.site_id)
    const known = opened.get(row) ?? given(secrets, row)
    opened.set(row, known)
    return known
  }
}

const given = (secrets: SecretBox, row: CredentialRow | null): GivenCredential => {
  if (row === null) return { credential: { kind: 'none', reason: 'missing' }, mark: 'missing' }
  const password = openSecrets(secrets, row)?.password
  if (password === undefined) return { credential: { kind: 'none', reason: 'unreadable' }, mark: 'unreadable' }
  const { username }: { username: string } = JSON.parse(row.settings)
  return { credential: { kind: 'http', username, password }, mark: `${row.id} ${row.updated_at}` }
}
