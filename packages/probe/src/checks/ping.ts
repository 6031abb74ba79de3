import { type CheckOutcome, detail, failed, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { runFping } from '../icmp/fping.ts'
import type { EchoPlan, EchoReport } from '../icmp/pinger.ts'
import { type CheckContext, checkRunner } from './check.ts'

/** Echoes of a run are at most this far apart; shorter time limits bring them closer. */
const SPACING_MS = 200

const FAMILIES: Readonly<Record<string, { readonly family: 4 | 6 }>> = { ipv4: { family: 4 }, ipv6: { family: 6 } }

/** ICMP echoes: loss, round-trip times, jitter. It fails when no echo is answered. */
export const ping = checkRunner('ping', async (check, parameters, context) => {
  const started = context.nowMs()
  const target = { loopback: check.loopback, ...(FAMILIES[parameters.family] ?? {}) }
  const resolved = await context.resolver.resolve(check.address, target, check.timeoutMs)
  if (resolved.failure !== null) return { values: {}, failure: resolved.failure }
  const timeoutMs = Math.max(1, check.timeoutMs - (context.nowMs() - started))
  const plan: EchoPlan = {
    address: resolved.address,
    count: parameters.count,
    size: parameters.size,
    spacingMs: Math.min(SPACING_MS, Math.floor(timeoutMs / (2 * parameters.count))),
    timeoutMs,
  }
  const report = await (context.pinger?.ping(plan) ?? viaFping(plan, context))
  return report === null ? failed('denied', fr.denied.icmp) : outcomeOf(report, plan, check.timeoutMs)
})

const viaFping = (plan: EchoPlan, { fping, onStop }: CheckContext): Promise<EchoReport | null> =>
  fping === null ? Promise.resolve(null) : runFping(fping, plan, onStop)

/** Values of a run; echoes that a time limit left unsent do not count as lost, unless none was sent at all. */
export const outcomeOf = (report: EchoReport, plan: EchoPlan, timeoutMs: number): CheckOutcome => {
  const received = report.rttsMs.length
  if (received === 0)
    return { values: report.sent > 0 ? { loss_ratio: 1 } : {}, failure: silence(report, plan, timeoutMs) }
  const sum = report.rttsMs.reduce((total, rtt) => total + rtt, 0)
  return {
    values: {
      loss_ratio: 1 - received / report.sent,
      rtt_avg: round(sum / received),
      rtt_min: round(Math.min(...report.rttsMs)),
      rtt_max: round(Math.max(...report.rttsMs)),
      jitter: round(jitterOf(report.rttsMs)),
    },
    failure: null,
    details: () => [detail(`Échos de ${plan.address}`, echoesText(report))],
  }
}

const echoesText = ({ rttsMs, sent }: EchoReport): string =>
  [...rttsMs.map(rtt => `${String(round(rtt)).replace('.', ',')} ms`), `${rttsMs.length} reçus sur ${sent}`].join('\n')

const silence = (report: EchoReport, plan: EchoPlan, timeoutMs: number) => {
  switch (report.sendError) {
    case null:
      break
    case ENETUNREACH:
      return failure('unreachable', fr.networkUnreachable(plan.address))
    case EHOSTUNREACH:
      return failure('unreachable', fr.hostUnreachable(plan.address))
    case EMSGSIZE:
      return failure('unreachable', fr.packetTooBig(plan.size))
    case EPERM:
    case EACCES:
      return failure('denied', fr.sendDenied(plan.address))
    default:
      return failure('internal', fr.sendFailed(String(report.sendError)))
  }
  if (report.error !== null) return failure('unreachable', fr.unreachableBy(fr.icmp[report.error]))
  return failure('timeout', fr.noEcho(Math.max(1, report.sent), timeoutMs))
}

const [EPERM, EACCES, EMSGSIZE, ENETUNREACH, EHOSTUNREACH] = [1, 13, 90, 101, 113]

/** Mean difference between the times of neighbouring echoes (RFC 3550 without its smoothing), 0 for a single one. */
const jitterOf = (rttsMs: readonly number[]): number => {
  let total = 0
  for (let n = 1; n < rttsMs.length; n += 1) total += Math.abs((rttsMs[n] ?? 0) - (rttsMs[n - 1] ?? 0))
  return rttsMs.length < 2 ? 0 : total / (rttsMs.length - 1)
}

/** Milliseconds with three decimals: what is below a microsecond is noise. */
const round = (ms: number): number => Math.round(ms * 1_000) / 1_000
