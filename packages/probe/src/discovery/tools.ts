import { Resolver } from 'node:dns/promises'
import { connect } from 'node:net'
import { cleanLine, type DiscoveryTask } from '@narval/contracts'
import { type CheckContext, createStopper, type OnStop } from '../checks/check.ts'
import { runFping } from '../icmp/fping.ts'
import { loadLibc } from '../icmp/libc.ts'
import type { EchoPlan } from '../icmp/pinger.ts'
import type { SnmpCredential } from '../snmp/client.ts'
import { frDiscovery } from './fr-discovery.ts'
import { createGate } from './gate.ts'
import { createMacReader } from './neighbour-files.ts'
import { readSnmpFacts } from './snmp-facts.ts'
import type { DiscoverOrder, SweepTools } from './sweep.ts'
import { createTracer } from './traceroute.ts'

/** An address that does not answer is asked once more, for longer. */
const ECHO_MS = [700, 1_200] as const
const CONNECT_MS = 600
const REVERSE_MS = 1_500
/** Connections, and traces, under way at once, for all addresses together: checks need theirs too. */
const MAX_CONNECTIONS = 128
const MAX_TRACES = 16

export interface Tools {
  readonly tools: SweepTools
  /** French: what could not be done. */
  readonly notes: () => string[]
  readonly close: () => void
}

/** The real network, bounded. `dnsServers` are those of the system unless said. */
export const createTools = async (
  { task, credential }: DiscoverOrder,
  context: CheckContext,
  signal: AbortSignal,
  dnsServers: readonly string[] | null,
): Promise<Tools> => {
  const stopper = createStopper()
  signal.addEventListener('abort', stopper.stop, { once: true })
  const wants = (method: DiscoveryTask['methods'][number]): boolean => task.methods.includes(method)
  const notes = new Set<string>()
  const snmpCredential = wants('snmp') ? snmpOf(credential, notes) : null
  const libc = wants('traceroute') ? await loadLibc() : null
  if (wants('traceroute') && libc === null) notes.add(frDiscovery.noTraceroute)
  const trace = libc === null ? null : createTracer(libc, stopper.onStop)
  const names = new Resolver({ timeout: REVERSE_MS, tries: 1 })
  if (dnsServers !== null) names.setServers([...dnsServers])
  stopper.onStop(() => names.cancel())
  const [connections, traces] = [createGate(MAX_CONNECTIONS), createGate(MAX_TRACES)]
  const refusal = (address: string, port?: number): string | null =>
    context.vetting.refusal(address, { loopback: task.loopback, ...(port === undefined ? {} : { port }) })?.message ??
    null
  const tools: SweepTools = {
    refusal,
    ping: async address => {
      for (const timeoutMs of ECHO_MS) {
        const rttMs = await echo(address, timeoutMs, context, stopper.onStop)
        if (rttMs === 'denied') notes.add(frDiscovery.noPing)
        if (rttMs === 'denied' || signal.aborted) return null
        if (rttMs !== null) return rttMs
      }
      return null
    },
    openPorts: async (address, ports) => {
      const allowed = ports.filter(port => refusal(address, port) === null)
      const open = await Promise.all(
        allowed.map(port =>
          connections(async () => !signal.aborted && (await isOpen(address, port, context, task, stopper.onStop))),
        ),
      )
      return allowed.filter((_, n) => open[n] === true)
    },
    snmp: async (address, lldp) => {
      if (snmpCredential === null || refusal(address, snmpCredential.port) !== null) return null
      return readSnmpFacts(address, snmpCredential, lldp, { nowMs: context.nowMs, onStop: stopper.onStop })
    },
    dnsName: async address => {
      try {
        return cleanLine((await names.reverse(address))[0] ?? '', 253)
      } catch {
        return ''
      }
    },
    macOf: createMacReader(context.nowMs),
    hops: async address => (trace === null ? null : traces(() => trace(address))),
  }
  return { tools, notes: () => [...notes], close: () => signal.removeEventListener('abort', stopper.stop) }
}

const snmpOf = (credential: DiscoverOrder['credential'], notes: Set<string>): SnmpCredential | null => {
  if (credential?.kind === 'snmp') return credential
  notes.add(
    credential?.kind === 'none' && credential.reason === 'unreadable' ? frDiscovery.unreadableSnmp : frDiscovery.noSnmp,
  )
  return null
}

const echo = async (
  address: string,
  timeoutMs: number,
  { pinger, fping }: CheckContext,
  onStop: OnStop,
): Promise<number | null | 'denied'> => {
  const plan: EchoPlan = { address, count: 1, size: 56, spacingMs: timeoutMs, timeoutMs }
  const own = pinger?.ping(plan) ?? (fping === null ? null : runFping(fping, plan, onStop))
  const report = await own
  return report === null ? 'denied' : (report.rttsMs[0] ?? null)
}

/** Whether a port takes a connection; it is closed at once, and the address that was connected is vetted too (S48). */
const isOpen = (
  address: string,
  port: number,
  { vetting }: CheckContext,
  { loopback }: DiscoveryTask,
  onStop: OnStop,
): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: address, port, noDelay: true })
    const end = (open: boolean): void => {
      clearTimeout(timer)
      forget()
      socket.destroy()
      resolve(open)
    }
    const forget = onStop(() => end(false))
    const timer = setTimeout(() => end(false), CONNECT_MS)
    socket.on('error', () => end(false))
    socket.once('connect', () => {
      end(vetting.refusal(socket.remoteAddress ?? address, { loopback, port }) === null)
    })
  })
