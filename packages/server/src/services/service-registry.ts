import {
  PROBE_SERVICE_BASE,
  SERVICE_ERRORS_KEPT,
  SERVICES,
  type ServiceFigure,
  type ServiceHealth,
  type ServiceKey,
} from '@narval/contracts'
import type { Logger } from 'pino'
import { faultText } from './fault-text.ts'

/** How a service is, as it says itself: from memory, at once. */
export interface Status {
  readonly state: ServiceHealth
  /** A sentence; it must not change by itself from one second to the next. */
  readonly reason: string
  /** Per second. */
  readonly rate?: number | null
  readonly queue?: number | null
  readonly figures?: readonly ServiceFigure[]
  /** Since when, where the service knows better than who looks. */
  readonly sinceMs?: number | null
}

/** What is asked elsewhere (a database, a disk), never by who looks at services. */
export interface Refresh {
  readonly everyMs: number
  readonly run: () => Promise<void>
}

/** A word for one and for several. */
export type Forms = readonly [one: string, many: string]

export interface ServicePart {
  /** What rate and queue count, for one and for several. */
  readonly rateOf?: Forms
  readonly queueOf?: Forms
  readonly status: (nowMs: number) => Status
  readonly refresh?: Refresh
}

/** A probe as a service. */
export interface ProbeService {
  readonly probeId: number
  readonly name: string
  readonly version: string
  readonly siteId: number | null
  readonly status: Status
}

interface NotedError {
  readonly atMs: number
  readonly text: string
  readonly count: number
}

/** A service as it was when last looked at. */
export interface KnownService {
  readonly id: number
  readonly name: string
  readonly role: string
  readonly probe: { readonly id: number; readonly siteId: number | null } | null
  readonly version: string
  readonly rateOf: Forms
  readonly queueOf: Forms
  readonly status: Status
  readonly sinceMs: number | null
  readonly errors: readonly NotedError[]
}

export interface ServiceRegistry {
  register(key: ServiceKey, part: ServicePart): void
  /** Something failed: the newest errors of each service are kept. */
  failed(key: ServiceKey, text: string): void
  /** The same log, whose errors are noted as this service's too, said by this sentence and what failed. */
  heard(key: ServiceKey, sentence: string, log: Logger): Logger
  /** All of them as they were at the last look, internal ones first. */
  all(): readonly KnownService[]
  state(key: ServiceKey): ServiceHealth
  /** Looks at all of them, as is done each second. */
  look(): void
  /** Asks what is due elsewhere, and waits for it; for tests. */
  refresh(): Promise<void>
  start(): void
  /** Resolves once what is asked now has come. */
  stop(): Promise<void>
}

export interface ServiceRegistryDeps {
  readonly version: string
  readonly now: () => number
  readonly probes: (nowMs: number) => readonly ProbeService[]
  /** A service has another state, or another reason for it; at most once a second. */
  readonly onChange: () => void
}

const NO_FORMS: Forms = ['', '']
const LOOK_MS = 1_000
/** What is asked elsewhere and has not come by then is told as an error. */
const STUCK_MS = 15_000
const KEYS = Object.keys(SERVICES).filter((key): key is ServiceKey => Object.hasOwn(SERVICES, key))

interface Held {
  part: ServicePart
  errors: NotedError[]
  askedAt: number
  /** By the monotonic clock; null: nothing is asked now. */
  askingSince: number | null
  refreshError: string | null
  known: { readonly state: ServiceHealth; readonly reason: string; readonly sinceMs: number } | null
}

