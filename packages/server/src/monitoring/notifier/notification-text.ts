import type { ChainLink, NotificationMessage, NotifiedIncident } from '@narval/contracts'
import { compareSeverity, type Send, type SendKind, type Severity, worst } from '@narval/engine'
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
  /** Of the conversation: told, and perhaps open still, though it may be silent now. */
  readonly told: readonly number[]
}

/** What a send says, in French. */
export const messageOf = (send: Send, context: MessageContext, nowMs: number): NotificationMessage => {
  const shown = shownOf(send, context.facts)
  const going = goingOf(send, context)
  const severity = severityOf(send, shown, going)
  const [first] = shown
  return {
    kind: send.kind,
    subject: subjectOf(send, { shown, going, severity }, context, nowMs),
    severity,
    at: toIso(nowMs),
    link: first === undefined || shown.length > 1 ? PATH : `${PATH}/${first.id}`,
    text: paragraphs(send, { shown, going, severity }, context, nowMs),
    incidents: shown.slice(0, MAX_NAMED).map(one => told(one, context)),
    timeZone: context.timeZone,
  }
}

interface Scene {
  readonly shown: readonly Facts[]
  /** What goes on, the causes first. */
  readonly going: readonly Facts[]
  readonly severity: Severity
}

/** News name what changed before what goes on; what explains most comes first. */
export const shownOf = (send: Send, facts: ReadonlyMap<number, Facts>): Facts[] => {
  const ordered = (ids: readonly number[]): Facts[] =>
    [...new Set(ids)].flatMap(id => facts.get(id) ?? []).toSorted(byWeight)
  if (send.kind !== 'news') return ordered(send.incidents)
  return [...new Set([changedOf(send), send.recovered, send.incidents].flatMap(ordered))]
}

const changedOf = ({ worsened, again, joined, unstable, steady, eased }: Send): number[] => [
  ...[...worsened, ...again, ...joined, ...unstable, ...steady, ...eased],
]

/** Those that cut others off, most first; then hosts and probes; then the worst, then the oldest. */
const byWeight = (a: Facts, b: Facts): number =>
  b.unreachable - a.unreachable ||
  Number(a.kind === 'metric') - Number(b.kind === 'metric') ||
  compareSeverity(a.severity, b.severity) ||
  a.failingMs - b.failingMs ||
  a.id - b.id

/** All that was told and is open still; what another one explains is counted with it. */
const goingOf = (send: Send, { facts, told }: MessageContext): Facts[] => {
  const ids = send.kind === 'news' ? [...send.incidents, ...told] : send.incidents
  const open = [...new Set(ids)].flatMap(id => facts.get(id) ?? []).filter(({ row }) => row.closed_at === null)
  const own = open.filter(({ row }) => row.parent_id === null)
  return (own.length === 0 ? open : own).toSorted(byWeight)
}

/** The worst of what goes on; of a problem told after its end, as it was. */
const severityOf = ({ kind }: Send, shown: readonly Facts[], going: readonly Facts[]): Severity => {
  if (kind === 'recovery') return 'ok'
  return worst((going.length === 0 && kind !== 'news' ? shown : going).map(one => one.severity))
}

const TAGS: Readonly<Record<SendKind, (severity: Severity) => string>> = {
  problem: severity => SEVERITY_WORDS[severity],
  news: severity => (severity === 'ok' ? 'Rétabli' : SEVERITY_WORDS[severity]),
  reminder: severity => `Rappel · ${SEVERITY_WORDS[severity]}`,
  flapping: () => 'Bagotant',
  recovery: () => 'Rétabli',
}

const subjectOf = (send: Send, { shown, going, severity }: Scene, { ended }: MessageContext, nowMs: number): string => {
  const [first] = shown
  const place = first?.siteName ?? null
  const tag = `[${TAGS[send.kind](severity)}]`
  const start = place === null ? tag : `${tag} ${place}\u202f:`
  if (first === undefined) return `${start} ${count(ended, 'incident supprimé', 'incidents supprimés')}`
  if (isOnlyRecovery(send) && first.row.closed_at !== null)
    return `${start} ${recoveredText(send, first)}${stillText(going)}`
  const open = send.kind === 'news' ? going.filter(one => one !== first).length : shown.length - 1
  const others = send.kind === 'recovery' ? Math.max(ended, shown.length) - 1 : open
  const more = others > 0 ? ` et ${count(others, 'autre incident', 'autres incidents')}` : ''
  const cut = cutBy(going)
  const unreachable = cut > 0 ? ` (+${count(cut, 'injoignable', 'injoignables')})` : ''
  const still = send.kind === 'reminder' ? `, toujours en erreur depuis ${elapsedText(nowMs - oldestOf(shown))}` : ''
  const title = send.kind === 'recovery' ? backTitle(first) : first.title
  const again = send.kind !== 'recovery' && more === '' ? reopenedWords(first) : ''
  return `${start} ${title}${more}${unreachable}${still}${again === '' ? '' : `, ${again}`}`
}

const cutBy = (going: readonly Facts[]): number => going.reduce((sum, one) => sum + one.unreachable, 0)

const isOnlyRecovery = (send: Send): boolean =>
  send.kind === 'news' && send.recovered.length > 0 && changedOf(send).length === 0

/** « routeur-1 rétabli, 2 autres aussi ». */
const recoveredText = ({ recovered }: Send, first: Facts): string => {
  const title = first.kind === 'host' ? `${first.host?.name ?? ''} rétabli` : backTitle(first)
  return recovered.length > 1 ? `${title}, ${count(recovered.length - 1, 'autre aussi', 'autres aussi')}` : title
}
const stillText = (going: readonly Facts[]): string =>
  going.length === 0 ? '' : `, encore ${count(going.length, 'incident', 'incidents')}`

