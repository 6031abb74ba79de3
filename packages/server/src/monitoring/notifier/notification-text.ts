import type { NotificationMessage, NotifiedIncident } from '@narval/contracts'
import { type Send, type SendKind, type Severity, worst } from '@narval/engine'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { PROBE_TITLES, SEVERITY_WORDS } from '../texts.ts'
import type { Facts } from './notifier-facts.ts'

/** Incidents that a message tells one by one. */
export const MAX_NAMED = 10
const PATH = '/dashboard/live-view/incident'

/** How long, in words: « 2 h 05 min ». */
export const elapsedText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.max(1, Math.round(ms / 1_000))} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
  return hours % 24 === 0 ? `${Math.floor(hours / 24)} j` : `${Math.floor(hours / 24)} j ${hours % 24} h`
}

const momentText = (atMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('fr-FR', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(atMs)

const count = (many: number, one: string, more: string): string => `${many} ${many > 1 ? more : one}`

export interface MessageContext {
  readonly facts: ReadonlyMap<number, Facts>
  readonly instructions: {
    readonly hosts: ReadonlyMap<number, string>
    readonly sites: ReadonlyMap<number, string>
  }
  /** « Pourquoi est-ce rouge ? » by incident, one sentence a link. */
  readonly chains: ReadonlyMap<number, readonly string[]>
  /** Of the rule: dates are told by its clock. */
  readonly timeZone: string
  /** How many ended, with those that are not named any more. */
  readonly ended: number
}

/** What a send says, in French. */
export const messageOf = (send: Send, context: MessageContext, nowMs: number): NotificationMessage => {
  const shown = shownOf(send, context.facts)
  const severity = send.kind === 'recovery' ? 'ok' : worst(shown.map(one => one.severity))
  const [first] = shown
  return {
    kind: send.kind,
    subject: subjectOf(send, shown, severity, context, nowMs),
    severity,
    at: toIso(nowMs),
    link: first === undefined || shown.length > 1 ? PATH : `${PATH}/${first.id}`,
    text: paragraphs(send, shown, context, nowMs),
    incidents: shown.slice(0, MAX_NAMED).map(one => told(one, context)),
  }
}

/** News name what changed before what goes on. */
const shownOf = (send: Send, facts: ReadonlyMap<number, Facts>): Facts[] => {
  const changed = [...send.worsened, ...send.joined, ...send.unstable, ...send.steady, ...send.eased]
  const ids = send.kind === 'news' ? [...changed, ...send.recovered, ...send.incidents] : send.incidents
  return [...new Set(ids)].flatMap(id => facts.get(id) ?? [])
}

const TAGS: Readonly<Record<SendKind, (severity: Severity) => string>> = {
  problem: severity => SEVERITY_WORDS[severity],
  news: severity => SEVERITY_WORDS[severity],
  reminder: severity => `Rappel · ${SEVERITY_WORDS[severity]}`,
  flapping: () => 'Bagotant',
  recovery: () => 'Rétabli',
}

const subjectOf = (
  send: Send,
  shown: readonly Facts[],
  severity: Severity,
  { ended }: MessageContext,
  nowMs: number,
): string => {
  const [first] = shown
  const place = first?.siteName ?? null
  const tag = `[${TAGS[send.kind](send.kind === 'news' && isAllRecovered(send) ? 'ok' : severity)}]`
  const start = place === null ? tag : `${tag} ${place}\u202f:`
  if (first === undefined) return `${start} ${count(ended, 'incident supprimé', 'incidents supprimés')}`
  const others = (send.kind === 'recovery' ? Math.max(ended, shown.length) : shown.length) - 1
  const more = others > 0 ? ` et ${count(others, 'autre incident', 'autres incidents')}` : ''
  const cut = shown.reduce((sum, one) => sum + one.unreachable, 0)
  const unreachable = cut > 0 && send.kind !== 'recovery' ? ` (+${count(cut, 'injoignable', 'injoignables')})` : ''
  const still = send.kind === 'reminder' ? `, toujours en erreur depuis ${elapsedText(nowMs - oldestOf(shown))}` : ''
  return `${start} ${titleOf(first, send)}${more}${unreachable}${still}`
}
const isAllRecovered = (send: Send): boolean =>
  send.recovered.length > 0 && send.worsened.length + send.joined.length + send.unstable.length === 0

/** What is over is not said to be so any more. */
const titleOf = ({ title, host, kind, row }: Facts, { kind: sent }: Send): string => {
  if (sent !== 'recovery') return title
  if (kind === 'host') return `${host?.name ?? ''} de nouveau disponible`
  if (kind === 'probe') return PROBE_TITLES.online(row.probe_name ?? '')
  return kind === 'link' ? PROBE_TITLES.linkBack(row.probe_name ?? '') : title
}

const oldestOf = (shown: readonly Facts[]): number => Math.min(...shown.map(one => one.row.opened_at))

const paragraphs = (send: Send, shown: readonly Facts[], context: MessageContext, nowMs: number): string[] => {
  if (shown.length === 0) return ['Ce qui était en cause a été supprimé.']
  const since = oldestOf(shown)
  const when = momentText(since, context.timeZone)
  const lasting = elapsedText(nowMs - since)
  const named = (ids: readonly number[], before: string): string[] => {
    const titles = ids.flatMap(id => context.facts.get(id)?.title ?? [])
    if (titles.length === 0) return []
    const rest = titles.length > MAX_NAMED ? ` et ${titles.length - MAX_NAMED} de plus` : ''
    return [`${before}\u202f: ${titles.slice(0, MAX_NAMED).join(', ')}${rest}.`]
  }
  const opening: Readonly<Record<SendKind, string>> = {
    problem: `Depuis le ${when}${nowMs - since >= 60_000 ? ` (${lasting})` : ''}.`,
    news: `Depuis le ${when} (${lasting}).`,
    reminder: `Toujours en erreur depuis ${lasting}\u202f: depuis le ${when}, sans acquittement.`,
    flapping: 'L’état change sans cesse\u202f: plus rien n’est annoncé jusqu’à ce qu’il soit stable.',
    recovery: `Tout est rétabli, après ${lasting}. Le problème avait commencé le ${when}.`,
  }
  const cut = shown.reduce((sum, one) => sum + one.unreachable, 0)
  const rest = shown.length - MAX_NAMED
  return [
    opening[send.kind],
    ...(cut > 0 && send.kind !== 'recovery'
      ? [`${count(cut, 'équipement est injoignable', 'équipements sont injoignables')} à cause de cela.`]
      : []),
    ...named(send.joined, 'Nouveau'),
    ...named(send.worsened, 'Aggravé'),
    ...named(send.eased, 'Moins grave'),
    ...named(send.unstable, 'Bagotant'),
    ...named(send.steady, 'De nouveau stable'),
    ...(send.kind === 'recovery' ? [] : named(send.recovered, 'Rétabli')),
    ...(rest > 0
      ? [
          `Les ${MAX_NAMED} premiers sont détaillés\u202f; ${count(rest, 'autre suit', 'autres suivent')} dans la console.`,
        ]
      : []),
  ]
}

const told = (facts: Facts, { instructions, chains }: MessageContext): NotifiedIncident => {
  const { id, row, host, metric, siteId, siteName, severity, title } = facts
  const own = host === null ? '' : (instructions.hosts.get(host.id) ?? '')
  const site = siteId === null ? '' : (instructions.sites.get(siteId) ?? '')
  return {
    ...{ id, title, severity, since: toIso(row.opened_at), until: toIsoOrNull(row.closed_at) },
    ...{ information: row.information, siteName, hostName: host?.name ?? null, metricId: metric?.id ?? null },
    instruction: [own, site].filter(text => text !== '').join('\n'),
    link: `${PATH}/${id}`,
    chain: [...(chains.get(id) ?? [])],
  }
}

/** Why this person is told: « Pourquoi vous : règle « Astreinte », étape 2 (15 min sans acquittement). » */
export const reasonText = (kind: SendKind, rule: string, step: number, afterMinutes: number | null): string => {
  const why = kind === 'recovery' ? 'vous aviez été prévenu du problème, ' : ''
  const waited =
    afterMinutes === null || afterMinutes === 0 || kind === 'recovery'
      ? ''
      : ` (${elapsedText(afterMinutes * 60_000)} sans acquittement)`
  return `Pourquoi vous\u202f: ${why}règle «\u202f${rule}\u202f», étape ${step + 1}${waited}.`
}
