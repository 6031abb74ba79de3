import { AVAILABILITY_KEY, statesOf, valueText } from '@narval/contracts'
import { effectiveClear, flappingPercent, isFlapping, RAISED, type RaisedSide } from '@narval/engine'
import { isActive, type MetricEntry } from '../fleet/model.ts'
import { CAUSE_TEXTS, probeWords, SEVERITY_WORDS } from '../texts.ts'

const SIDE_WORDS: Readonly<Record<RaisedSide, string>> = {
  errorHigh: 'seuil d’erreur haut',
  errorLow: 'seuil d’erreur bas',
  warningHigh: 'seuil d’alerte haut',
  warningLow: 'seuil d’alerte bas',
}
/** The gravest first: what is told of several. */
export const SIDES = ['errorHigh', 'errorLow', 'warningHigh', 'warningLow'] as const

const SP = '\u202f'
const percent = (value: number): string => `${value.toLocaleString('fr-FR', { maximumFractionDigits: 1 })}${SP}%`

/**
 * Why a metric is as it is, one sentence a reason. `thresholdOrigin`: who says its thresholds, « modèle Serveur Linux »;
 * `probe`: the name of the one that runs it.
 */
export const ruleSentences = (metric: MetricEntry, thresholdOrigin: string, probe: string | null): string[] => {
  if (!isActive(metric)) return [inactiveSentence(metric)]
  const { state } = metric
  const sentences = [
    state.severity === 'unknown'
      ? unknownSentence(metric, probe)
      : `${confirmation(metric)}${SP}: ${measured(metric, thresholdOrigin)}.`,
  ]
  if (state.kind === 'soft' && state.hardSeverity !== state.severity)
    sentences.push(
      state.hardCause === 'pending'
        ? 'Rien n’est encore confirmé.'
        : `L’état confirmé reste ${SEVERITY_WORDS[state.hardSeverity]}.`,
    )
  return [...sentences, ...flappingSentences(metric), ...incidentSentences(metric)]
}

const inactiveSentence = ({ enabled, scanner }: MetricEntry): string => {
  const what = !enabled
    ? 'la métrique est désactivée'
    : `${scanner.enabled ? 'son équipement' : 'son scanner'} est désactivé`
  return `Aucune règle ne s’applique${SP}: ${what}.`
}

/** « Erreur confirmée après 3 résultats sur 3 ». */
const confirmation = ({ state, rule }: MetricEntry): string => {
  const word = SEVERITY_WORDS[state.severity]
  if (state.severity === 'ok') return 'OK'
  if (state.kind === 'soft')
    return `${word} à confirmer, ${state.attempt} mauvais résultat${state.attempt > 1 ? 's' : ''} sur ${rule.attempts}`
  return state.attempt <= 1
    ? `${word} confirmée au premier résultat`
    : `${word} confirmée après ${state.attempt} résultats sur ${state.attempt}`
}

/** What was measured against which threshold. */
const measured = (metric: MetricEntry, origin: string): string => {
  const { state, value, rule, unit, key, type, information, scanner } = metric
  if (key === AVAILABILITY_KEY)
    return state.severity === 'ok'
      ? 'le dernier contrôle a réussi'
      : information || (scanner.lastError ?? 'le contrôle a échoué')
  if (value === null) return information || 'aucune valeur depuis le démarrage du serveur'
  const text =
    (type === 'state' ? information || statesOf(scanner.kind, key)?.[value] : undefined) ?? valueText(value, unit)
  const side = SIDES.find(one => (state.raised & RAISED[one]) !== 0)
  const threshold = side === undefined ? null : rule.thresholds[side]
  if (side === undefined || threshold === null)
    return SIDES.some(one => rule.thresholds[one] !== null)
      ? `${text}, dans les seuils (${origin})`
      : `${text}, sans seuil`
  const isHigh = side === 'errorHigh' || side === 'warningHigh'
  if (isHigh ? value > threshold : value < threshold)
    return `${text} ${isHigh ? '>' : '<'} ${valueText(threshold, unit)} (${SIDE_WORDS[side]}, ${origin})`
  const clear = effectiveClear(rule.thresholds)[side]
  return `${text} n’est pas revenu ${isHigh ? 'à' : 'jusqu’à'} ${valueText(clear ?? threshold, unit)}${isHigh ? ' ou moins' : ''}, la valeur de retour du ${SIDE_WORDS[side]} (${origin})`
}

const unknownSentence = (metric: MetricEntry, probe: string | null): string => {
  const { state, scanner, information, rule } = metric
  const attempts = state.kind === 'soft' ? `, ${state.attempt} fois sur ${rule.attempts}` : ''
  const silence = `plus de ${Math.round(scanner.staleMs / 1_000).toLocaleString('fr-FR')}${SP}s (${scanner.rules.silenceFactor} intervalles, ${scanner.rules.silenceFloorSeconds}${SP}s au moins)`
  const why: Readonly<Record<NonNullable<typeof state.cause>, string>> = {
    pending: 'en attente du premier résultat',
    'probe-offline': `la ${probe === null ? 'sonde' : probeWords(probe)} est hors ligne, rien n’est mesuré`,
    'probe-link': information || CAUSE_TEXTS['probe-link'].toLowerCase(),
    'host-unreachable': 'tous les parents de l’équipement sont en panne',
    'scanner-failed': `le scanner « ${scanner.name} » est en échec${scanner.lastError === null ? '' : ` (${scanner.lastError})`}`,
    'credentials-refused': `l’équipement refuse les identifiants du scanner « ${scanner.name} »`,
    'metric-vanished': `le scanner répond, sans cette métrique depuis ${silence}`,
    'no-data': `sans nouvelles depuis ${silence}`,
  }
  return `Inconnu${attempts}${SP}: ${why[state.cause ?? 'no-data']}.`
}

const flappingSentences = ({ state, rule }: MetricEntry): string[] => {
  if (!isFlapping(state.flapping) || rule.flapping == null) return []
  const { startPercent, endPercent } = rule.flapping
  return [
    `Bagote${SP}: ${percent(flappingPercent(state.flapping))} de changements d’état parmi les 21 derniers résultats (début à ${startPercent}${SP}%, fin sous ${endPercent}${SP}%). Rien n’est annoncé d’ici là.`,
  ]
}

/** Why a confirmed problem has no incident to itself. */
const incidentSentences = (metric: MetricEntry): string[] => {
  const { state, scanner, incidentId, explainedBy } = metric
  const { life } = scanner.host
  if (explainedBy !== null && incidentId !== null)
    return [`Son incident est expliqué par un autre (nº ${explainedBy}).`]
  if (state.kind === 'soft' || state.severity === 'ok' || state.incident !== null) return []
  if (life !== null && life !== metric && life.state.hardSeverity === 'error')
    return ['Aucun incident à elle : l’équipement est indisponible, son incident le dit.']
  if (state.held > 0) return ['Son incident est retenu : un parent de l’équipement est en doute.']
  return []
}
