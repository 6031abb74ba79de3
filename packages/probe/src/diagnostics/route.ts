import { Resolver } from 'node:dns/promises'
import { cleanLine } from '@narval/contracts'
import { createTimedTracer, type Hop } from '../discovery/traceroute.ts'
import { loadLibc } from '../icmp/libc.ts'
import type { Attempt, Attempted } from './diagnostic.ts'
import { frDiagnostics } from './fr-diagnostics.ts'

const RESOLVE_MS = 5_000
const REVERSE_MS = 1_500
const { traceroute: words } = frDiagnostics

/** The routers on the way, each with its name and its time. */
export const diagnoseRoute = async ({ task, context, loopback, say }: Attempt<'traceroute'>): Attempted => {
  const resolved = await context.resolver.resolve(task.address, { loopback }, RESOLVE_MS, true)
  if (resolved.failure !== null) return resolved.failure.message
  say(words.towards(task.address, resolved.address))
  const libc = await loadLibc()
  const trace = libc === null ? null : await createTimedTracer(libc, context.onStop)(resolved.address)
  if (trace === null) return words.denied
  const names = await namesOf(trace.hops)
  for (const [n, { address, rttMs }] of trace.hops.entries()) {
    const rank = String(n + 1).padStart(2)
    const time = rttMs === null ? '' : `  ${frDiagnostics.milliseconds(rttMs)}`
    const name = names.get(address ?? '') ?? ''
    say(address === null ? `${rank}  ${words.silent}` : `${rank}  ${address}${name === '' ? '' : ` (${name})`}${time}`)
  }
  if (!trace.reached) return words.lost
  say('')
  say(words.reached(trace.hops.length))
  return null
}

/** By reverse DNS, all at once, for a second and a half at most. */
const namesOf = async (hops: readonly Hop[]): Promise<ReadonlyMap<string, string>> => {
  const resolver = new Resolver({ timeout: REVERSE_MS, tries: 1 })
  const limit = setTimeout(() => resolver.cancel(), REVERSE_MS)
  const addresses = [...new Set(hops.flatMap(({ address }) => address ?? []))]
  const names = await Promise.all(
    addresses.map(async address => {
      const found = await resolver.reverse(address).catch(() => [])
      return [address, cleanLine(found[0] ?? '', 253)] as const
    }),
  )
  clearTimeout(limit)
  return new Map(names)
}
