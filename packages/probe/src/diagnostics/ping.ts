import { setTimeout as pause } from 'node:timers/promises'
import { fr } from '../fr.ts'
import { runFping } from '../icmp/fping.ts'
import type { EchoPlan } from '../icmp/pinger.ts'
import type { Attempt, Attempted } from './diagnostic.ts'
import { frDiagnostics } from './fr-diagnostics.ts'

const ECHO_MS = 1_000
const SPACING_MS = 200
const RESOLVE_MS = 5_000

/** Echoes one by one, each with its time. */
export const diagnosePing = async (
  { task, context, loopback, say }: Attempt<'ping'>,
  isOver: () => boolean,
): Attempted => {
  const { pinger, fping, onStop, resolver } = context
  const resolved = await resolver.resolve(task.address, { loopback }, RESOLVE_MS, true)
  if (resolved.failure !== null) return resolved.failure.message
  const { address } = resolved
  say(frDiagnostics.ping.towards(task.address, address))
  const plan: EchoPlan = { address, count: 1, size: 56, spacingMs: ECHO_MS, timeoutMs: ECHO_MS }
  const times: number[] = []
  for (let rank = 1; rank <= task.count && !isOver(); rank += 1) {
    const report = await (pinger?.ping(plan) ?? (fping === null ? null : runFping(fping, plan, onStop)))
    if (report === null) return fr.denied.icmp
    const rttMs = report.rttsMs[0]
    if (rttMs !== undefined) times.push(rttMs)
    if (!isOver()) say(rttMs === undefined ? frDiagnostics.ping.silent(rank) : frDiagnostics.ping.echo(rank, rttMs))
    if (rank < task.count) await pause(SPACING_MS)
  }
  if (isOver()) return null
  say('')
  say(frDiagnostics.ping.sum(task.count, times.length))
  if (times.length === 0) return fr.noEcho(task.count, ECHO_MS)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  say(frDiagnostics.ping.times(Math.min(...times), mean, Math.max(...times)))
  return null
}