/** Every part of the server says here how it is; each second the answers are compared with those before. */
export const createServiceRegistry = (deps: ServiceRegistryDeps): ServiceRegistry => {
  const { now } = deps
  const held = new Map<ServiceKey, Held>()
  const probesBefore = new Map<number, { state: ServiceHealth; reason: string; sinceMs: number }>()
  let known: readonly KnownService[] = []
  let timer: NodeJS.Timeout | null = null
  const asked = new Set<Promise<void>>()

  const failed: ServiceRegistry['failed'] = (key, text) => {
    const one = held.get(key)
    if (one !== undefined) one.errors = withError(one.errors, { atMs: now(), text, count: 1 })
  }
  const ask = (key: ServiceKey, one: Held, refresh: Refresh): Promise<void> => {
    const done = askNow(key, one, refresh).finally(() => asked.delete(done))
    asked.add(done)
    return done
  }
  const askNow = async (key: ServiceKey, one: Held, refresh: Refresh): Promise<void> => {
    one.askingSince = one.askedAt = performance.now()
    try {
      await refresh.run()
      one.refreshError = null
    } catch (error) {
      one.refreshError = faultText(error)
      failed(key, one.refreshError)
    } finally {
      one.askingSince = null
    }
  }
  const askDue = (): void => {
    const at = performance.now()
    for (const [key, one] of held) {
      const { refresh } = one.part
      if (refresh !== undefined && one.askingSince === null && at - one.askedAt >= refresh.everyMs)
        void ask(key, one, refresh)
    }
  }
  const look = (): void => {
    const nowMs = now()
    let isChanged = false
    const internal = KEYS.flatMap((key): KnownService[] => {
      const one = held.get(key)
      if (one === undefined) return []
      const status = statusOf(one, nowMs)
      if (one.known?.state !== status.state || one.known.reason !== status.reason) {
        isChanged = true
        // What was noted by the part itself says more.
        if (status.state === 'error' && sentence(one.errors[0]?.text ?? '') !== status.reason)
          failed(key, status.reason)
      }
      const sinceMs = status.sinceMs ?? (one.known?.state === status.state ? one.known.sinceMs : nowMs)
      one.known = { state: status.state, reason: status.reason, sinceMs }
      const { rateOf = NO_FORMS, queueOf = NO_FORMS } = one.part
      const { version } = deps
      return [{ ...SERVICES[key], probe: null, version, rateOf, queueOf, status, sinceMs, errors: one.errors }]
    })
    const probes = deps.probes(nowMs).map((probe): KnownService => {
      const before = probesBefore.get(probe.probeId)
      const { state, reason } = probe.status
      if (before?.state !== state || before.reason !== reason) isChanged = true
      const sinceMs = probe.status.sinceMs ?? (before?.state === state ? before.sinceMs : nowMs)
      probesBefore.set(probe.probeId, { state, reason, sinceMs })
      return {
        ...{ id: PROBE_SERVICE_BASE + probe.probeId, name: probe.name, role: 'Sonde', version: probe.version },
        ...{
          probe: { id: probe.probeId, siteId: probe.siteId },
          rateOf: ['contrôle', 'contrôles'],
          queueOf: ['résultat', 'résultats'],
        },
        ...{ status: probe.status, sinceMs, errors: [] },
      }
    })
    if (probesBefore.size > probes.length) {
      const there = new Set(probes.map(one => one.probe?.id))
      for (const id of probesBefore.keys()) if (!there.has(id)) probesBefore.delete(id)
      isChanged = true
    }
    known = [...internal, ...probes]
    if (isChanged) deps.onChange()
  }

  return {
    register(key, part) {
      held.set(key, {
        ...{ part, errors: [], askedAt: Number.NEGATIVE_INFINITY, askingSince: null, refreshError: null, known: null },
      })
    },
    failed,
    heard: (key, sentence, log) => hearing(log, error => failed(key, `${sentence}\u202f: ${faultText(error)}`)),
    all: () => known,
    state: key => held.get(key)?.known?.state ?? 'unknown',
    look,
    async refresh() {
      await Promise.all(
        [...held].map(([key, one]) =>
          one.part.refresh === undefined || one.askingSince !== null ? null : ask(key, one, one.part.refresh),
        ),
      )
    },
    start() {
      askDue()
      look()
      timer = setInterval(() => {
        askDue()
        look()
      }, LOOK_MS)
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      await Promise.all(asked)
    },
  }
}

const statusOf = (one: Held, nowMs: number): Status => {
  const { status, refresh } = one.part
  if (refresh !== undefined && one.askingSince !== null && performance.now() - one.askingSince >= STUCK_MS)
    return { state: 'error', reason: 'Ne répond plus.' }
  try {
    const said = status(nowMs)
    return one.refreshError === null ? said : { ...said, state: 'error', reason: sentence(one.refreshError) }
  } catch (error) {
    return { state: 'unknown', reason: sentence(`Son état n’a pas pu être lu\u202f: ${faultText(error)}`) }
  }
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/** The newest first; the same again is counted. */
const withError = (errors: readonly NotedError[], error: NotedError): NotedError[] => {
  const [first, ...rest] = errors
  if (first?.text === error.text) return [{ ...error, count: first.count + 1 }, ...rest]
  return [error, ...errors].slice(0, SERVICE_ERRORS_KEPT)
}

/** The same log; whoever writes an error by it is heard. */
const hearing = (log: Logger, onError: (error: unknown) => void): Logger =>
  new Proxy(log, {
    get(target, key, receiver) {
      if (key !== 'error') return Reflect.get(target, key, receiver)
      return (first: unknown, ...rest: unknown[]) => {
        onError(typeof first === 'object' && first !== null && 'err' in first ? first.err : first)
        Reflect.apply(target.error, target, [first, ...rest])
      }
    },
  })
