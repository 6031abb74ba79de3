import * as z from 'zod/mini'
import { route } from './route.ts'
import { idParams, idValue, instant, line } from './schema.ts'

/**
 * Credentials by which checks speak to equipment. They belong to a site, a host or a monitoring model, and hosts inherit
 * them: host, then its monitoring models in order, then its site, then the sites above. Secrets are written, never read.
 */
export const CREDENTIAL_KINDS = ['snmp', 'http', 'sql', 'ldap', 'mail'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]
/** Who may own credentials, the nearest to a host first. */
export const CREDENTIAL_OWNERS = ['host', 'model', 'site'] as const
export type CredentialOwner = (typeof CREDENTIAL_OWNERS)[number]

export const SNMP_VERSIONS = ['v1', 'v2c', 'v3'] as const
export const SNMP_AUTH_PROTOCOLS = ['none', 'MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512'] as const
export const SNMP_PRIV_PROTOCOLS = ['none', 'DES', 'AES128', 'AES192', 'AES256'] as const
/** Shortest password of SNMPv3 (RFC 3414, 11.2). */
export const SNMP_PASSWORD_MIN = 8
const SECRET_MAX = 255
/** Kinds that are a user name and a password. */
export const LOGIN_KINDS = ['http', 'sql', 'ldap', 'mail'] as const satisfies readonly CredentialKind[]
export type LoginKind = (typeof LOGIN_KINDS)[number]

const CONTROL = /^[^\p{Cc}]*$/u
const NO_CONTROL = 'Les caractères de contrôle ne sont pas acceptés'
/** Never trimmed: spaces may be part of a secret. Left out: the stored one is kept; null: it is removed. */
const secret = (minLength: number) =>
  z.optional(
    z.nullable(z.string().check(z.minLength(minLength), z.maxLength(SECRET_MAX), z.regex(CONTROL, NO_CONTROL))),
  )

const snmpSettings = {
  version: z.enum(SNMP_VERSIONS),
  port: z._default(z.int().check(z.minimum(1), z.maximum(65_535)), 161),
  user: z._default(line(64), ''),
  authProtocol: z._default(z.enum(SNMP_AUTH_PROTOCOLS), 'none'),
  privProtocol: z._default(z.enum(SNMP_PRIV_PROTOCOLS), 'none'),
  contextName: z._default(line(64), ''),
}
const username = z.string().check(z.minLength(1), z.maxLength(255), z.regex(CONTROL, NO_CONTROL))
/** Basic authentication ends the name at the first colon. */
const httpUsername = username.check(z.regex(/^[^:]*$/u, 'Un nom d’utilisateur ne peut contenir « : »'))

/** Names of the secrets of each kind: fields of its settings that never come back. */
export const CREDENTIAL_SECRETS = {
  snmp: ['community', 'authPassword', 'privPassword'],
  http: ['password'],
  sql: ['password'],
  ldap: ['password'],
  mail: ['password'],
} as const satisfies Record<CredentialKind, readonly string[]>

export const snmpCredentialInput = z
  .strictObject({
    ...snmpSettings,
    community: secret(1),
    authPassword: secret(SNMP_PASSWORD_MIN),
    privPassword: secret(SNMP_PASSWORD_MIN),
  })
  .check(
    z.refine(({ version, user }) => version !== 'v3' || user !== '', {
      error: 'SNMPv3 demande un nom d’utilisateur',
      path: ['user'],
    }),
    z.refine(
      ({ version, authProtocol, privProtocol }) =>
        version !== 'v3' || privProtocol === 'none' || authProtocol !== 'none',
      { error: 'Le chiffrement demande une authentification', path: ['authProtocol'] },
    ),
  )
const httpCredentialInput = z.strictObject({ username: httpUsername, password: secret(1) })
const loginCredentialInput = z.strictObject({ username, password: secret(1) })
/** What is sent of a user name and a password, by kind. */
export const LOGIN_INPUTS = {
  http: httpCredentialInput,
  sql: loginCredentialInput,
  ldap: loginCredentialInput,
  mail: loginCredentialInput,
} as const satisfies Record<LoginKind, typeof loginCredentialInput>
export type SnmpCredentialInput = z.output<typeof snmpCredentialInput>

