import type { Hubs } from '../hub/hubs.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { toIso } from '../store/time.ts'
import type { HttpFigures } from './http-watch.ts'
import { createMeter } from './meter.ts'
import type { ServicePart, Status } from './service-registry.ts'

/** Something that happened this recently still shows. */
const RECENT_MS = 60_000
/** One step of judging that lasts so long stands still. */
const STANDS_STILL_MS = 30_000
const FAILURE_RATE = 0.1

/** Whether a count that only grows has grown within the last minute. */
const createRecent = (count: () => number) => {
  let [last, at] = [count(), Number.NEGATIVE_INFINITY]
  return (): boolean => {
    const present = count()
    if (present > last) at = performance.now()
    last = present
    return performance.now() - at < RECENT_MS
  }
}

export const apiPart = (http: HttpFigures): ServicePart => {
  const rate = createMeter(http.calls)
  const failing = createMeter(http.failures)
  const hasFailed = createRecent(http.failures)
  return {
    rateOf: ['appel', 'appels'],
    queueOf: ['en cours', 'en cours'],
    status() {
      const [perSecond, failures] = [rate(), failing()]
      const isBad = hasFailed() && (failures ?? 0) > (perSecond ?? 0) * FAILURE_RATE
      const took = http.took()
      return {
        ...(isBad
          ? { state: 'error', reason: 'Plus d’un appel sur dix échoue depuis une minute.' }
          : hasFailed()
            ? { state: 'warning', reason: 'Des appels ont échoué dans la dernière minute.' }
            : { state: 'ok', reason: 'Répond.' }),
        ...{ rate: perSecond, queue: http.underWay() },
        figures: [
          { label: 'Appels depuis le démarrage', value: http.calls(), unit: 'count' },
          { label: 'Erreurs internes', value: http.failures(), unit: 'count' },
          { label: 'Appels remis à plus tard (503)', value: http.busy(), unit: 'count' },
          { label: 'Durée, la moitié des derniers appels', value: took?.half ?? null, unit: 'ms' },
          { label: 'Durée, 95 appels sur 100', value: took?.most ?? null, unit: 'ms' },
        ],
      }
    },
  }
}

export const hubPart = (hubs: Pick<Hubs, 'stats'>): ServicePart => {
  const rate = createMeter(() => hubs.stats().delivered)
  return {
    rateOf: ['message', 'messages'],
    status() {
      const stats = hubs.stats()
      return {
        ...{ state: 'ok', reason: 'Pousse les changements.', rate: rate() },
        figures: [
          { label: 'Connexions', value: stats.connections, unit: 'count' },
          { label: 'WebSocket', value: stats.webSocket, unit: 'count' },
          { label: 'Évènements envoyés (SSE)', value: stats.serverSentEvents, unit: 'count' },
          { label: 'Attente longue', value: stats.longPolling, unit: 'count' },
          { label: 'Sessions', value: stats.sessions, unit: 'count' },
          { label: 'Flux suivis', value: stats.streams, unit: 'count' },
          { label: 'Évènements publiés', value: stats.published, unit: 'count' },
          { label: 'Messages remis', value: stats.delivered, unit: 'count' },
        ],
      }
    },
  }
}

export interface ExchangeCounts {
  readonly open: number
  readonly awaited: number
  readonly given: number
  readonly answered: number
}
export const exchangePart = (counts: () => ExchangeCounts): ServicePart => {
  const rate = createMeter(() => counts().given)
  return {
    rateOf: ['ordre', 'ordres'],
    queueOf: ['réponse attendue', 'réponses attendues'],
    status() {
      const { open, awaited, given, answered } = counts()
      return {
        ...{ state: 'ok', reason: 'Donne configurations et ordres.', rate: rate(), queue: awaited },
        figures: [
          { label: 'Sondes à l’écoute', value: open, unit: 'count' },
          { label: 'Ordres donnés', value: given, unit: 'count' },
          { label: 'Réponses reçues', value: answered, unit: 'count' },
        ],
      }
    },
  }
}

export const ingestPart = ({ ingest, evaluation }: Pick<Monitoring, 'ingest' | 'evaluation'>): ServicePart => {
  const { stats } = ingest
  const rate = createMeter(() => stats.samples)
  const isRefusing = createRecent(() => stats.refused)
  const judge = (): Status => {
    if (isRefusing()) return { state: 'error', reason: `Des lots sont refusés. ${stats.refusal?.why ?? ''}`.trim() }
    if (evaluation.isBehind()) return { state: 'error', reason: 'Refuse les lots tant que le jugement est en retard.' }
    return stats.batches === 0
      ? { state: 'unknown', reason: 'Aucun lot depuis le démarrage.' }
      : { state: 'ok', reason: 'Écrit et acquitte les lots.' }
  }
  return {
    rateOf: ['mesure', 'mesures'],
    status: () => ({
      ...judge(),
      rate: rate(),
      figures: [
        { label: 'Lots', value: stats.batches, unit: 'count' },
        { label: 'Résultats', value: stats.results, unit: 'count' },
        { label: 'Mesures', value: stats.samples, unit: 'count' },
        { label: 'Lots renvoyés, déjà connus', value: stats.duplicates, unit: 'count' },
        { label: 'Lots refusés', value: stats.refused, unit: 'count' },
        { label: 'Résultats d’une autre sonde, écartés', value: stats.foreign, unit: 'count' },
        { label: 'Résultats datés du futur, écartés', value: stats.future, unit: 'count' },
        { label: 'Valeurs inconnues, écartées', value: stats.unknownKeys, unit: 'count' },
        { label: 'Messages de trop, écartés', value: stats.eventsLeft, unit: 'count' },
        {
          label: 'Dernier refus',
          value: stats.refusal === null ? null : toIso(stats.refusal.atMs),
          unit: 'instant',
        },
      ],
    }),
  }
}

export const judgingPart = ({ evaluation, model }: Pick<Monitoring, 'evaluation' | 'model'>): ServicePart => {
  const rate = createMeter(() => evaluation.health().judged)
  const judge = (): Status => {
    const { busySince, failingSinceMs } = evaluation.health()
    if (failingSinceMs !== null)
      return { state: 'error', reason: 'Les états jugés ne peuvent être écrits.', sinceMs: failingSinceMs }
    if (busySince !== null && performance.now() - busySince >= STANDS_STILL_MS)
      return { state: 'error', reason: 'Le jugement est arrêté sur une même étape.' }
    if (evaluation.isBehind()) return { state: 'error', reason: 'Le jugement est en retard.' }
    return { state: 'ok', reason: 'Juge à mesure.' }
  }
  return {
    rateOf: ['résultat', 'résultats'],
    queueOf: ['lot', 'lots'],
    status: () => ({
      ...judge(),
      ...{ rate: rate(), queue: evaluation.waiting() },
      figures: [
        { label: 'Résultats jugés', value: evaluation.health().judged, unit: 'count' },
        { label: 'Métriques suivies', value: model.metrics.size, unit: 'count' },
        { label: 'Équipements suivis', value: model.hosts.size, unit: 'count' },
      ],
    }),
  }
}
