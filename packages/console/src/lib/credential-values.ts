import {
  type CredentialKind,
  type Credentials,
  LOGIN_INPUTS,
  type LoginKind,
  SNMP_VERSIONS,
  snmpCredentialInput,
} from '@narval/contracts'
import * as z from 'zod/mini'
import { ApiError } from './http.ts'

type SnmpValues = z.input<typeof snmpCredentialInput>
type LoginValues = z.input<(typeof LOGIN_INPUTS)[LoginKind]>

/** A field left empty keeps the secret that is stored. */
const kept = (secret: string | null | undefined): string | null | undefined => (secret === '' ? undefined : secret)

/** What a version has no use for is taken away, its secrets too. */
const relevant = (values: SnmpValues): SnmpValues => {
  const { version, community, authPassword, privPassword, authProtocol, privProtocol } = values
  if (version !== 'v3')
    return {
      version,
      port: values.port,
      community: kept(community),
      authPassword: null,
      privPassword: null,
    }
  return {
    ...values,
    community: null,
    authPassword: authProtocol === 'none' ? null : kept(authPassword),
    privPassword: privProtocol === 'none' ? null : kept(privPassword),
  }
}

/** Forms of each kind, which send what the API's own schemas accept. */
export const snmpForm = z.pipe(z.transform(relevant), snmpCredentialInput)
const loginForm = (kind: LoginKind) =>
  z.pipe(
    z.transform((values: LoginValues): LoginValues => ({ ...values, password: kept(values.password) })),
    LOGIN_INPUTS[kind],
  )
export const LOGIN_FORMS = {
  http: loginForm('http'),
  sql: loginForm('sql'),
  ldap: loginForm('ldap'),
  mail: loginForm('mail'),
} as const satisfies Record<LoginKind, unknown>

type Stored<K extends CredentialKind> = NonNullable<Credentials[K]['own']>

/** What a form begins with: its own settings, else the inherited ones; never a secret. */
export const snmpValues = (stored: Pick<Stored<'snmp'>, 'settings'> | null): SnmpValues => ({
  ...(stored?.settings ?? {
    version: SNMP_VERSIONS[1],
    port: 161,
    user: '',
    authProtocol: 'none',
    privProtocol: 'none',
    contextName: '',
  }),
  community: '',
  authPassword: '',
  privPassword: '',
})
export const loginValues = (stored: Pick<Stored<LoginKind>, 'settings'> | null): LoginValues => ({
  username: stored?.settings.username ?? '',
  password: '',
})

/** The server names the fields of its body, whose settings are the whole form. */
export const ofForm = (error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.problem.fields === undefined) return error
  const fields = Object.entries(error.problem.fields).map(([path, text]) => [path.replace(/^settings\./, ''), text])
  return new ApiError(error.status, error.statusText, { ...error.problem, fields: Object.fromEntries(fields) })
}
