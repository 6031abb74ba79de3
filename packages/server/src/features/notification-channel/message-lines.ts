import {
  absoluteLink,
  type MessageSurroundings,
  type NotificationMessage,
  type NotifiedIncident,
} from '@narval/contracts'
import { SEVERITY_WORDS } from '../../monitoring/texts.ts'

/** What is told of an incident, as pairs of a French name and a text; times by the clock of the message. */
export const factsOf = (
  incident: NotifiedIncident,
  { timeZone }: Pick<NotificationMessage, 'timeZone'>,
): readonly (readonly [string, string])[] =>
  [
    ['Site', incident.siteName ?? ''],
    ['Équipement', incident.hostName ?? ''],
    ['Depuis', timeText(incident.since, timeZone)],
    ['Rouvert', reopenedText(incident, timeZone)],
    ['Jusqu’à', incident.until === null ? '' : timeText(incident.until, timeZone)],
    [incident.until === null ? 'Détail' : 'Le problème était', incident.information],
    ['Cause', incident.chain.join(' → ')],
    ['Consigne', incident.instruction],
  ].flatMap(([name = '', text = '']) => (text === '' ? [] : [[name, text] as const]))

/** « 2 fois, ouvert d’abord le 22 novembre 2026 à 09:00 »; '' of what never came back. */
const reopenedText = ({ reopened = 0, openedAt }: NotifiedIncident, timeZone: string | undefined): string =>
  reopened === 0 || openedAt === undefined ? '' : `${reopened} fois, ouvert d’abord le ${timeText(openedAt, timeZone)}`

/** Of messages that name no other. */
const TIME_ZONE = 'Europe/Paris'
export const zoneOf = ({ timeZone }: Pick<NotificationMessage, 'timeZone'>): string => timeZone ?? TIME_ZONE
const timeText = (iso: string, timeZone: string = TIME_ZONE): string =>
  new Intl.DateTimeFormat('fr-FR', { timeZone, dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso))

/** How an incident stands: one that ended is not shown as the failure that it was. */
export const standingOf = ({ severity, until }: NotifiedIncident) =>
  until === null
    ? ({ severity, word: SEVERITY_WORDS[severity] } as const)
    : ({ severity: 'ok', word: 'Rétabli' } as const)
/** « Erreur — routeur-1 indisponible ». */
export const headOf = (incident: NotifiedIncident): string => `${standingOf(incident).word} — ${incident.title}`

/** Colour of a severity, dark enough under white text and bright enough on black. */
export const COLOURS = { error: '#d1293d', warning: '#d97706', unknown: '#64748b', ok: '#1f9d55' } as const

/** The whole message as lines of plain text. */
export const plainLines = (message: NotificationMessage, around: MessageSurroundings): string[] => [
  ...message.text,
  ...message.incidents.flatMap(incident => [
    '',
    headOf(incident),
    ...factsOf(incident, message).map(([name, text]) => `${name}\u202f: ${text}`),
    ...linkLine(absoluteLink(around.base, incident.link)),
  ]),
  ...(message.incidents.length === 0 ? linkLine(absoluteLink(around.base, message.link)) : []),
]
const linkLine = (link: string): string[] => (link === '' ? [] : [link])

/** Why this person is told: the last line of a message. */
export const reasonLine = ({ reason }: MessageSurroundings): string[] => (reason === '' ? [] : [reason])
