import {
  absoluteLink,
  type MessageSurroundings,
  type NotificationMessage,
  type NotifiedIncident,
} from '@narval/contracts'
import { SEVERITY_WORDS } from '../../monitoring/texts.ts'

/** What is told of an incident, as pairs of a French name and a text; times as the server's place writes them. */
export const factsOf = (incident: NotifiedIncident): readonly (readonly [string, string])[] =>
  [
    ['Site', incident.siteName ?? ''],
    ['Équipement', incident.hostName ?? ''],
    ['Depuis', timeText(incident.since)],
    ['Jusqu’à', incident.until === null ? '' : timeText(incident.until)],
    ['Détail', incident.information],
    ['Cause', incident.chain.join(' → ')],
    ['Consigne', incident.instruction],
  ].flatMap(([name = '', text = '']) => (text === '' ? [] : [[name, text] as const]))

const DATE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short' })
export const timeText = (iso: string): string => DATE.format(new Date(iso))

/** Colour of a severity, dark enough under white text and bright enough on black. */
export const COLOURS = { error: '#d1293d', warning: '#d97706', unknown: '#64748b', ok: '#1f9d55' } as const

/** The whole message as lines of plain text. */
export const plainLines = (message: NotificationMessage, around: MessageSurroundings): string[] => [
  ...message.text,
  ...message.incidents.flatMap(incident => [
    '',
    `${SEVERITY_WORDS[incident.severity]} — ${incident.title}`,
    ...factsOf(incident).map(([name, text]) => `${name}\u202f: ${text}`),
    ...linkLine(absoluteLink(around.base, incident.link)),
  ]),
  ...(message.incidents.length === 0 ? linkLine(absoluteLink(around.base, message.link)) : []),
]
const linkLine = (link: string): string[] => (link === '' ? [] : [link])
