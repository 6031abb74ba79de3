import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { AnswerBody, CheckCredential, OrdersReply } from '@narval/contracts'
import { backoffMs, createSleeper, retryAfterWithJitter } from './backoff.ts'
import { type CheckContext, createStopper } from './checks/check.ts'
import { createRegistry } from './checks/registry.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { type KeptConfiguration, loadConfiguration, NO_CONFIGURATION, saveConfiguration } from './configuration.ts'
import { createDelivery } from './delivery.ts'
import type { Sent } from './discovery/reporter.ts'
import { enrol, fingerprintOfCode } from './enrolment.ts'
import { fr } from './fr.ts'
import { frInstall } from './fr-install.ts'
import { createHealth } from './health.ts'
import { findFping } from './icmp/fping.ts'
import { openPinger, type Pinger } from './icmp/pinger.ts'
import { type Identity, identityFile, keyFingerprint, loadIdentity } from './identity.ts'
import { createLink } from './link.ts'
import { lockFolder } from './lock.ts'
import { type Log, sayRarely } from './log.ts'
import { createOrderDesk, type OrderDesk } from './orders.ts'
import { createReception } from './reception/reception.ts'
import { createResolver } from './resolver.ts'
import { createKeyRing, rotateKey } from './rotation.ts'
import { createScheduler } from './scheduler.ts'
import { createSession, type Session } from './session.ts'
import { SPOOL_DEFAULTS } from './spool-defaults.ts'
import { openSpoolQueue, type SpoolQueue } from './spool-queue.ts'
import { unsealCheck } from './unseal.ts'
import { createVetting } from './vetting.ts'
import { createWire, type Wire } from './wire.ts'

/** A probe that runs. `failed` settles when it can't go on; otherwise it runs until it is stopped. */
export interface Probe {
  /** Ends everything, what was measured is on disk when it settles; within about 4 s. */
  readonly stop: () => Promise<void>
  readonly failed: Promise<ProbeFault>
}
/** Why the probe can't run, in French: `refusal` is for a person to mend, `broken` a fault that a restart may mend. */
export interface ProbeFault {
  readonly kind: 'refusal' | 'broken'
  readonly message: string
}

const FULL_SAID_MS = 60_000
const FLUSH_LIMIT_MS = 2_500
const POST_GRACE_MS = 500

/** Takes the data folder and starts; a fault instead of a probe when that can't be. */
export const startProbe = async (config: Config, log: Log): Promise<Probe | ProbeFault> => {
  const lock = lockFolder(config.dataFolder)
  if (!lock.held) return refusal(fr.faults.locked(config.dataFolder, lock.pid))
  const identity = readIdentity(config)
  if ('kind' in identity) {
    lock.release()
    return identity
  }
  const broken = Promise.withResolvers<ProbeFault>()
  const queue = await openQueue(config, log, broken.resolve)
  if ('kind' in queue) {
    lock.release()
    return queue
  }
  const pinger = await openPinger()
  sayPingMeans(pinger, log)
  const parts = await assemble(config, log, queue, pinger)
  const stopping = new AbortController()
  const running = talk(config, identity, log, queue, parts, stopping.signal).then(
    fault => {
      if (fault !== null) broken.resolve(fault)
    },
    error => broken.resolve({ kind: 'broken', message: String(error) }),
  )
  return {
    failed: broken.promise,
    stop: async () => {
      parts.scheduler.stop()
      parts.stopper.stop()
      await new Promise(resolve => setTimeout(resolve, queue.stats().backlog > 0 ? POST_GRACE_MS : 0))
      stopping.abort()
      await Promise.all([running, queue.close(FLUSH_LIMIT_MS)])
      await parts.reception.close()
      parts.wire.close()
      pinger?.close()
      lock.release()
    },
  }
}

const sayDropped = (log: Log): ((dropped: number) => void) => {
  let total = 0
  const say = sayRarely(
    FULL_SAID_MS,
    () => performance.now(),
    () => log.error({ dropped: total }, fr.spool.dropped),
  )
  return dropped => {
    total = dropped
    say()
  }
}

