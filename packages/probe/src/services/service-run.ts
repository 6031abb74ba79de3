import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { CheckDetail, FailureCode, ProbeCheck } from '@narval/contracts'
import type { CheckContext } from '../checks/check.ts'
import { type CheckFailure, type CheckOutcome, connectionFailure, detail, errorCode, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { type CertificateFacts, certificateFacts, certificateFailure, verdictFailure } from '../tls/certificate.ts'
import { createRedactor } from './redaction.ts'
import { serviceWords } from './service-words.ts'

/** Ends a run with a failure in words. */
export class ServiceFault extends Error {
  readonly failure: CheckFailure
  constructor(code: FailureCode, message: string) {
    super(message)
    this.failure = failure(code, message)
  }
}

/** One run of a check that speaks with a service: its stages, its sockets, and what may be shown of it. */
export interface ServiceRun {
  readonly check: ProbeCheck
  readonly port: number
  readonly values: Record<string, number>
  /** Names what goes on from now: it completes the words of a time limit. */
  readonly stage: (words: string) => void
  /** Ends a stage: its duration is the time since the last mark. */
  readonly mark: (metric: string) => void
  /** Milliseconds left of the check, at least one. */
  readonly leftMs: () => number
  /** A connection to the equipment, resolved and vetted. */
  readonly connect: () => Promise<Socket>
  /** TLS over a connection; the certificate is verified before anything is sent, unless it is not to be. */
  readonly secure: (socket: Socket, verify: boolean) => Promise<TLSSocket>
  /** A text that must show up nowhere, not even when the service repeats it. */
  readonly hide: (secret: string) => void
  /** Adds a line to what a test shows. */
  readonly note: (line: string) => void
  readonly show: (label: string, text: string) => void
  /** What the socket's trouble is called at this stage. */
  readonly trouble: (error: unknown) => CheckFailure
  readonly fail: (code: FailureCode, message: string) => ServiceFault
  readonly closed: () => ServiceFault
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000
/** Lines of an exchange that a test shows. */
const NOTES_MAX = 200

/** Runs `work` within the check's time limit; whatever it throws is a failure in words, and its sockets are ended. */
export const runService = async (
  check: ProbeCheck,
  port: number,
  context: CheckContext,
  work: (run: ServiceRun) => Promise<void>,
): Promise<CheckOutcome> => {
  const run = createRun(check, port, context)
  const working = work(run)
  working.catch(() => undefined)
  const problem = await Promise.race([working, run.interruption]).then(
    () => null,
    (error: unknown) => (error instanceof ServiceFault ? error.failure : run.trouble(error)),
  )
  return run.end(problem)
}

interface OwnedRun extends ServiceRun {
  /** Rejects when the time is up or the probe stops. */
  readonly interruption: Promise<never>
  readonly end: (problem: CheckFailure | null) => CheckOutcome
}

const createRun = (check: ProbeCheck, port: number, context: CheckContext): OwnedRun => {
  const startedMs = context.nowMs()
  const values: Record<string, number> = {}
  const sockets = new Set<Socket>()
  const [notes, shown]: [string[], { label: string; text: string }[]] = [[], []]
  const redactor = createRedactor()
  let lastMs = startedMs
  let stage: string = serviceWords.connecting
  const mark = (metric: string): void => {
    const nowMs = context.nowMs()
    values[metric] = round(nowMs - lastMs)
    lastMs = nowMs
  }
  const leftMs = (): number => Math.max(1, check.timeoutMs - (context.nowMs() - startedMs))
  const fail = (code: FailureCode, message: string): ServiceFault => new ServiceFault(code, message)
  const trouble = (error: unknown): CheckFailure => troubleOf(error, { check, port, stage })
  const interrupted = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => interrupted.reject(fail('timeout', serviceWords.timeout(check.timeoutMs, stage))),
    check.timeoutMs,
  )
  const forget = context.onStop(() => interrupted.reject(fail('internal', fr.stopped)))
  const show = (label: string, text: string): void => {
    shown.push({ label, text })
  }
  const keep = <S extends Socket>(socket: S): S => {
    sockets.add(socket)
    // Whoever waits for the socket is told of its errors; this only keeps one that comes late from being fatal.
    socket.on('error', () => undefined)
    return socket
  }
  return {
    check,
    port,
    values,
    leftMs,
    mark,
    fail,
    trouble,
    show,
    interruption: interrupted.promise,
    stage: words => {
      stage = words
    },
    closed: () => fail('protocol', serviceWords.closed(stage)),
    hide: redactor.hide,
    note: line => {
      if (notes.length < NOTES_MAX) notes.push(line)
    },
    connect: async () => {
      const target = { loopback: check.loopback, port }
      const resolved = await context.resolver.resolve(check.address, target, leftMs())
      if (resolved.failure !== null) throw fail(resolved.failure.code, resolved.failure.message)
      lastMs = context.nowMs()
      const socket = keep(connect({ host: resolved.address, port, noDelay: true }))
      await once(socket, 'connect')
      // The address that is really connected is vetted too (S48).
      const refused = context.vetting.refusal(socket.remoteAddress ?? '', target)
      if (refused !== null) throw fail(refused.code, refused.message)
      mark('connect_time')
      return socket
    },
    secure: async (socket, verify) => {
      stage = serviceWords.tls
      const secured = keep(tlsConnect({ socket, rejectUnauthorized: false, ...identityOf(check.address) }))
      await once(secured, 'secureConnect')
      mark('tls_time')
      const facts = certificateFacts(secured, Date.now())
      if (facts !== null) {
        values.expires_in = facts.expiresInS
        show(serviceWords.certificate, certificateText(facts))
      }
      const refused = verify ? certificateFailure(secured, check.address) : null
      if (refused !== null) throw fail(refused.code, refused.message)
      return secured
    },
    end: problem => {
      clearTimeout(deadline)
      forget()
      // TLS before the connection under it: the other way round, with bytes on their way, Node itself crashes.
      for (const socket of [...sockets].toReversed()) socket.destroy()
      return {
        values: { ...values },
        failure: problem === null ? null : failure(problem.code, redactor.clean(problem.message)),
        details: () => detailsOf(notes, shown, redactor.clean),
      }
    },
  }
}

/** The name that a certificate must bear; an address is compared too, but is no server name (RFC 6066). */
const identityOf = (address: string) => ({ host: address, ...(isIP(address) === 0 ? { servername: address } : {}) })

const certificateText = ({ chain, names, fingerprint }: CertificateFacts): string =>
  [
    ...chain.map(one => `${one.subject} : émis par ${one.issuer}, valable jusqu’au ${one.until}`),
    `noms couverts : ${names}`,
    `empreinte SHA-256 : ${fingerprint}`,
  ].join('\n')

const troubleOf = (
  error: unknown,
  { check, port, stage }: { check: ProbeCheck; port: number; stage: string },
): CheckFailure => {
  const { address, timeoutMs } = check
  const named = verdictFailure(errorCode(error), address)
  const found = named ?? connectionFailure(error, `${address}, port ${port}`, timeoutMs)
  if (found.code === 'timeout') return failure('timeout', serviceWords.timeout(timeoutMs, stage))
  return found.message === fr.reset ? failure('protocol', serviceWords.reset(stage)) : found
}

const detailsOf = (
  notes: readonly string[],
  shown: readonly { readonly label: string; readonly text: string }[],
  clean: (text: string) => string,
): readonly CheckDetail[] => [
  ...(notes.length === 0 ? [] : [detail(serviceWords.exchange, clean(notes.join('\n')))]),
  ...shown.map(({ label, text }) => detail(label, clean(text))),
]
