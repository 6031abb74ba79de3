import { type AlertType, AVAILABILITY_KEY, statesOf, valueText } from '@narval/contracts'
import { judge, type MetricEvent, type Severity, type UnknownCause } from '@narval/engine'
import type { MetricEntry } from './fleet/model.ts'

/** Words of the states, as alerts say them. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  error: 'Erreur',
  warning: 'Alerte',
  unknown: 'Inconnu',
  ok: 'OK',
}

export const CAUSE_TEXTS: Readonly<Record<UnknownCause, string>> = {
  'probe-offline': 'Sonde hors ligne',
  'probe-link': 'Liaison de la sonde en cause',
  'host-unreachable': 'Équipement injoignable',
  'scanner-failed': 'Scanner en échec',
  'credentials-refused': 'Identifiants refusés',
  'metric-vanished': 'Métrique disparue',
  'no-data': 'Sans nouvelles',
  pending: 'En attente du premier résultat',
}

export const ALERT_TYPES_BY_SEVERITY: Readonly<Record<Severity, AlertType>> = {
  error: 'Error',
  warning: 'Warning',
  unknown: 'Question',
  ok: 'Success',
}

/** « sonde Lyon »; one that is called « Sonde locale » is « sonde locale ». */
export const probeWords = (name: string): string => (/^sonde\b/i.test(name) ? `s${name.slice(1)}` : `sonde ${name}`)
const probeTitle = (name: string): string => `S${probeWords(name).slice(1)}`

/** What is said of probes and of their links, by the name of the probe. */
export const PROBE_TITLES = {
  offline: (name: string) => `${probeTitle(name)} hors ligne`,
  online: (name: string) => `${probeTitle(name)} de nouveau en ligne`,
  spoolFull: (name: string) => `${probeTitle(name)}\u202f: file pleine`,
  link: (name: string) => `Liaison de la ${probeWords(name)}`,
  linkBlamed: (name: string) => `Liaison de la ${probeWords(name)} en cause`,
  linkBack: (name: string) => `Liaison de la ${probeWords(name)} rétablie`,
} as const

/** A failure that another probe has seen too. */
export const confirmedText = (text: string, probe: string): string => `${text} · confirmé par la ${probeWords(probe)}`

/** Why a host that fails is not called down: it, or others that fail with it, answer another probe. */
export const linkText = (probe: string, isOwn: boolean): string =>
  `${CAUSE_TEXTS['probe-link']}\u202f: ${isOwn ? 'l’équipement répond' : 'd’autres équipements en échec répondent'} à la ${probeWords(probe)}`

/** « 97,4 % > 95 % » when a threshold is crossed, « inactive » of a state, the failure or the cause otherwise, the value when all is well. */
export const situationText = (metric: MetricEntry, event: MetricEvent): string => {
  if (event.to === 'unknown') return CAUSE_TEXTS[event.cause ?? 'no-data']
  if (event.value === null || metric.key === AVAILABILITY_KEY) return event.message
  // What made a state says more than its word; a word beyond a word says nothing: « inactive » is all there is to say.
  if (metric.type === 'state')
    return metric.information || (statesOf(metric.scanner.kind, metric.key)?.[event.value] ?? event.message)
  return crossedText(metric, event.value)
}

/** The value, with the threshold that it crossed. */
const crossedText = (metric: MetricEntry, measured: number): string => {
  const value = valueText(measured, metric.unit)
  const { crossed } = judge(measured, metric.rule.thresholds, metric.state.raised)
  const threshold = crossed === null ? null : metric.rule.thresholds[crossed]
  if (crossed === null || threshold === null) return value
  return `${value} ${crossed.endsWith('High') ? '>' : '<'} ${valueText(threshold, metric.unit)}`
}

/** What shows where a metric stands now: its failure or cause, else its last value; '' when nothing was measured. */
export const standingText = (metric: MetricEntry): string => {
  if (metric.information !== '') return metric.information
  if (metric.value === null || metric.state.severity === 'unknown') return ''
  const word = metric.type === 'state' ? statesOf(metric.scanner.kind, metric.key)?.[metric.value] : undefined
  return word ?? crossedText(metric, metric.value)
}

const elapsedText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.max(1, Math.round(ms / 1_000))} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} j ${hours % 24} h`
}

/** What an incident of a metric is about, as its title says it. */
export const incidentTitle = ({ name, scanner }: MetricEntry): string => `${scanner.host.name}\u202f: ${name}`

/** Title and message of the alert that an incident's event is. */
export const alertText = (metric: MetricEntry, event: MetricEvent): { title: string; message: string } => {
  const { host } = metric.scanner
  const where = `${host.site.name} · `
  const isLife = metric.key === 'availability'
  if (event.type === 'incident-closed') {
    const lasted =
      event.problemSinceMs === null ? '' : `Le problème a duré ${elapsedText(event.atMs - event.problemSinceMs)}.`
    return {
      title: `${host.name}\u202f: ${isLife ? metric.scanner.name : metric.name} de nouveau OK`,
      message: [host.site.name, situationText(metric, event), lasted].filter(Boolean).join(' · '),
    }
  }
  if (event.type === 'flapping-started' || event.type === 'flapping-ended') return flappingText(metric, event)
  const word = SEVERITY_WORDS[event.to].toLowerCase()
  return {
    title: isLife
      ? `${host.name}\u202f: ${metric.scanner.name} en ${word}`
      : `${host.name}\u202f: ${metric.name} (${word})`,
    message: `${where}${situationText(metric, event)}`.trim(),
  }
}

/** One notice when a metric begins to go to and fro, one when it is steady again, with where it stands then. */
const flappingText = (metric: MetricEntry, event: MetricEvent): { title: string; message: string } => {
  const { host } = metric.scanner
  const name = `${host.name}\u202f: ${metric.key === AVAILABILITY_KEY ? metric.scanner.name : metric.name}`
  if (event.type === 'flapping-started')
    return {
      title: `${name} bagote`,
      message: `${host.site.name} · L’état change sans cesse\u202f: plus rien n’est annoncé jusqu’à ce qu’il soit stable`,
    }
  const word = SEVERITY_WORDS[event.to].toLowerCase()
  return {
    title: `${name} ne bagote plus (${event.to === 'ok' ? 'OK' : word})`,
    message: [host.site.name, 'L’état est de nouveau stable', situationText(metric, event)].filter(Boolean).join(' · '),
  }
}
