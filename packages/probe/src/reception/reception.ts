import type { ProbeCheck } from '@narval/contracts'
import type { CheckOutcome } from '../failure.ts'
import { detail, failed } from '../failure.ts'
import type { Log } from '../log.ts'
import { sayRarely } from '../log.ts'
import type { Resolver } from '../resolver.ts'
import { CALM, heldValue } from './held-state.ts'
import { createInbox, INBOX_LIMITS, type InboxLimits } from './inbox.ts'
import { createListener, type Listener } from './listeners.ts'
import { createOwnEngine } from './own-engine.ts'
import { type OnBytes, openTcpPort, openUdpPort, type Port } from './ports.ts'
import { RECEIVED, type ReceivedKind, words } from './reception-words.ts'
import { openStateFile } from './state-file.ts'

/** Receives what equipment sends, and gives it to the scanners of the address that it came from. */
export interface Reception {
  /** The checks of this probe; those that wait for messages listen from now on. */
  readonly configure: (checks: readonly ProbeCheck[]) => void
  /** What a check received since its last run. */
  readonly drain: (check: ProbeCheck) => Promise<CheckOutcome>
  /** What it would say, for a person who tries it: nothing is taken out. */
  readonly look: (check: ProbeCheck) => Promise<CheckOutcome>
  readonly ports: () => Readonly<Record<ReceivedKind, number | null>>
  readonly close: () => Promise<void>
}

export interface ReceptionOptions {
  /** Null: not listened on; 0: any free port. */
  readonly trapPort: number | null
  readonly syslogPort: number | null
  readonly folder: string
  /** Tells this probe's SNMPv3 engine from others. */
  readonly seed: string
  readonly resolver: Resolver
  readonly nowMs: () => number
  readonly wallMs: () => number
  /** A scanner has something that does not wait for its next run. */
  readonly onUrgent: (scanner: number) => void
  readonly log: Log
  readonly limits?: InboxLimits
}

/** Messages are read for so long at once, then others get their turn: a fifth of one core at most. */
const WORK_MS = 4
const REST_MS = 16
/** Messages of one address kept for who looks at them. */
const RECENT_MAX = 20
/** A scanner asks for a run out of schedule no more often than this. */
const URGENT_GAP_MS = 5_000
const STRANGERS_SAID_MS = 5 * 60_000