/** A probe that may not ping does the rest of its work; it says so, since each of its pings will fail. */
const sayPingMeans = (pinger: Pinger | null, log: Log): void => {
  const fping = pinger === null ? findFping() : null
  log.info({ means: pinger?.means ?? null, fping }, fr.ping.means)
  if (fping === null && (pinger?.means[4] ?? null) === null) log.warn(fr.denied.icmp)
}

const refusal = (message: string): ProbeFault => ({ kind: 'refusal', message })

const readIdentity = ({ dataFolder, enrolmentCode }: Config): Identity | ProbeFault => {
  try {
    const identity = loadIdentity(dataFolder)
    if (identity.enrolled === null) return enrolmentCode === null ? refusal(fr.faults.noCode) : identity
    const isOther =
      enrolmentCode !== null && keyFingerprint(identity.enrolled.serverKey) !== fingerprintOfCode(enrolmentCode)
    return isOther ? refusal(fr.faults.otherServer) : identity
  } catch {
    return refusal(fr.faults.badIdentity(identityFile(dataFolder)))
  }
}

const openQueue = async (
  config: Config,
  log: Log,
  onBroken: (fault: ProbeFault) => void,
): Promise<SpoolQueue | ProbeFault> => {
  try {
    return await openSpoolQueue(
      {
        ...SPOOL_DEFAULTS,
        file: join(config.dataFolder, 'spool.db'),
        bootId: randomBytes(16).toString('hex'),
        maxBytes: config.spoolMaxBytes,
      },
      {
        onFull: sayRarely(
          FULL_SAID_MS,
          () => performance.now(),
          () => log.error(fr.spool.diskFull),
        ),
        onBroken: error => onBroken({ kind: 'broken', message: `${fr.spool.failed} (${error.code})` }),
        onDropped: sayDropped(log),
        onRepaired: ({ file, kept }) => log.error({ file, kept }, frInstall.damaged),
      },
    )
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isLocked = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
    return refusal(isLocked ? fr.faults.lockedUnknown(config.dataFolder) : fr.faults.spool(message))
  }
}

type Parts = Awaited<ReturnType<typeof assemble>>

/** What measures: everything but the talk with the server. */
const assemble = async (config: Config, log: Log, queue: SpoolQueue, pinger: Pinger | null) => {
  const clock = systemClock()
  const wire = createWire(config.server, config.ca)
  const vetting = createVetting({ loopbackAllowed: config.loopback, serverEndpoint: wire.endpoint })
  const stopper = createStopper()
  const registry = createRegistry()
  const resolver = createResolver(vetting, clock.steadyMs)
  const reception = await createReception({
    ...{ resolver, log, wallMs: clock.wallMs, nowMs: clock.steadyMs },
    ...{ trapPort: config.trapPort, syslogPort: config.syslogPort, folder: config.dataFolder },
    seed: `${hostname()} ${config.dataFolder}`,
    onUrgent: scanner => scheduler.recheck([scanner]),
  })
  // What a person tries only looks at what was received.
  const context: CheckContext = {
    ...{ onStop: stopper.onStop, vetting, resolver, pinger },
    fping: pinger === null ? findFping() : null,
    reception: reception.look,
    nowMs: () => performance.now(),
  }
  const scheduled = { ...context, reception: reception.drain }
  const scheduler = createScheduler({ clock, registry, context: scheduled, onResult: queue.append })
  const health = createHealth(probeVersion(), clock, scheduler.stats, queue.stats)
  return { clock, wire, stopper, registry, context, scheduler, reception, health, log }
}

