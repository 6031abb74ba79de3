import * as z from 'zod/mini'
import { DEFAULT_WEBHOOK_BODY, templateFault } from './message-template.ts'
import { line, paragraph, requiredLine } from './schema.ts'

/** Ways to reach people. Each has its settings here, its sender in the server and its form in the console. */
export const CHANNEL_KINDS = ['email', 'webhook', 'slack', 'mattermost', 'teams', 'ntfy', 'sms'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Kinds that write to an address of each person; the others write to one place of their own. */
export const PERSONAL_KINDS = ['email', 'sms'] as const satisfies readonly ChannelKind[]
export const isPersonal = (kind: ChannelKind): boolean => PERSONAL_KINDS.some(one => one === kind)

/** Names of the secrets of each kind: fields of its settings that never come back. Addresses of chats hold a token. */
export const CHANNEL_SECRETS = {
  email: ['password'],
  webhook: ['authorization', 'signingKey'],
  slack: ['url'],
  mattermost: ['url'],
  teams: ['url'],
  ntfy: ['token'],
  sms: ['authorization', 'secret'],
} as const satisfies Record<ChannelKind, readonly string[]>

export const MAIL_SECURITIES = ['starttls', 'tls', 'none'] as const
export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH'] as const
export const SMS_METHODS = ['POST', 'GET'] as const
export const SMS_FORMATS = ['json', 'form'] as const
/** ntfy's: 1 is the lowest, 5 the most urgent. */
const ntfyPriority = z.int().check(z.minimum(1), z.maximum(5))

const SECRET_MAX = 2_000
const CONTROL = /^[^\p{Cc}]*$/u
const NO_CONTROL = 'Les caractères de contrôle ne sont pas acceptés'
/** Never trimmed. Left out: the stored one is kept; null: it is removed. */
const secret = z.optional(
  z.nullable(z.string().check(z.minLength(1), z.maxLength(SECRET_MAX), z.regex(CONTROL, NO_CONTROL))),
)

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}
const hasNoLogin = (text: string): boolean => {
  const url = URL.parse(text)
  return url === null || (url.username === '' && url.password === '')
}
const webAddress = requiredLine(1_000).check(
  z.refine(isWebAddress, 'Une adresse http:// ou https:// est attendue'),
  z.refine(hasNoLogin, 'Une adresse ne porte ni nom ni mot de passe\u202f: donnez-les dans leur champ'),
)
const secretAddress = z.optional(z.nullable(webAddress))
const mail = z.email('Une adresse e-mail est attendue').check(z.maxLength(254))

/** E.164: +33612345678. */
export const PHONE = /^\+[1-9]\d{6,14}$/
export const PHONE_WRONG = 'Un numéro au format international est attendu\u202f: +33612345678'
export const phone = z.union([z.literal(''), z.string().check(z.regex(PHONE, PHONE_WRONG))])
const phoneNumber = z.string().check(z.regex(PHONE, PHONE_WRONG))

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Those by which a request is cut, routed or signed are ours alone. */
const OWN_HEADERS =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|authorization|proxy-.*|cookie|idempotency-key|x-narval-.*)$/i
const header = z.object({
  name: requiredLine(100).check(
    z.regex(TOKEN, 'Un nom d’en-tête ne porte que des lettres, des chiffres et des tirets'),
    z.refine(name => !OWN_HEADERS.test(name), 'Cet en-tête est écrit par Narval'),
  ),
  value: line(1_000).check(z.regex(/^[\x20-\x7e]*$/, 'Une valeur d’en-tête ne porte que des caractères ASCII')),
})
const headers = z._default(z.array(header).check(z.maxLength(20)), [])

