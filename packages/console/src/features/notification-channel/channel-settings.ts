import { type ChannelKind, MAIL_SECURITIES, SMS_FORMATS, SMS_METHODS, WEBHOOK_METHODS } from '@narval/contracts'
import { fr } from './fr.ts'

const { fields, help, sections } = fr

interface SettingWords {
  /** Path within the settings. */
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly required?: boolean
  readonly placeholder?: string
  /** Takes the whole width of its section. */
  readonly wide?: boolean
  /** What a GET has no use for. */
  readonly unlessGet?: boolean
}

type SettingSort =
  | { readonly sort: 'text'; readonly type?: 'email' | 'url' }
  | { readonly sort: 'choice'; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly sort: 'paragraph' | 'number' | 'switch' | 'tags' | 'secret' }
  | { readonly sort: 'headers' }

/** How one setting of a channel is asked for. */
export type Setting = SettingWords & SettingSort

export interface SettingSection {
  readonly title: string
  readonly help?: string
  /** Says beside it what a template may name. */
  readonly template?: boolean
  readonly settings: readonly Setting[]
}

const choices = (values: readonly string[], labels?: Readonly<Record<string, string>>) =>
  values.map(value => ({ value, label: labels?.[value] ?? value }))

const ADDRESS: Setting = { sort: 'text', name: 'url', label: fields.url, type: 'url', required: true, wide: true }
const HEADERS: Setting = { sort: 'headers', name: 'headers', label: fields.headers, wide: true }

const method = (methods: readonly string[]): Setting => ({
  sort: 'choice',
  name: 'method',
  label: fields.method,
  choices: choices(methods),
})
/** What proves to an HTTP server who calls. */
const authentication = (own: Setting): SettingSection => ({
  title: sections.security,
  help: sections.securityHelp,
  settings: [{ sort: 'secret', name: 'authorization', label: fields.authorization, help: help.authorization }, own],
})
/** Who is told when a rule names nobody. */
const target = (label: string, placeholder?: string): SettingSection => ({
  title: sections.target,
  help: sections.targetHelp,
  settings: [{ sort: 'tags', name: 'to', label, help: help.to, placeholder, wide: true }],
})
const chat = (...more: readonly Setting[]): readonly SettingSection[] => [
  {
    title: sections.call,
    help: sections.securityHelp,
    settings: [
      { sort: 'secret', name: 'url', label: fields.webhookUrl, help: help.chatUrl, required: true, wide: true },
      ...more,
    ],
  },
]

const EMAIL: readonly SettingSection[] = [
  {
    title: sections.server,
    help: sections.securityHelp,
    settings: [
      { sort: 'text', name: 'host', label: fields.host, placeholder: 'smtp.exemple.fr', required: true },
      { sort: 'number', name: 'port', label: fields.port },
      { sort: 'choice', name: 'security', label: fields.security, choices: choices(MAIL_SECURITIES, fr.securities) },
      { sort: 'text', name: 'user', label: fields.user, help: help.user },
      { sort: 'secret', name: 'password', label: fields.password },
      {
        sort: 'switch',
        name: 'checkCertificate',
        label: fields.checkCertificate,
        help: help.checkCertificate,
        wide: true,
      },
    ],
  },
  {
    title: sections.sender,
    settings: [
      { sort: 'text', name: 'from', label: fields.from, type: 'email', required: true },
      { sort: 'text', name: 'fromName', label: fields.fromName },
      { sort: 'text', name: 'replyTo', label: fields.replyTo, help: help.replyTo, type: 'email' },
    ],
  },
  target(fields.toMail),
]

const WEBHOOK: readonly SettingSection[] = [
  { title: sections.call, settings: [ADDRESS, method(WEBHOOK_METHODS), HEADERS] },
  {
    title: sections.body,
    template: true,
    settings: [{ sort: 'paragraph', name: 'body', label: fields.body, required: true, wide: true }],
  },
  authentication({ sort: 'secret', name: 'signingKey', label: fields.signingKey, help: help.signingKey }),
]

const NTFY: readonly SettingSection[] = [
  {
    title: sections.call,
    help: sections.securityHelp,
    settings: [
      { sort: 'text', name: 'server', label: fields.server, type: 'url', required: true },
      { sort: 'text', name: 'topic', label: fields.topic, help: help.topic, required: true },
      { sort: 'secret', name: 'token', label: fields.token },
      { sort: 'tags', name: 'tags', label: fields.tags },
    ],
  },
  {
    title: sections.priorities,
    help: help.priorities,
    settings: (['error', 'warning', 'unknown', 'ok'] as const).map(severity => ({
      sort: 'number',
      name: `priorities.${severity}`,
      label: fields.priority[severity],
    })),
  },
]

const SMS: readonly SettingSection[] = [
  {
    title: sections.call,
    settings: [
      { ...ADDRESS, help: help.smsUrl },
      method(SMS_METHODS),
      { sort: 'number', name: 'parts', label: fields.parts, help: help.parts },
      {
        sort: 'choice',
        name: 'format',
        label: fields.format,
        choices: choices(SMS_FORMATS, fr.formats),
        unlessGet: true,
      },
      {
        sort: 'paragraph',
        name: 'body',
        label: fields.smsBody,
        help: help.smsBody,
        wide: true,
        unlessGet: true,
      },
      HEADERS,
    ],
  },
  authentication({ sort: 'secret', name: 'secret', label: fields.secret, help: help.smsSecret }),
  target(fields.toPhone, '+33612345678'),
]

/** What is asked for a channel of each kind, in the order of the form. */
export const CHANNEL_SETTINGS: Readonly<Record<ChannelKind, readonly SettingSection[]>> = {
  email: EMAIL,
  webhook: WEBHOOK,
  slack: chat(),
  mattermost: chat(
    { sort: 'text', name: 'channel', label: fields.channel, help: help.channel },
    { sort: 'text', name: 'username', label: fields.username },
  ),
  teams: chat(),
  ntfy: NTFY,
  sms: SMS,
}