/** What is over is not said to be so any more. */
const backTitle = ({ title, host, kind, row }: Facts): string => {
  if (kind === 'host') return `${host?.name ?? ''} de nouveau disponible`
  if (kind === 'probe') return PROBE_TITLES.online(row.probe_name ?? '')
  if (kind === 'link') return PROBE_TITLES.linkBack(row.probe_name ?? '')
  return host === null ? title : `${title} de retour à la normale`
}

const oldestOf = (shown: readonly Facts[]): number => Math.min(...shown.map(one => one.failingMs))

/** « rouvert 2 fois »; '' of what never came back. */
const reopenedWords = ({ row: { reopened } }: Facts): string => (reopened === 0 ? '' : `rouvert ${reopened} fois`)

/** What came back, and how often: of one alone when it first began, of several by their names. */
const reopenedTexts = (shown: readonly Facts[], timeZone: string): string[] => {
  const back = shown.filter(({ row }) => row.reopened > 0)
  const [only] = back
  if (only === undefined) return []
  if (shown.length === 1)
    return [`Incident ${reopenedWords(only)}, ouvert d’abord le ${momentText(only.row.opened_at, timeZone)}.`]
  const titles = back.slice(0, MAX_NAMED).map(one => `${one.title} (${one.row.reopened} fois)`)
  const rest = back.length > MAX_NAMED ? ` et ${back.length - MAX_NAMED} de plus` : ''
  return [`${back.length === 1 ? 'Rouvert' : 'Rouverts'}\u202f: ${titles.join(', ')}${rest}.`]
}

const openingOf = (kind: SendKind, when: string, lasting: string, isNew: boolean): string =>
  ({
    problem: `Depuis le ${when}${isNew ? '' : ` (${lasting})`}.`,
    news: `Depuis le ${when} (${lasting}).`,
    reminder: `Toujours en erreur depuis ${lasting}\u202f: depuis le ${when}, sans acquittement.`,
    flapping: 'L’état change sans cesse\u202f: plus rien n’est annoncé jusqu’à ce qu’il soit stable.',
    recovery: `Tout est rétabli, après ${lasting}. Le problème avait commencé le ${when}.`,
  })[kind]

const named = (some: readonly Facts[], before: string): string[] => {
  if (some.length === 0) return []
  const titles = some.slice(0, MAX_NAMED).map(({ title }) => title)
  const rest = some.length > MAX_NAMED ? ` et ${some.length - MAX_NAMED} de plus` : ''
  return [`${before}\u202f: ${titles.join(', ')}${rest}.`]
}

const paragraphs = (send: Send, { shown, going }: Scene, context: MessageContext, nowMs: number): string[] => {
  if (shown.length === 0) return ['Ce qui était en cause a été supprimé.']
  const since = oldestOf(shown)
  const when = momentText(since, context.timeZone)
  const changes = (ids: readonly number[], before: string): string[] =>
    named(
      ids.flatMap(id => context.facts.get(id) ?? []),
      before,
    )
  const changed = new Set(changedOf(send))
  const still = send.kind === 'news' ? going.filter(({ id }) => !changed.has(id)) : []
  const cut = cutBy(going)
  const rest = shown.length - MAX_NAMED
  return [
    // First of all: short channels tell the first lines alone.
    ...named(still, 'Encore en cours'),
    openingOf(send.kind, when, elapsedText(nowMs - since), nowMs - since < 60_000),
    ...reopenedTexts(shown, context.timeZone),
    ...(cut > 0
      ? [`${count(cut, 'équipement est injoignable', 'équipements sont injoignables')} à cause de cela.`]
      : []),
    ...changes(send.joined, 'Nouveau'),
    ...changes(send.again, 'Rétabli entre-temps, de nouveau en panne'),
    ...changes(send.worsened, 'Aggravé'),
    ...changes(send.eased, 'Moins grave'),
    ...changes(send.unstable, 'Bagotant'),
    ...changes(send.steady, 'De nouveau stable'),
    ...(send.kind === 'recovery' ? [] : changes(send.recovered, 'Rétabli')),
    ...(rest > 0
      ? [
          `Les ${MAX_NAMED} premiers sont détaillés\u202f; ${count(rest, 'autre suit', 'autres suivent')} dans la console.`,
        ]
      : []),
  ]
}

/** What is wrong of « Pourquoi est-ce rouge ? », where it begins first; what is well explains nothing. */
export const causeTexts = (links: readonly ChainLink[]): string[] =>
  links
    .filter(({ severity }) => severity !== 'ok')
    .toSorted((a, b) => Number(b.cause) - Number(a.cause))
    .map(({ name, state, evidence, cause }) =>
      `${name}\u202f: ${state}${cause ? ', origine du problème' : ''}. ${evidence}`.trim(),
    )

const told = (facts: Facts, { instructions, chains }: MessageContext): NotifiedIncident => {
  const { id, row, host, metric, siteId, siteName, severity, failingMs } = facts
  const title = row.closed_at === null ? facts.title : backTitle(facts)
  const own = host === null ? '' : (instructions.hosts.get(host.id) ?? '')
  const site = siteId === null ? '' : (instructions.sites.get(siteId) ?? '')
  return {
    ...{ id, title, severity, since: toIso(failingMs), until: toIsoOrNull(row.closed_at) },
    ...(row.reopened === 0 ? {} : { reopened: row.reopened, openedAt: toIso(row.opened_at) }),
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