export const createReception = async (options: ReceptionOptions): Promise<Reception> => {
  const { nowMs, wallMs, log } = options
  const file = openStateFile(options.folder, error => log.error({ err: error }, words.unsaved))
  const engine = createOwnEngine(options.seed, file.boots, nowMs)
  const inbox = createInbox(options.limits ?? INBOX_LIMITS)
  const listeners = new Map<number, Listener>()
  const bySource = new Map<string, Listener[]>()
  const recent = new Map<string, string[]>()
  const strangers = { count: 0, last: '' }
  const urgent = createUrgency(options)
  let pumping: NodeJS.Timeout | null = null

  const place = (listener: Listener, source: string): void => {
    if (listener.source === source) return
    displace(listener)
    listener.source = source
    const key = `${listener.kind} ${source}`
    listener.dropped = inbox.dropped(key)
    bySource.set(key, [...(bySource.get(key) ?? []), listener])
  }
  const displace = (listener: Listener): void => {
    const key = `${listener.kind} ${listener.source}`
    const left = (bySource.get(key) ?? []).filter(one => one !== listener)
    if (left.length > 0) bySource.set(key, left)
    else {
      bySource.delete(key)
      recent.delete(key)
    }
    listener.source = null
  }
  const locate = async (listener: Listener): Promise<CheckOutcome | null> => {
    const { address, loopback, timeoutMs } = listener.check
    const resolved = await options.resolver.resolve(address, { loopback }, timeoutMs)
    if (listeners.get(listener.check.scanner) !== listener) return failed('internal', words.notConfigured)
    if (resolved.failure !== null) {
      displace(listener)
      return { values: {}, failure: resolved.failure }
    }
    place(listener, resolved.address)
    return null
  }
  const sayStrangers = sayRarely(STRANGERS_SAID_MS, nowMs, () => log.warn({ ...strangers }, words.strangers))
  const receive =
    (kind: ReceivedKind): OnBytes =>
    (source, bytes, reply) => {
      const key = `${kind} ${source}`
      if (!bySource.has(key)) {
        strangers.count += 1
        strangers.last = source
        return sayStrangers()
      }
      const message = { bytes, atMs: wallMs(), ...(reply === undefined ? {} : { reply }) }
      if (inbox.put(key, message)) pumping ??= setTimeout(pump, 0)
    }
  const pump = (): void => {
    const endMs = nowMs() + WORK_MS
    while (nowMs() < endMs) {
      const next = inbox.take()
      if (next === null) {
        pumping = null
        return
      }
      hear(next.source, next.message)
    }
    pumping = setTimeout(pump, REST_MS)
  }
  const hear = (key: string, message: { bytes: Buffer; atMs: number; reply?: (bytes: Buffer) => void }): void => {
    let isAnswered = false
    let shown: string | null = null
    for (const listener of bySource.get(key) ?? []) {
      const heard = listener.hear(message.bytes, listener.source ?? '', message.atMs, wallMs())
      if (heard.reply !== null && !isAnswered) message.reply?.(heard.reply)
      isAnswered ||= heard.reply !== null
      shown ??= heard.text
      if (!heard.urgent) continue
      file.keep(listener.check.scanner, listener.box.held())
      urgent.ask(listener.check.scanner)
    }
    if (shown === null) return
    const texts = recent.get(key) ?? []
    texts.push(`${new Date(message.atMs).toISOString()} ${shown}`)
    if (texts.length > RECENT_MAX) texts.shift()
    recent.set(key, texts)
  }

  const onFault = (kind: ReceivedKind, port: number) => {
    let last = ''
    const say = sayRarely(STRANGERS_SAID_MS, nowMs, () => log.warn(words.port(kind, port, last)))
    return (code: string): void => {
      last = code
      say()
    }
  }
  const ports = await openPorts(options, receive, source => bySource.has(`syslog ${source}`), onFault)
  for (const kind of RECEIVED) {
    const port = ports[kind][0]?.port() ?? null
    if (port !== null) log.info(words.listening(kind, port))
  }
  const blocked = (kind: ReceivedKind): CheckOutcome | null => {
    const wanted = kind === 'trap' ? options.trapPort : options.syslogPort
    if (wanted === null) return failed('denied', words.off(kind))
    const fault = faultOf(ports[kind])
    return fault === null ? null : failed('denied', words.port(kind, wanted, fault))
  }
  const stateOf = (listener: Listener): void => {
    const held = listener.box.held()
    file.keep(listener.check.scanner, heldValue(held, wallMs()) === 0 ? CALM : held)
  }

  return {
    configure: checks => {
      const wanted = new Map(checks.map(check => [check.scanner, check]))
      for (const [scanner, listener] of listeners) {
        const check = wanted.get(scanner)
        if (check !== undefined && JSON.stringify(check) === JSON.stringify(listener.check)) continue
        displace(listener)
        listeners.delete(scanner)
        // Nothing is configured while the server has not spoken yet: what lasted is kept for then.
        if (check === undefined && checks.length > 0) file.forget(scanner)
      }
      for (const check of checks) {
        if (listeners.has(check.scanner)) continue
        const listener = createListener(check, file.heldOf(check.scanner), engine)
        if (listener === null) continue
        listeners.set(check.scanner, listener)
        void locate(listener)
      }
    },
    drain: async check => {
      const listener = listeners.get(check.scanner)
      if (listener === undefined) return failed('internal', words.notConfigured)
      const failure = blocked(listener.kind) ?? (await locate(listener))
      if (failure !== null) return failure
      const lost = inbox.dropped(`${listener.kind} ${listener.source}`)
      const drained = listener.box.drain(lost - listener.dropped, wallMs())
      listener.dropped = lost
      stateOf(listener)
      return { ...drained, failure: null }
    },
    look: async check => {
      const kind = check.kind === 'trap' ? 'trap' : 'syslog'
      const failure = blocked(kind)
      if (failure !== null) return failure
      const target = { loopback: check.loopback }
      const resolved = await options.resolver.resolve(check.address, target, check.timeoutMs)
      if (resolved.failure !== null) return { values: {}, failure: resolved.failure }
      const known = listeners.get(check.scanner)
      const texts = recent.get(`${kind} ${resolved.address}`) ?? []
      const { details } = words
      return {
        values: known === undefined ? {} : { state: heldValue(known.box.held(), wallMs()) },
        failure: null,
        details: () => [
          detail(details.listening, words.listening(kind, ports[kind][0]?.port() ?? 0)),
          detail(details.source, resolved.address),
          detail(details.recent, texts.length === 0 ? details.none : texts.join('\n')),
          detail(details.strangers, strangers.count === 0 ? '0' : `${strangers.count} (${strangers.last})`),
        ],
      }
    },
    ports: () => ({ trap: ports.trap[0]?.port() ?? null, syslog: ports.syslog[0]?.port() ?? null }),
    close: async () => {
      if (pumping !== null) clearTimeout(pumping)
      urgent.stop()
      await Promise.all([...ports.trap, ...ports.syslog].map(port => port.close()))
      for (const listener of listeners.values()) stateOf(listener)
      file.close()
    },
  }
}

type Ports = Readonly<Record<ReceivedKind, readonly Port[]>>

const faultOf = (ports: readonly Port[]): string | null =>
  ports.map(port => port.fault()).find(fault => fault !== null) ?? null

/** Opens what is asked for; syslog by UDP and TCP on the same port. */
const openPorts = async (
  { trapPort, syslogPort }: ReceptionOptions,
  receive: (kind: ReceivedKind) => OnBytes,
  isKnown: (source: string) => boolean,
  onFault: (kind: ReceivedKind, port: number) => (code: string) => void,
): Promise<Ports> => {
  const of = (kind: ReceivedKind, port: number) => ({ port, onBytes: receive(kind), onFault: onFault(kind, port) })
  const trap = trapPort === null ? [] : [await openUdpPort(of('trap', trapPort))]
  if (syslogPort === null) return { trap, syslog: [] }
  const tcp = await openTcpPort({ ...of('syslog', syslogPort), isKnown })
  // A free port was asked for: UDP takes the one that TCP got, of whose ports far more are taken.
  const udp = await openUdpPort(of('syslog', tcp.port() ?? syslogPort))
  return { trap, syslog: [udp, tcp] }
}

/** Asks for runs at once, but not more than one of a scanner in a while; what comes meanwhile asks once more at its end. */
const createUrgency = ({ onUrgent }: ReceptionOptions) => {
  const waiting = new Map<number, { timer: NodeJS.Timeout; again: boolean }>()
  const ask = (scanner: number): void => {
    const known = waiting.get(scanner)
    if (known !== undefined) {
      known.again = true
      return
    }
    onUrgent(scanner)
    const entry = { timer: setTimeout(() => end(scanner), URGENT_GAP_MS), again: false }
    waiting.set(scanner, entry)
  }
  const end = (scanner: number): void => {
    const again = waiting.get(scanner)?.again === true
    waiting.delete(scanner)
    if (again) ask(scanner)
  }
  return {
    ask,
    stop: () => {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