/** Enrols if need be, then talks with the server until the signal. A fault ends it. */
const talk = async (
  config: Config,
  identity: Identity,
  log: Log,
  queue: SpoolQueue,
  parts: Parts,
  signal: AbortSignal,
): Promise<ProbeFault | null> => {
  const { clock, wire, health } = parts
  const kept = loadConfiguration(config.dataFolder)
  apply(kept, parts, identity)
  const enrolled = await untilEnrolled(config, identity, wire, log, signal)
  if (enrolled === null) return null
  if (!('enrolled' in enrolled)) return enrolled
  const sleeper = createSleeper()
  const ring = createKeyRing(config.dataFolder, enrolled)
  const session = createSession({ wire, identity: enrolled, ring, nowMs: clock.wallMs })
  const desk = createOrderDesk({
    ...parts,
    identity: enrolled,
    answer: body => sendAnswer(session, body, log, signal),
    rotate: async () => {
      const reason = await rotateKey(session, ring, enrolled.enrolled.probe, signal)
      if (reason === null) log.info({ key: keyFingerprint(ring.current().publicKey) }, fr.link.rotated)
      else log.warn({ reason }, fr.link.notRotated)
      return reason
    },
  })
  log.info({ key: keyFingerprint(ring.current().publicKey) }, fr.link.ownKey)
  const common = { session, sleeper, random: Math.random, steadyMs: clock.steadyMs, log }
  const link = createLink({
    ...common,
    revision: kept.revision,
    sealKey: enrolled.sealing.publicKey,
    onReply: createObedience(config, kept, checks => apply(checks, parts, enrolled), desk, log),
  })
  const delivery = createDelivery({ ...common, queue, link, wallMs: clock.wallMs, health })
  await Promise.all([link.run(signal), delivery.run(signal)])
  return null
}

type Enrolled = Identity & { readonly enrolled: NonNullable<Identity['enrolled']> }

const untilEnrolled = async (
  config: Config,
  identity: Identity,
  wire: Wire,
  log: Log,
  signal: AbortSignal,
): Promise<Enrolled | ProbeFault | null> => {
  if (identity.enrolled !== null) return { ...identity, enrolled: identity.enrolled }
  const sleeper = createSleeper()
  const { dataFolder: folder, enrolmentCode: code, name } = config
  for (let failures = 1; code !== null && !signal.aborted; failures += 1) {
    const done = await enrol(wire, { folder, identity, code, name, version: probeVersion() }, signal)
    if (done.kind === 'refused') return refusal(done.reason)
    if (done.kind === 'enrolled') {
      log.info({ probe: done.identity.enrolled.probe }, fr.link.enrolled)
      return done.identity
    }
    if (failures === 1) log.warn(done.reason)
    const pauseMs = Math.max(
      backoffMs(failures, Math.random()),
      retryAfterWithJitter(done.retryAfterMs ?? 0, Math.random()),
    )
    await sleeper.sleep(pauseMs, signal)
  }
  return null
}

/** Does what an answer to Orders says, and keeps the configuration for the next start. */
const createObedience = (
  { dataFolder }: Config,
  initial: KeptConfiguration,
  obey: (configuration: KeptConfiguration) => void,
  desk: OrderDesk,
  log: Log,
): ((reply: OrdersReply) => void) => {
  let kept = initial
  return reply => {
    const approved = reply.state === 'online' || reply.state === 'offline'
    const next = {
      approved,
      ...(approved ? (reply.configuration ?? kept) : NO_CONFIGURATION),
    }
    const { revision, checks } = next
    if (revision !== kept.revision || approved !== kept.approved) {
      kept = { approved, revision, checks }
      saveConfiguration(dataFolder, kept)
      obey(kept)
      log.info({ revision, checks: checks.length }, fr.link.configured)
    }
    if (approved) desk.take(reply)
  }
}

const ANSWER_TIME_LIMIT_MS = 15_000
/** Tells the outcome of an order, once: whoever asked waits only so long. A part of a long one may be sent again. */
const sendAnswer = async (session: Session, body: AnswerBody, log: Log, signal: AbortSignal): Promise<Sent> => {
  const answer = await session.call('POST', '/api/Probe/Answer', JSON.stringify(body), ANSWER_TIME_LIMIT_MS, signal)
  if (answer.kind === 'signed' && answer.status < 300) return 'taken'
  log.warn({ order: body.order }, fr.orders.unanswered)
  const isRefused = answer.kind === 'signed' && answer.status >= 400 && answer.status < 500 && answer.status !== 429
  return isRefused || signal.aborted ? 'gone' : 'later'
}

const apply = (
  kept: KeptConfiguration,
  { scheduler, reception }: Pick<Parts, 'scheduler' | 'reception'>,
  identity: Identity,
): void => {
  const opened = new Map<string, CheckCredential>()
  const checks = kept.approved ? kept.checks.map(check => unsealCheck(check, identity, opened)) : []
  reception.configure(checks)
  scheduler.configure(checks)
}

/** The version of this package. */
export const probeVersion = (): string => {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : ''
}
