import * as z from 'zod/mini'
import { phone } from './notification-channel.ts'
import { idValue, line } from './schema.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
/** How much room the rows of lists take. */
export const DENSITIES = ['comfortable', 'compact'] as const
/** File names of the avatars that ship with the console, in its assets' avatar folder. */
export const AVATARS = ['narval', 'phare', 'boussole', 'vague', 'ancre', 'etoile', 'voile', 'corail'] as const
/** Side of one's own picture, in pixels, and the most that it may weigh as it is sent: a PNG. */
export const PICTURE_SIDE = 256
export const PICTURE_MAX_BYTES = 512 * 1_024
/** Where own pictures are shown, beside the assets' avatar folder. */
export const PICTURE_PATH = '/avatar/'
/** The `avatar` of who has a picture of his own: its name there, drawn by lot. */
export const OWN_PICTURE = /^[0-9a-f]{32}$/
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
const avatar = z.enum(AVATARS)

/** Who an account is, and how the console looks to it. */
export const accountShape = {
  idUser: idValue,
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  avatar: z.string(),
  firstConnection: z.boolean(),
  theme: z.enum(THEMES),
  density: z.enum(DENSITIES),
  homePage: z.string(),
}

/** The signed-in user's own account (spec §3): what the shell shows, and the effective claims. */
export const ownAccount = z.object({
  ...accountShape,
  claims: z.array(z.object({ claim: z.string() })),
  /** It reads some sites and hosts only: what is everybody's is not for it to change. */
  limited: z.boolean(),
  /** Claims that it holds in fewer places than it reads, and where: on all that stands on these sites, and on these hosts. */
  limits: z.array(z.object({ claims: z.array(z.string()), siteIds: z.array(idValue), hostIds: z.array(idValue) })),
})
export type OwnAccount = z.output<typeof ownAccount>

/** What an account says of itself, and how the console looks to it. */
export const ownUpdateBody = z.object({
  firstName: z.optional(line(64)),
  lastName: z.optional(line(64)),
  email: z.optional(email),
  /** E.164, to which SMS go; '' takes it away. */
  phone: z.optional(phone),
  avatar: z.optional(avatar),
  theme: z.optional(z.enum(THEMES)),
  density: z.optional(z.enum(DENSITIES)),
  homePage: z.optional(z.enum(HOME_PAGES)),
})
