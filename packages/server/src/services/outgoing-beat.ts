import type { ServiceHealth, ServiceKey, Settings } from '@narval/contracts'
import { type GuardedAnswer, guardedRequest } from '../outgoing/guarded-request.ts'
import { toIsoOrNull } from '../store/time.ts'
import type { ServicePart, Status } from './service-registry.ts'

export interface OutgoingBeat {
  readonly part: ServicePart
  /** Looks whether a beat is due, and sends it; done each second. */
  tick(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export interface OutgoingBeatDeps {
  readonly settings: () => Pick<Settings, 'beatUrl' | 'beatSeconds'>
  /** Null while nothing keeps it from being sent. */
  readonly holdBack: () => string | null
  /** Done by judging itself, in its turn, with a write to the database. */
  readonly prove: () => Promise<void>
  readonly failed: (text: string) => void
  readonly now: () => number
  readonly request?: typeof guardedRequest
  /** How long a proof may take: beyond, judging stands still. */
  readonly patienceMs?: number
}

/** Services without which nobody is told of anything any more. */
const NEEDED = ['database', 'samples', 'judging', 'ingest', 'notifier'] as const satisfies readonly ServiceKey[]
const WORDS: Readonly<Record<(typeof NEEDED)[number], string>> = {
  database: 'la base de données est en erreur',
  samples: 'le magasin de mesures est en erreur',
  judging: 'le jugement est en erreur',
  ingest: 'les lots des sondes sont refusés',
  notifier: 'les notifications sont arrêtées',
}
/** Why a server whose services are so must not say that all is well; null: it may. */
export const whyNotWell = (stateOf: (key: ServiceKey) => ServiceHealth): string | null => {
  const ill = NEEDED.find(key => stateOf(key) === 'error')
  return ill === undefined ? null : WORDS[ill]
}

const TICK_MS = 1_000
const PATIENCE_MS = 10_000
/** Beats in a row that did not arrive before it is an error. */
const MISSED = 3

/**
 * Calls the address of the settings while the server truly works: its services are sound, and judging, in its turn, has the
 * database write. An outside service that hears nothing any more knows that Narval is dead (R23).
 */
export const createOutgoingBeat = (deps: OutgoingBeatDeps): OutgoingBeat => {
  const { settings, now, request = guardedRequest, patienceMs = PATIENCE_MS } = deps
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let underWay: Promise<void> | null = null
  let proving: Promise<void> | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let sentMs: number | null = null
  let missed = 0
  let heldBack: string | null = null
  let url = ''

  /** One proof at a time: where judging stands still, none is queued behind the other. */
  const proved = async (): Promise<string | null> => {
    proving ??= deps.prove().finally(() => {
      proving = null
    })
    const late = Promise.withResolvers<string>()
    const patience = setTimeout(() => late.resolve('le jugement ou l’écriture n’avance plus'), patienceMs)
    const done = proving.then(
      () => null,
      () => 'la base n’accepte pas ce qui est écrit',
    )
    return Promise.race([done, late.promise]).finally(() => clearTimeout(patience))
  }
  const beat = async (): Promise<void> => {
    const why = deps.holdBack() ?? (await proved())
    if (why !== null) {
      if (heldBack !== why) deps.failed(`Battement retenu\u202f: ${why}`)
      heldBack = why
      return
    }
    heldBack = null
    const fault = faultOf(
      await request({ url, method: 'GET', headers: { 'user-agent': 'Narval' }, body: null }, stopping.signal),
      hostOf(url),
    )
    if (stopping.signal.aborted) return
    if (fault === null) {
      sentMs = now()
      missed = 0
    } else {
      missed += 1
      deps.failed(fault)
    }
  }
  const tick = async (): Promise<void> => {
    const { beatUrl, beatSeconds } = settings()
    if (beatUrl !== url) {
      url = beatUrl
      sentMs = heldBack = null
      missed = 0
      triedAt = Number.NEGATIVE_INFINITY
    }
    if (url === '' || underWay !== null || performance.now() - triedAt < beatSeconds * 1_000) return
    triedAt = performance.now()
    underWay = beat().finally(() => {
      underWay = null
    })
    await underWay
  }
  const judge = (): Status => {
    if (url === '') return { state: 'off', reason: 'Désactivé\u202f: aucune adresse n’est donnée dans les paramètres.' }
    const to = hostOf(url)
    if (heldBack !== null) return { state: 'error', reason: `Retenu\u202f: ${heldBack}.` }
    if (missed >= MISSED) return { state: 'error', reason: `N’arrive plus chez ${to}.` }
    if (missed > 0) return { state: 'warning', reason: `N’est pas arrivé chez ${to}.` }
    if (sentMs === null) return { state: 'unknown', reason: 'Le premier n’est pas encore parti.' }
    return { state: 'ok', reason: `Arrive chez ${to}.` }
  }
  return {
    tick,
    start() {
      timer = setInterval(() => void tick(), TICK_MS)
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      stopping.abort()
      await underWay
    },
    part: {
      status: () => ({
        ...judge(),
        figures: [
          { label: 'Vers', value: url === '' ? null : hostOf(url), unit: 'text' },
          { label: 'Période', value: url === '' ? null : settings().beatSeconds * 1_000, unit: 'ms' },
          { label: 'Dernier arrivé', value: toIsoOrNull(sentMs), unit: 'instant' },
          { label: 'Manqués de suite', value: url === '' ? null : missed, unit: 'count' },
        ],
      }),
    },
  }
}

/** The machine of an address: the rest of it may be a secret. */
const hostOf = (address: string): string => URL.parse(address)?.host ?? ''

const faultOf = (answer: GuardedAnswer, to: string): string | null => {
  if (answer.kind === 'fault') return answer.error
  const { status } = answer
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `${to} renvoie ailleurs, ce qui n’est pas suivi (${status}).`
    : `${to} a répondu ${status}.`
}