const emailSettings = {
  host: requiredLine(255).check(z.regex(/^[A-Za-z0-9._:-]+$/, 'Un nom de serveur ou une adresse IP est attendu')),
  port: z._default(z.int().check(z.minimum(1), z.maximum(65_535)), 587),
  security: z._default(z.enum(MAIL_SECURITIES), 'starttls'),
  /** False: a server with a certificate of its own making is trusted. */
  checkCertificate: z._default(z.boolean(), true),
  user: z._default(line(255), ''),
  from: mail,
  fromName: z._default(line(100), 'Narval'),
  replyTo: z._default(z.union([z.literal(''), mail]), ''),
  /** Written to when a rule names the channel and no person. */
  to: z._default(z.array(mail).check(z.maxLength(20)), []),
}
const jsonTemplate = paragraph(20_000).check(
  z.check<string>(payload => {
    const fault = templateFault(payload.value)
    if (fault !== null) payload.issues.push({ code: 'custom', message: fault, input: payload.value })
  }),
)
const webhookSettings = {
  url: webAddress,
  method: z._default(z.enum(WEBHOOK_METHODS), 'POST'),
  headers,
  /** JSON with `{{…}}` placeholders, see `WEBHOOK_PLACEHOLDERS`. */
  body: z._default(jsonTemplate, DEFAULT_WEBHOOK_BODY),
}
const ntfySettings = {
  server: z._default(webAddress, 'https://ntfy.sh'),
  topic: requiredLine(64).check(z.regex(/^[-_A-Za-z0-9]+$/, 'Lettres, chiffres, tirets et soulignés seulement')),
  priorities: z._default(
    z.object({ error: ntfyPriority, warning: ntfyPriority, unknown: ntfyPriority, ok: ntfyPriority }),
    { error: 5, warning: 4, unknown: 3, ok: 3 },
  ),
  tags: z._default(z.array(requiredLine(40).check(z.regex(/^[^,]*$/, 'Pas de virgule'))).check(z.maxLength(5)), []),
}
const smsSettings = {
  url: requiredLine(1_000).check(
    z.refine(text => isWebAddress(text.replaceAll(/\{(number|text|secret)\}/g, 'x')), {
      error: 'Une adresse http:// ou https:// est attendue',
    }),
    z.refine(hasNoLogin, 'Une adresse ne porte ni nom ni mot de passe\u202f: donnez-les dans leur champ'),
    z.refine(text => /^https?:\/\/[^/?#{]+(?:[/?#]|$)/.test(text), {
      error: 'Le serveur ne peut pas dépendre du message\u202f: les repères viennent après lui',
    }),
  ),
  method: z._default(z.enum(SMS_METHODS), 'POST'),
  headers,
  format: z._default(z.enum(SMS_FORMATS), 'json'),
  /** Sent by POST, with {number}, {text} and {secret}. */
  body: z._default(paragraph(5_000), '{"to": "{number}", "message": "{text}"}'),
  /** A message is cut to so many SMS. */
  parts: z._default(z.int().check(z.minimum(1), z.maximum(5)), 2),
  /** Written to when a rule names the channel and no person. */
  to: z._default(z.array(phoneNumber).check(z.maxLength(20)), []),
}
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
const smsBody = z.refine<{ method: string; format: string; body: string }>(
  ({ method, format, body }) => method === 'GET' || format !== 'json' || isJson(body),
  { error: 'Le corps n’est pas du JSON\u202f: les repères {…} se mettent entre guillemets', path: ['body'] },
)
const mattermostSettings = { channel: z._default(line(100), ''), username: z._default(line(100), 'Narval') }

/** Settings of each kind, as they come back: without secrets. */
export const CHANNEL_SETTINGS = {
  email: z.object(emailSettings),
  webhook: z.object(webhookSettings),
  slack: z.object({}),
  mattermost: z.object(mattermostSettings),
  teams: z.object({}),
  ntfy: z.object(ntfySettings),
  sms: z.object(smsSettings),
} as const satisfies Record<ChannelKind, z.ZodMiniType>
export type ChannelSettings<K extends ChannelKind = ChannelKind> = z.output<(typeof CHANNEL_SETTINGS)[K]>

/** Settings as they are sent: with secrets. */
export const CHANNEL_INPUTS = {
  email: z.strictObject({ ...emailSettings, password: secret }),
  webhook: z.strictObject({ ...webhookSettings, authorization: secret, signingKey: secret }),
  slack: z.strictObject({ url: secretAddress }),
  mattermost: z.strictObject({ ...mattermostSettings, url: secretAddress }),
  teams: z.strictObject({ url: secretAddress }),
  ntfy: z.strictObject({ ...ntfySettings, token: secret }),
  sms: z.strictObject({ ...smsSettings, authorization: secret, secret }).check(smsBody),
} as const satisfies Record<ChannelKind, z.ZodMiniType>

/** What a channel is sent to, of which it can't do without: the address of a chat. */
export const neededChannelSecrets = (kind: ChannelKind): readonly string[] =>
  kind === 'slack' || kind === 'mattermost' || kind === 'teams' ? ['url'] : []
