import type { AddressInterval } from '@narval/contracts'
import {
  type DiscoveredAddress,
  type DiscoveryTask,
  eachAddress,
  type ProbeOrder,
  parseAddress,
} from '@narval/contracts'
import type { Clock } from '../clock.ts'

export type DiscoverOrder = Extract<ProbeOrder, { kind: 'discover' }>

type Snmp = NonNullable<DiscoveredAddress['snmp']>
type Neighbours = DiscoveredAddress['neighbours']

/** How one address is asked; each ends by itself within seconds, and throws nothing for what a device does. */
export interface SweepTools {
  /** Why this address may not be aimed at (S47); null when it may. */
  readonly refusal: (address: string) => string | null
  readonly ping: (address: string) => Promise<number | null>
  readonly openPorts: (address: string, ports: readonly number[]) => Promise<number[]>
  readonly snmp: (address: string, lldp: boolean) => Promise<{ system: Snmp; neighbours: Neighbours } | null>
  readonly dnsName: (address: string) => Promise<string>
  readonly macOf: (address: string) => string | null
  readonly hops: (address: string) => Promise<DiscoveredAddress['hops']>
}

export interface SweepOptions {
  readonly task: DiscoveryTask
  readonly tools: SweepTools
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Awaited before the next address is begun. */
  readonly onFound: (found: DiscoveredAddress) => Promise<void>
  readonly onDone: () => void
}

/** Addresses under way at once: at most so many are waited for, whatever the rate. */
export const MAX_AT_ONCE = 256
/** A sweep that fell behind (a busy machine) makes up for this much at most: it never bursts. */
const CATCH_UP_MS = 100

export interface SweepResult {
  /** How many addresses were refused, and why the first one was. */
  readonly refused: { readonly count: number; readonly reason: string }
}

/** The intervals of a task; null when the server sent what makes no sense. */
export const intervalsOf = ({ intervals }: DiscoveryTask): AddressInterval[] | null => {
  const read = intervals.flatMap(({ from, to }) => {
    const [first, last] = [parseAddress(from), parseAddress(to)]
    const isRight = first !== null && last !== null && first.family === last.family && first.value <= last.value
    return isRight ? [{ family: first.family, from: first.value, to: last.value }] : []
  })
  return read.length === intervals.length ? read : null
}

/** Goes through the addresses at the rate that is asked, in order; ends early when the signal is aborted. */
export const sweep = async (options: SweepOptions, intervals: readonly AddressInterval[]): Promise<SweepResult> => {
  const { task, tools, clock, signal, onDone } = options
  const refused = { count: 0, reason: '' }
  const running = new Set<Promise<void>>()
  const gapMs = 1_000 / task.rate
  let freed: () => void = () => undefined
  let nextMs = clock.steadyMs()
  for (const address of eachAddress(intervals)) {
    if (signal.aborted) break
    const refusal = tools.refusal(address)
    if (refusal !== null) {
      if (refused.count === 0) refused.reason = refusal
      refused.count += 1
      onDone()
      continue
    }
    nextMs = Math.max(nextMs, clock.steadyMs() - CATCH_UP_MS)
    await pauseUntil(nextMs, clock, signal)
    nextMs += gapMs
    // No race of promises: it would leave a reaction on each of them, at each address.
    while (running.size >= MAX_AT_ONCE)
      await new Promise<void>(resolve => {
        freed = resolve
      })
    if (signal.aborted) break
    const one: Promise<void> = look(address, options).finally(() => {
      running.delete(one)
      freed()
    })
    running.add(one)
  }
  await Promise.all(running)
  return { refused }
}

const pauseUntil = (atMs: number, clock: Clock, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const leftMs = atMs - clock.steadyMs()
    if (leftMs <= 0 || signal.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(leftMs, end)
    signal.addEventListener('abort', end, { once: true })
  })

const look = async (address: string, { task, tools, signal, onFound, onDone }: SweepOptions): Promise<void> => {
  const wants = (method: DiscoveryTask['methods'][number]): boolean => task.methods.includes(method)
  const rttMs = wants('ping') ? await tools.ping(address) : null
  const [openPorts, told] = await Promise.all([
    wants('ports') ? tools.openPorts(address, task.ports) : [],
    wants('snmp') ? tools.snmp(address, wants('lldp')) : null,
  ])
  const isFound = rttMs !== null || openPorts.length > 0 || told !== null
  if (isFound && !signal.aborted) {
    const [dnsName, hops] = await Promise.all([
      wants('reverse_dns') ? tools.dnsName(address) : '',
      wants('traceroute') ? tools.hops(address) : null,
    ])
    await onFound({
      ...{ address, rttMs, dnsName, openPorts, hops },
      mac: tools.macOf(address),
      snmp: told?.system ?? null,
      neighbours: told?.neighbours ?? [],
    })
  }
  // What was cut short was not gone through.
  if (!signal.aborted) onDone()
}