/** The secrets that a credential can not do without, as its settings are. */
export const neededSecrets = (credential: CredentialBody): readonly string[] => {
  if (credential.kind !== 'snmp') return CREDENTIAL_SECRETS[credential.kind]
  const { version, authProtocol, privProtocol } = credential.settings
  if (version !== 'v3') return ['community']
  return [...(authProtocol === 'none' ? [] : ['authPassword']), ...(privProtocol === 'none' ? [] : ['privPassword'])]
}

/** Version on which a change is based; null: none was there; left out: whatever is there is replaced. */
const basedOn = { updatedAt: z.optional(z.nullable(instant)) }
export const credentialBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('http'), settings: httpCredentialInput, ...basedOn }),
  z.strictObject({ kind: z.enum(['sql', 'ldap', 'mail']), settings: loginCredentialInput, ...basedOn }),
  z.strictObject({ kind: z.literal('snmp'), settings: snmpCredentialInput, ...basedOn }),
])
export type CredentialBody = z.output<typeof credentialBody>

const stored = {
  updatedAt: instant,
  updatedBy: z.nullable(z.string()),
  /** The key of its secrets is missing or is not the right one: checks that need it are not started. */
  unreadable: z.boolean(),
}
const snmpCredential = z.object({
  settings: z.object(snmpSettings),
  secrets: z.object({ community: z.boolean(), authPassword: z.boolean(), privPassword: z.boolean() }),
  ...stored,
})
const loginCredential = z.object({
  settings: z.object({ username: z.string() }),
  secrets: z.object({ password: z.boolean() }),
  ...stored,
})
export const credentialOrigin = z.object({ kind: z.enum(CREDENTIAL_OWNERS), id: idValue, name: z.string() })
export type CredentialOrigin = z.output<typeof credentialOrigin>

const loginState = z.object({
  own: z.nullable(loginCredential),
  effective: z.nullable(z.object({ ...loginCredential.shape, origin: credentialOrigin })),
})
/** What an owner has of its own, and what is in force there with where it comes from. */
export const credentials = z.object({
  snmp: z.object({
    own: z.nullable(snmpCredential),
    effective: z.nullable(z.object({ ...snmpCredential.shape, origin: credentialOrigin })),
  }),
  http: loginState,
  sql: loginState,
  ldap: loginState,
  mail: loginState,
})
export type Credentials = z.output<typeof credentials>

/** What a rotation did: secrets sealed again, those that no known key opens, keys taken away. */
export const rotationReply = z.object({ resealed: z.int(), unreadable: z.int(), dropped: z.int() })
export type RotationReply = z.output<typeof rotationReply>

const kindQuery = z.object({ kind: z.enum(CREDENTIAL_KINDS) })
const routesOf = <P extends 'Site' | 'Host' | 'Model'>(owner: P, access: 'site_write' | 'host_write', of: string) =>
  ({
    get: route({
      method: 'GET',
      path: `/api/Credential/${owner}/:id`,
      access,
      summary: `Les identifiants ${of}, sans leurs secrets`,
      params: idParams,
      reply: credentials,
    }),
    update: route({
      method: 'PUT',
      path: `/api/Credential/${owner}/:id`,
      access,
      summary: `Donner ou modifier un identifiant ${of}`,
      params: idParams,
      body: credentialBody,
      reply: credentials,
    }),
    delete: route({
      method: 'DELETE',
      path: `/api/Credential/${owner}/:id`,
      access,
      summary: `Supprimer un identifiant ${of} : l’héritage reprend`,
      params: idParams,
      query: kindQuery,
      reply: credentials,
    }),
  }) as const

const ofSite = routesOf('Site', 'site_write', 'd’un site')
const ofHost = routesOf('Host', 'host_write', 'd’un équipement')
const ofModel = routesOf('Model', 'host_write', 'd’un modèle de supervision')
/** The routes of each owner. */
export const CREDENTIAL_ROUTES = { site: ofSite, host: ofHost, model: ofModel } as const

export const credentialRoutes = {
  siteGet: ofSite.get,
  siteUpdate: ofSite.update,
  siteDelete: ofSite.delete,
  hostGet: ofHost.get,
  hostUpdate: ofHost.update,
  hostDelete: ofHost.delete,
  modelGet: ofModel.get,
  modelUpdate: ofModel.update,
  modelDelete: ofModel.delete,
  rotate: route({
    method: 'POST',
    path: '/api/Credential/Rotate',
    access: 'admin',
    rate: 'heavy',
    summary: 'Changer la clé des secrets et chiffrer de nouveau tous les secrets',
    reply: rotationReply,
  }),
} as const
