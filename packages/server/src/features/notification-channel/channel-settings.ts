import { CHANNEL_SECRETS, type ChannelBody, type ChannelKind, neededChannelSecrets } from '@narval/contracts'
import { invalid } from '../../http/refusal.ts'

export interface Merged {
  /** What is no secret, as it is kept and audited. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  /** Names of the secrets that were given, and of those taken away. */
  readonly given: readonly string[]
  readonly removed: readonly string[]
}
/** What is stored of a channel; `secrets` null: no known key opens them. */
export interface Before {
  readonly kind: ChannelKind
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>> | null
}

/**
 * Separates what was sent from its secrets: one left out stays as it was, null removes it. A stored secret goes to the
 * place for which it was given and to no other: with another address it has to be given again.
 * @throws what is missing.
 */
export const mergeChannel = (body: Pick<ChannelBody, 'kind' | 'settings'>, before: Before | null): Merged => {
  const sent = new Map<string, unknown>(Object.entries(body.settings))
  const kept = before?.secrets ?? {}
  const secrets = new Map<string, string>()
  const given: string[] = []
  const removed: string[] = []
  const moved: string[] = []
  const names: readonly string[] = CHANNEL_SECRETS[body.kind]
  const settings = Object.fromEntries([...sent].filter(([name]) => !names.includes(name)))
  const hasMoved = before !== null && placeOf(body.kind, settings) !== placeOf(before.kind, before.settings)
  for (const name of names) {
    const value = sent.get(name)
    const stored = kept[name]
    if (typeof value === 'string') {
      secrets.set(name, value)
      given.push(name)
    } else if (value === null) {
      if (stored !== undefined) removed.push(name)
    } else if (stored !== undefined) {
      if (hasMoved) moved.push(name)
      else secrets.set(name, stored)
    }
  }
  requireAll(body, secrets, moved, before !== null && before.secrets === null)
  return { settings, secrets: Object.fromEntries(secrets), given, removed }
}

/** Where a channel's secrets go to. */
const placeOf = (kind: ChannelKind, settings: Readonly<Record<string, unknown>>): string => {
  if (kind === 'email') return `${settings.host}:${settings.port}:${settings.checkCertificate}:${settings.security}`
  if (kind === 'ntfy') return originOf(settings.server)
  if (kind === 'webhook' || kind === 'sms') return originOf(settings.url)
  return kind
}
const originOf = (address: unknown): string => {
  const text = String(address).replaceAll(/\{(number|text|secret)\}/g, 'x')
  return URL.parse(text)?.origin ?? text
}

const MISSING: Readonly<Record<string, string>> = {
  url: 'L’adresse du webhook est attendue',
  password: 'Le mot de passe est attendu',
}

const requireAll = (
  { kind, settings }: Pick<ChannelBody, 'kind' | 'settings'>,
  secrets: ReadonlyMap<string, string>,
  moved: readonly string[],
  unreadable: boolean,
): void => {
  const needed = [...neededChannelSecrets(kind), ...('user' in settings && settings.user !== '' ? ['password'] : [])]
  const missing = needed.filter(name => !secrets.has(name) && !moved.includes(name))
  if (missing.length === 0 && moved.length === 0) return
  const because = unreadable ? '\u202f: celui qui est enregistré est illisible' : ''
  const fields = {
    ...Object.fromEntries(missing.map(name => [`settings.${name}`, `${MISSING[name] ?? 'Champ requis'}${because}`])),
    ...Object.fromEntries(
      moved.map(name => [`settings.${name}`, 'Le destinataire a changé\u202f: saisissez de nouveau ce secret']),
    ),
  }
  throw invalid(
    Object.values(fields).map(sentence => `${sentence}.`),
    fields,
  )
}
