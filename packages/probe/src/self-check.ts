import { accessSync, constants, existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { PROBE_CLOCK_TOLERANCE_MS } from '@narval/contracts'
import type { Config } from './config.ts'
import { loadConfiguration } from './configuration.ts'
import { parseJson } from './enrolment.ts'
import { errorCode } from './failure.ts'
import type { Finding } from './finding.ts'
import { fr } from './fr.ts'
import { frInstall } from './fr-install.ts'
import { findFping } from './icmp/fping.ts'
import { openPinger, type Pinger } from './icmp/pinger.ts'
import { type Identity, identityFile, keyFingerprint, loadIdentity } from './identity.ts'
import { holderOf } from './lock.ts'
import { examineReception } from './reception/examine.ts'
import { createSession, type SessionAnswer, sentenceOf } from './session.ts'
import { openSpool } from './spool.ts'
import { SPOOL_DEFAULTS } from './spool-defaults.ts'
import { createWire, type Wire } from './wire.ts'

export type { Finding }

const { check: words } = frInstall
/** A clock further off than this is worth a word; beyond the wire's tolerance nothing is accepted. */
const SKEW_MS = 30_000
const CALL_LIMIT_MS = 10_000
const ECHO_LIMIT_MS = 1_000
const NEVER = new AbortController().signal

const ok = (text: string): Finding => ({ level: 'ok', text })
const warning = (text: string): Finding => ({ level: 'warning', text })
const fault = (text: string): Finding => ({ level: 'fault', text })

/**
 * Looks at everything that the probe needs, and changes nothing: the folder, who it is, its spool, its rights, the server,
 * the clock. An enrolled probe speaks to the server, for which that is a contact like any other.
 */
export const examine = async (config: Config): Promise<readonly Finding[]> => {
  const identity = readIdentity(config)
  const wire = createWire(config.server, config.ca)
  try {
    return [
      ...examineFolder(config),
      ...examineIdentity(config, identity),
      ...examineSpool(config),
      ...(await examinePing()),
      ...(await examineReception(config)),
      ...(await examineServer(config, wire, identity instanceof Error ? null : identity)),
    ]
  } finally {
    wire.close()
  }
}

const examineFolder = ({ dataFolder, spoolMaxBytes }: Config): Finding[] => {
  const draft = join(dataFolder, `.essai.${process.pid}`)
  try {
    writeFileSync(draft, 'narval', { flush: true })
  } catch (error) {
    return [fault(words.writeFailed(dataFolder, errorCode(error)))]
  } finally {
    rmSync(draft, { force: true })
  }
  const { bavail, bsize } = statfsSync(dataFolder)
  const free = bavail * bsize
  const spool = join(dataFolder, 'spool.db')
  const wanted = Math.max(0, spoolMaxBytes - (existsSync(spool) ? statSync(spool).size : 0))
  const found = [ok(words.folder(dataFolder, free))]
  return free < wanted ? [...found, warning(words.littleRoom(free, wanted))] : found
}

/** Null when there is none yet: an examination makes none. */
const readIdentity = ({ dataFolder }: Config): Identity | null | Error => {
  if (!existsSync(identityFile(dataFolder))) return null
  try {
    return loadIdentity(dataFolder)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const examineIdentity = ({ dataFolder, enrolmentCode }: Config, identity: Identity | null | Error): Finding[] => {
  const file = identityFile(dataFolder)
  if (identity instanceof Error) return [fault(fr.faults.badIdentity(file))]
  const isOpen = identity !== null && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  const open = isOpen ? [warning(words.openIdentity(file))] : []
  if (identity?.enrolled) {
    const { probe, serverKey } = identity.enrolled
    return [ok(words.enrolled(probe, keyFingerprint(serverKey))), ...open]
  }
  return [enrolmentCode === null ? fault(fr.faults.noCode) : ok(words.willEnrol), ...open]
}

/** The spool belongs to the probe that runs, if one does: then nothing of it can be read. */
const examineSpool = ({ dataFolder, spoolMaxBytes }: Config): Finding[] => {
  const holder = holderOf(dataFolder)
  if (holder !== null) return [ok(words.running(holder))]
  const file = join(dataFolder, 'spool.db')
  if (!existsSync(file)) return [ok(words.queueEmpty)]
  try {
    const spool = openSpool({ ...SPOOL_DEFAULTS, file, bootId: '0'.repeat(16), maxBytes: spoolMaxBytes })
    const { backlog, oldestMs, bytes, quarantined } = spool.stats()
    spool.close()
    return [
      ok(oldestMs === null ? words.queueEmpty : words.queue(backlog, Math.max(0, Date.now() - oldestMs), bytes)),
      ...(quarantined > 0 ? [warning(words.quarantined(quarantined))] : []),
    ]
  } catch (error) {
    return [warning(fr.faults.spool(errorCode(error) || (error instanceof Error ? error.message : String(error))))]
  }
}

const PING_GROUPS = '/proc/sys/net/ipv4/ping_group_range'

/** Opens the sockets that checks will use, and proves them with an echo of this very machine. */
const examinePing = async (): Promise<Finding[]> => {
  const pinger = await openPinger()
  // fping is the way out only where no socket at all is given.
  const fping = pinger === null ? findFping() : null
  const found = await Promise.all(([4, 6] as const).map(family => examineFamily(family, pinger, fping)))
  pinger?.close()
  if (found.every(({ level }) => level === 'ok')) return found
  const range = readOr(PING_GROUPS, '?').trim().replace(/\s+/, '–')
  return [...found, warning(words.pingGroups(range, (process.getgroups?.() ?? []).join(', ')))]
}

const examineFamily = async (family: 4 | 6, pinger: Pinger | null, fping: string | null): Promise<Finding> => {
  const means = pinger?.means[family] ?? null
  if (means === null) {
    if (fping !== null) return warning(words.icmp(family, words.means.fping))
    return family === 4 ? fault(fr.denied.icmp) : warning(words.noPing(family))
  }
  const address = family === 4 ? '127.0.0.1' : '::1'
  const report = await pinger?.ping({ address, count: 1, size: 56, spacingMs: 10, timeoutMs: ECHO_LIMIT_MS })
  const [rttMs] = report?.rttsMs ?? []
  if (rttMs !== undefined) return ok(words.echo(family, words.means[means], address, rttMs))
  return warning(words.noEcho(family, words.means[means], address))
}

const readOr = (file: string, otherwise: string): string => {
  try {
    accessSync(file, constants.R_OK)
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

const examineServer = async (config: Config, wire: Wire, identity: Identity | null): Promise<Finding[]> => {
  const { origin } = config.server
  const startedMs = performance.now()
  const asked = { method: 'GET', path: '/health/live', headers: {}, body: null, timeLimitMs: CALL_LIMIT_MS } as const
  const answer = await wire.call(asked, NEVER)
  if (answer.kind === 'failed') return [fault(words.unreached(origin, answer.reason))]
  const reached =
    answer.status === 200
      ? ok(words.reached(origin, performance.now() - startedMs))
      : warning(words.oddAnswer(origin, answer.status))
  const date = Date.parse(answer.headers.date ?? '')
  const clock = Number.isFinite(date) ? [examineClock(Date.now() - date)] : []
  const enrolled = identity?.enrolled
  if (identity === null || enrolled === null || enrolled === undefined) return [reached, ...clock]
  const session = createSession({ wire, identity: { ...identity, enrolled }, nowMs: Date.now })
  const { revision } = loadConfiguration(config.dataFolder)
  const path = `/api/Probe/Orders?after=0&revision=${encodeURIComponent(revision)}&wait=0`
  return [reached, ...clock, recognised(await session.call('GET', path, null, CALL_LIMIT_MS, NEVER))]
}

/** The server's Date is in whole seconds. */
const examineClock = (skewMs: number): Finding => {
  if (Math.abs(skewMs) < SKEW_MS) return ok(words.clock(skewMs))
  return Math.abs(skewMs) < PROBE_CLOCK_TOLERANCE_MS ? warning(words.clockFar(skewMs)) : fault(words.clockFar(skewMs))
}

const recognised = (answer: SessionAnswer): Finding => {
  if (answer.kind === 'failed') return fault(answer.reason)
  if (answer.kind === 'impostor') return fault(fr.link.wrongKey)
  if (answer.kind === 'unsigned') {
    return fault(answer.status === 401 ? fr.link.unauthorised : fr.link.unsigned(answer.status))
  }
  if (answer.status !== 200) return fault(sentenceOf(answer.status, answer.body))
  const state = stateOf(parseJson(answer.body))
  if (state === 'revoked') return fault(fr.link.revoked)
  return state === 'pending' ? warning(fr.link.pending) : ok(words.known)
}

const stateOf = (reply: unknown): unknown =>
  typeof reply === 'object' && reply !== null && 'state' in reply ? reply.state : null
