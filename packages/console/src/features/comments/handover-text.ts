import type { HandoverSummary } from '@narval/contracts'
import { fr as common } from '../../i18n/fr.ts'
import { formatCount } from '../../lib/format.ts'
import { type Shift, shiftText } from './shift.ts'

type Incident = HandoverSummary['open'][number]

const moment = new Intl.DateTimeFormat('fr-FR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})
const clock = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })
const at = (iso: string): string => moment.format(new Date(iso)).replace(' ', ' à ')
const NUMBER = 'incident n°\u202f'

/** What names an incident in a note, so that it is a link where it is read. */
const nameOf = ({ id }: Incident): string => `[${NUMBER}${id}]`
const where = (siteName: string | null): string => (siteName === null ? '' : ` (${siteName})`)
const inCharge = ({ inCharge: who, acknowledged }: Incident): string =>
  who === null ? ', personne ne s’en occupe' : acknowledged ? `, acquitté par ${who}` : `, pris en charge par ${who}`
const openLine = (one: Incident): string =>
  `• ${common.severity[one.severity]} — ${one.title}${where(one.siteName)}, depuis le ${at(one.openedAt)}${inCharge(one)} ${nameOf(one)}`
const endedLine = (one: Incident): string =>
  `• ${one.title}${where(one.siteName)}, du ${at(one.openedAt)} au ${at(one.closedAt ?? one.openedAt)} ${nameOf(one)}`

const section = (title: string, count: number, lines: readonly string[], none: string): string[] => [
  '',
  `${title} (${count})`,
  ...(lines.length === 0 ? [none] : lines),
  ...(count > lines.length && lines.length > 0 ? [`… et ${count - lines.length} de plus`] : []),
]

/** The words of a note, to be corrected before they are signed. */
export const handoverText = (shift: Shift, summary: HandoverSummary): string => {
  const { open, ended, maintenances, notes } = summary
  const maintenanceLines = maintenances.map(
    ({ comment, hosts, until }) => `• ${comment} (${formatCount(hosts, 'équipement')}), jusqu’au ${at(until)}`,
  )
  const noteLines = notes.map(
    ({ at: written, author, siteName, text }) =>
      `• ${clock.format(new Date(written))} ${author}${where(siteName)}\u202f: ${text}`,
  )
  const begun = formatCount(summary.begunCount, 'incident a commencé', 'incidents ont commencé')
  return [
    `Poste du ${shiftText(shift)}`,
    ...section('INCIDENTS OUVERTS', summary.openCount, open.map(openLine), 'Rien d’ouvert.'),
    ...section('INCIDENTS TERMINÉS PENDANT LE POSTE', summary.endedCount, ended.map(endedLine), 'Aucun.'),
    `${begun} pendant le poste.`,
    ...section('MAINTENANCES EN COURS', summary.maintenanceCount, maintenanceLines, 'Aucune.'),
    ...section('NOTES DU POSTE', summary.noteCount, noteLines, 'Aucune.'),
    '',
    'À SUIVRE',
    '• ',
  ].join('\n')
}

/** A piece of a note: words, or the incident that they name. */
export interface NotePart {
  readonly text: string
  readonly incidentId: number | null
}

/** A note in pieces, so that what names an incident leads to it; the pieces together are the note. */
export const noteParts = (text: string): NotePart[] => {
  const parts: NotePart[] = []
  let from = 0
  for (const { index, 0: whole, 1: id } of text.matchAll(/\[incident n°\s?([1-9]\d{0,9})\]/gu)) {
    if (index > from) parts.push({ text: text.slice(from, index), incidentId: null })
    parts.push({ text: whole, incidentId: Number(id) })
    from = index + whole.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), incidentId: null })
  return parts
}
