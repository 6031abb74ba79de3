import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { CheckDetail, FailureCode, ProbeCheck } from '@narval/contracts'
import type { CheckContext } from '../checks/check.ts'
import { type CheckFailure, type CheckOutcome, connectionFailure, detail, errorCode, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { type CertificateFacts, certificateFacts, certificateFailure, verdictFailure } from '../tls/certificate.ts'
import { peerRefusal } from '../vetting.ts'
import { createRedactor, spoken } from './redaction.ts'
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
  /** What the service says, on one line, cut and without these: they go first, half of one could stay. */
  readonly spoken: (text: string) => string
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
  const sockets = createSockets()
  const record = createRecord()
  let lastMs = startedMs
  let stage: string = serviceWords.connecting
  const fail = (code: FailureCode, message: string): ServiceFault => new ServiceFault(code, message)
  const interrupted = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => interrupted.reject(fail('timeout', serviceWords.timeout(check.timeoutMs, stage))),
    check.timeoutMs,
  )
  const forget = context.onStop(() => interrupted.reject(fail('internal', fr.stopped)))
  const run: ServiceRun = {
    ...record,
    check,
    port,
    values,
    fail,
    leftMs: () => Math.max(1, check.timeoutMs - (context.nowMs() - startedMs)),
    mark: metric => {
      const nowMs = context.nowMs()
      values[metric] = round(nowMs - lastMs)
      lastMs = nowMs
    },
    stage: words => {
      stage = words
    },
    trouble: error => troubleOf(error, { check, port, stage }),
    closed: () => fail('protocol', serviceWords.closed(stage)),
    connect: async () => {
      const address = await resolve(run, context)
      lastMs = context.nowMs()
      return open(run, context, sockets.keep(connect({ host: address, port, noDelay: true })))
    },
    secure: (socket, verify) => {
      const identity = identityOf(check.address)
      return shake(run, sockets.keep(tlsConnect({ socket, rejectUnauthorized: false, ...identity })), verify)
    },
  }
  return {
    ...run,
    interruption: interrupted.promise,
    end: problem => {
      clearTimeout(deadline)
      forget()
      sockets.end()
      return {
        values: { ...values },
        failure: problem === null ? null : failure(problem.code, record.clean(problem.message)),
        details: record.details,
      }
    },
  }
}

/** The sockets of a run, ended together. */
const createSockets = () => {
  const sockets = new Set<Socket>()
  return {
    keep: <S extends Socket>(socket: S): S => {
      sockets.add(socket)
      // Whoever waits for the socket is told of its errors; this only keeps one that comes late from being fatal.
      socket.on('error', () => undefined)
      return socket
    },
    // TLS before the connection under it: the other way round, with bytes on their way, Node itself crashes.
    end: (): void => {
      for (const socket of [...sockets].toReversed()) socket.destroy()
    },
  }
}

/** What may be shown of a run, without its secrets. */
const createRecord = () => {
  const { hide, clean } = createRedactor()
  const [notes, shown]: [string[], { label: string; text: string }[]] = [[], []]
  return {
    hide,
    clean,
    spoken: (text: string): string => spoken(clean(text)),
    note: (line: string): void => {
      if (notes.length < NOTES_MAX) notes.push(line)
    },
    show: (label: string, text: string): void => {
      shown.push({ label, text })
    },
    details: (): readonly CheckDetail[] => [
      ...(notes.length === 0 ? [] : [detail(serviceWords.exchange, clean(notes.join('\n')))]),
      ...shown.map(({ label, text }) => detail(label, clean(text))),
    ],
  }
}

const resolve = async ({ check, port, leftMs, fail }: ServiceRun, { resolver }: CheckContext): Promise<string> => {
  const resolved = await resolver.resolve(check.address, { loopback: check.loopback, port }, leftMs())
  if (resolved.failure !== null) throw fail(resolved.failure.code, resolved.failure.message)
  return resolved.address
}

const open = async (run: ServiceRun, { vetting }: CheckContext, socket: Socket): Promise<Socket> => {
  await once(socket, 'connect')
  // The address that is really connected is vetted too (S48).
  const refused = peerRefusal(vetting, socket, { loopback: run.check.loopback, port: run.port })
  if (refused !== null) throw run.fail(refused.code, refused.message)
  run.mark('connect_time')
  return socket
}

const shake = async (run: ServiceRun, secured: TLSSocket, verify: boolean): Promise<TLSSocket> => {
  run.stage(serviceWords.tls)
  await once(secured, 'secureConnect')
  run.mark('tls_time')
  const facts = certificateFacts(secured, Date.now())
  if (facts !== null) {
    run.values.expires_in = facts.expiresInS
    run.show(serviceWords.certificate, certificateText(facts))
  }
  const refused = verify ? certificateFailure(secured, run.check.address) : null
  if (refused !== null) throw run.fail(refused.code, refused.message)
  return secured
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
