import type { NotificationMessage } from './notification-message.ts'

/** What a template of a webhook may name between `{{` and `}}`, with what it stands for. Nothing else is known, nothing is run. */
export const WEBHOOK_PLACEHOLDERS = {
  key: 'Identifiant de l’envoi, le même à chaque nouvel essai',
  kind: 'problem, news, reminder, recovery, flapping, maintenance-report ou test',
  subject: 'Objet du message',
  text: 'Texte du message',
  severity: 'error, warning, unknown ou ok',
  severityText: 'Criticité en français',
  at: 'Date du message (ISO 8601)',
  link: 'Lien vers la console',
  reason: 'Pourquoi cette personne est prévenue',
  rule: 'Règle de notification',
  recipient: 'Nom de la personne prévenue',
  recipientEmail: 'Son adresse e-mail',
  recipientPhone: 'Son numéro de téléphone',
  incidentId: 'Numéro du premier incident',
  incidentTitle: 'Titre du premier incident',
  information: 'Ce que dit le contrôle',
  site: 'Site du premier incident',
  host: 'Équipement du premier incident',
  instruction: 'Consigne',
  since: 'Depuis quand le premier incident dure sans interruption (ISO 8601)',
  until: 'Fin du premier incident, ou null',
  reopened: 'Combien de fois le premier incident est revenu après sa fin',
  openedAt: 'Sa première ouverture (ISO 8601)',
  incidents: 'Tous les incidents (liste)',
} as const
export type Placeholder = keyof typeof WEBHOOK_PLACEHOLDERS

export const DEFAULT_WEBHOOK_BODY = `{
  "id": "{{key}}",
  "type": "{{kind}}",
  "objet": "{{subject}}",
  "texte": "{{text}}",
  "criticite": "{{severity}}",
  "date": "{{at}}",
  "lien": "{{link}}",
  "pourquoi": "{{reason}}",
  "incidents": "{{incidents}}"
}`

const SEVERITY_TEXTS = { error: 'Erreur', warning: 'Alerte', unknown: 'Inconnu', ok: 'OK' } as const

/** What surrounds a message when it is sent. */
export interface MessageSurroundings {
  readonly key: string
  readonly reason: string
  readonly ruleName: string
  readonly recipient: { readonly name: string; readonly email: string; readonly phone: string } | null
  /** Address of the console, without the last slash; null when nobody said it: links are left out. */
  readonly base: string | null
}
export type TemplateValues = Readonly<Record<string, unknown>>

/** A path of the console as an address; '' when its address is not known. */
export const absoluteLink = (base: string | null, path: string): string => (base === null ? '' : `${base}${path}`)

export const templateValues = (message: NotificationMessage, around: MessageSurroundings): TemplateValues => {
  const [incident] = message.incidents
  return {
    key: around.key,
    kind: message.kind,
    subject: message.subject,
    text: message.text.join('\n'),
    severity: message.severity,
    severityText: SEVERITY_TEXTS[message.severity],
    at: message.at,
    link: absoluteLink(around.base, message.link),
    reason: around.reason,
    rule: around.ruleName,
    recipient: around.recipient?.name ?? '',
    recipientEmail: around.recipient?.email ?? '',
    recipientPhone: around.recipient?.phone ?? '',
    incidentId: incident?.id ?? null,
    incidentTitle: incident?.title ?? '',
    information: incident?.information ?? '',
    site: incident?.siteName ?? '',
    host: incident?.hostName ?? '',
    instruction: incident?.instruction ?? '',
    since: incident?.since ?? null,
    until: incident?.until ?? null,
    reopened: incident?.reopened ?? 0,
    openedAt: incident?.openedAt ?? incident?.since ?? null,
    incidents: message.incidents.map(one => ({ ...one, link: absoluteLink(around.base, one.link) })),
  } satisfies Record<Placeholder, unknown>
}

const ALONE = /^\{\{\s*([A-Za-z]+)\s*\}\}$/
const ANY = /\{\{\s*([^{}]*?)\s*\}\}/g

/**
 * A JSON text whose strings name values: a string that is one placeholder becomes the value with its type, within a
 * longer one it is written as text. What is filled in never changes the structure.
 * @throws SyntaxError when the template is no JSON.
 */
export const fillTemplate = (template: string, values: TemplateValues): unknown =>
  filled(JSON.parse(template), text => {
    const alone = ALONE.exec(text)?.[1]
    if (alone !== undefined) return Object.hasOwn(values, alone) ? values[alone] : ''
    return text.replace(ANY, (_, name: string) => (Object.hasOwn(values, name) ? written(values[name]) : ''))
  })

const written = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** The same JSON with each of its strings replaced; names of fields stay as they are. */
export const filled = (node: unknown, fill: (text: string) => unknown): unknown => {
  if (typeof node === 'string') return fill(node)
  if (Array.isArray(node)) return node.map(one => filled(one, fill))
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, filled(value, fill)]))
}

/** What is wrong with a template, in French; null: nothing. */
export const templateFault = (template: string): string | null => {
  let parsed: unknown
  try {
    parsed = JSON.parse(template)
  } catch {
    return 'Le modèle n’est pas du JSON\u202f: les repères {{…}} se mettent entre guillemets'
  }
  const unknown = new Set<string>()
  filled(parsed, text => {
    for (const [, name = ''] of text.matchAll(ANY)) if (!Object.hasOwn(WEBHOOK_PLACEHOLDERS, name)) unknown.add(name)
    return text
  })
  return unknown.size === 0 ? null : `Repère inconnu\u202f: ${[...unknown].slice(0, 5).join(', ')}`
}
