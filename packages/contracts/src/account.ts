import * as z from 'zod/mini'
import { CLAIMS } from './claims.ts'
import { datatableRoutes } from './datatable.ts'
import { phone } from './notification-channel.ts'
import { PASSWORD_INPUT_MAX } from './password.ts'
import { route } from './route.ts'
import { idParams, idValue, instant, lastUpdate, line, requiredLine } from './schema.ts'

export const claimEntry = z.object({ claim: z.enum(CLAIMS) })
export const THEMES = ['auto', 'light', 'dark'] as const
/** File names of the avatars that ship with the console, in its assets' avatar folder. */
export const AVATARS = ['narval', 'phare', 'boussole', 'vague', 'ancre', 'etoile', 'voile', 'corail'] as const
/** Pages that an account may choose as its home. */
export const HOME_PAGES = [
  '/dashboard/live-view',
  '/dashboard/status-view',
  '/dashboard/host-status',
  '/site',
  '/host',
  '/metric',
] as const

const email = z.union([z.literal(''), z.email('Une adresse e-mail est attendue').check(z.maxLength(254))])
export const loginName = requiredLine(64).check(
  z.regex(/^[\p{L}\p{N}._@-]+$/u, 'Lettres, chiffres et . _ @ - seulement'),
)
const avatar = z.enum(AVATARS)

/** The signed-in user's own account (spec §3): what the shell shows, and the effective claims. */
export const ownAccount = z.object({
  idUser: idValue,
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  avatar: z.string(),
  firstConnection: z.boolean(),
  theme: z.enum(THEMES),
  homePage: z.string(),
  claims: z.array(z.object({ claim: z.string() })),
})
export type OwnAccount = z.output<typeof ownAccount>

/** An account as administrators see it: groups and own claims apart, effective claims beside. */
export const account = z.object({
  idUser: idValue,
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  avatar: z.string(),
  firstConnection: z.boolean(),
  enabled: z.boolean(),
  theme: z.enum(THEMES),
  homePage: z.string(),
  groups: z.array(z.object({ id: idValue, name: z.string() })),
  ownClaims: z.array(z.object({ claim: z.string() })),
  claims: z.array(z.object({ claim: z.string() })),
  lastLoginAt: z.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
  updatedBy: z.nullable(z.string()),
})
export type Account = z.output<typeof account>

const profile = {
  firstName: z.optional(line(64)),
  lastName: z.optional(line(64)),
  email: z.optional(email),
  /** E.164, to which SMS go; '' takes it away. */
  phone: z.optional(phone),
  avatar: z.optional(avatar),
  theme: z.optional(z.enum(THEMES)),
  homePage: z.optional(z.enum(HOME_PAGES)),
}
const groups = z.array(idValue).check(z.maxLength(100))
const claims = z.array(claimEntry).check(z.maxLength(CLAIMS.length * 2))

export const accountCreateBody = z.object({
  login: loginName,
  firstName: z.optional(line(64)),
  lastName: z.optional(line(64)),
  email: z.optional(email),
  phone: z.optional(phone),
  avatar: z.optional(avatar),
  password: z.optional(z.string().check(z.maxLength(PASSWORD_INPUT_MAX))),
  groups: z.optional(groups),
  claims: z.optional(claims),
})
export const ownUpdateBody = z.object(profile)
export const accountUpdateBody = z.object({
  ...profile,
  login: z.optional(loginName),
  enabled: z.optional(z.boolean()),
  groups: z.optional(groups),
  updatedAt: z.optional(instant),
})
export const claimsBody = z.object({ claims })
export const createdAccount = z.object({ ...account.shape, temporaryPassword: z.optional(z.string()) })

export const userGroup = z.object({
  id: idValue,
  name: z.string(),
  description: z.string(),
  claims: z.array(z.object({ claim: z.string() })),
  members: z.int(),
  createdAt: instant,
  updatedAt: instant,
  updatedBy: z.nullable(z.string()),
})

export const accountRow = z.object({
  idUser: idValue,
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  enabled: z.boolean(),
  firstConnection: z.boolean(),
  groups: z.string(),
  lastLoginAt: z.nullable(instant),
})

export const accountRoutes = {
  own: route({
    method: 'GET',
    path: '/api/Account/Get',
    access: 'self',
    summary: 'Son propre compte',
    reply: ownAccount,
  }),
  get: route({
    method: 'GET',
    path: '/api/Account/Get/:id',
    access: 'user_read',
    summary: 'Un compte',
    params: idParams,
    reply: account,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Account/Get/LastUpdate',
    access: 'user_read',
    summary: 'Dernier changement des comptes',
    reply: lastUpdate,
  }),
  create: route({
    method: 'POST',
    path: '/api/Account/Create',
    access: 'user_write',
    summary: 'Créer un compte',
    body: accountCreateBody,
    status: 201,
    reply: createdAccount,
  }),
  ownUpdate: route({
    method: 'PUT',
    path: '/api/Account/Update',
    access: 'user',
    sessionOnly: true,
    summary: 'Modifier son propre compte',
    body: ownUpdateBody,
    reply: ownAccount,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Account/Update/:id',
    access: 'user_write',
    summary: 'Modifier un compte',
    params: idParams,
    body: accountUpdateBody,
    reply: account,
  }),
  passwordReset: route({
    method: 'POST',
    path: '/api/Account/Password/Reset/:id',
    access: 'user_write',
    summary: 'Donner un mot de passe provisoire',
    params: idParams,
    reply: z.object({ temporaryPassword: z.string() }),
  }),
  ownDelete: route({
    method: 'DELETE',
    path: '/api/Account/Delete',
    access: 'user',
    sessionOnly: true,
    summary: 'Supprimer son propre compte',
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Account/Delete/:id',
    access: 'user_write',
    summary: 'Supprimer un compte',
    params: idParams,
  }),
  ownClaims: route({
    method: 'GET',
    path: '/api/Claim/User/Get',
    access: 'self',
    summary: 'Ses propres droits',
    reply: z.array(z.object({ claim: z.string() })),
  }),
  claims: route({
    method: 'GET',
    path: '/api/Claim/User/Get/:id',
    access: 'user_read',
    summary: "Les droits effectifs d'un compte",
    params: idParams,
    reply: z.array(z.object({ claim: z.string() })),
  }),
  allClaims: route({
    method: 'GET',
    path: '/api/Claim/Get',
    access: 'user_read',
    summary: 'Tous les droits',
    reply: z.array(z.object({ claim: z.string(), label: z.string(), description: z.string() })),
  }),
  setClaims: route({
    method: 'PUT',
    path: '/api/Claim/:id',
    access: 'user_write',
    summary: "Remplacer les droits propres d'un compte",
    params: idParams,
    body: claimsBody,
    reply: account,
  }),
  userGroups: route({
    method: 'GET',
    path: '/api/UserGroup/Get',
    access: 'user_group_read',
    summary: "Les groupes d'utilisateurs",
    reply: z.array(userGroup),
  }),
  datatable: datatableRoutes('AccountDatatable', 'user_read', 'Comptes', accountRow),
} as const
