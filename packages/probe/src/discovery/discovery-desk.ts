import { type AddressInterval, type DiscoveredPart, parseAddress } from '@narval/contracts'
import type { CheckContext } from '../checks/check.ts'
import type { Clock } from '../clock.ts'
import { frDiscovery } from './fr-discovery.ts'
import { readGateway } from './neighbour-files.ts'
import { createReporter, type SendAnswer } from './reporter.ts'
import { type DiscoverOrder, intervalsOf, type SweepTools, sweep } from './sweep.ts'
import { createTools } from './tools.ts'

/** Does the discoveries that the server orders, one at a time, beside the checks. */
export interface DiscoveryDesk {
  readonly start: (order: DiscoverOrder) => void
  readonly cancel: (orderId: string) => void
}

export interface DiscoveryDeskOptions {
  readonly clock: Clock
  readonly context: CheckContext
  readonly send: SendAnswer
  /** Instead of the system's name servers. */
  readonly dnsServers?: readonly string[] | null
}

const RESOLVE_MS = 5_000

/** What ends a discovery before its time. */
type Ending = 'cancelled' | 'stopped' | 'tooLong' | 'lost'

export const createDiscoveryDesk = ({
  clock,
  context,
  send,
  dnsServers = null,
}: DiscoveryDeskOptions): DiscoveryDesk => {
  const running = new Map<string, (why: Ending) => void>()
  const run = async (order: DiscoverOrder): Promise<void> => {
    const stopping = new AbortController()
    let ending: Ending | null = null
    const stop = (why: Ending): void => {
      ending ??= why
      stopping.abort()
    }
    running.set(order.id, stop)
    const forget = context.onStop(() => stop('stopped'))
    const cancelLimit = clock.after(order.task.limitMs, () => stop('tooLong'))
    const reporter = createReporter({
      ...{ order: order.id, clock, send, gateway: readGateway(), random: Math.random },
      onLost: () => stop('lost'),
    })
    try {
      const { tools, notes, close } = await createTools(order, context, stopping.signal, dnsServers)
      const { intervals, trouble } = await targetsOf(order, context)
      const { count, reason } = (await goThrough(intervals, order, tools, clock, reporter, stopping.signal)).refused
      close()
      const refused = count === 0 ? [] : [frDiscovery.refused(count, reason)]
      await reporter.end(trouble === null ? failureOf(ending) : failed(trouble), [...notes(), ...refused])
    } catch (error) {
      stop('lost')
      await reporter.end(failed(frDiscovery.failed(error instanceof Error ? error.name : 'Error')), [])
    } finally {
      cancelLimit()
      forget()
      running.delete(order.id)
    }
  }
  return {
    start: order => {
      if (running.has(order.id)) return
      if (running.size === 0) void run(order)
      else void send({ order: order.id, outcome: { kind: 'refused', message: frDiscovery.busy } })
    },
    cancel: orderId => running.get(orderId)?.('cancelled'),
  }
}

interface Targets {
  readonly intervals: readonly AddressInterval[]
  /** French: why there is none. */
  readonly trouble: string | null
}

const targetsOf = async ({ task }: DiscoverOrder, { resolver }: CheckContext): Promise<Targets> => {
  if (task.name === undefined) {
    const intervals = intervalsOf(task)
    return { intervals: intervals ?? [], trouble: intervals === null ? frDiscovery.badRange : null }
  }
  const { address, failure } = await resolver.resolve(task.name, { loopback: task.loopback }, RESOLVE_MS, true)
  const one = address === null ? null : parseAddress(address)
  if (one === null) return { intervals: [], trouble: failure?.message ?? frDiscovery.badRange }
  return { intervals: [{ family: one.family, from: one.value, to: one.value }], trouble: null }
}

const goThrough = (
  intervals: readonly AddressInterval[],
  { task }: DiscoverOrder,
  tools: SweepTools,
  clock: Clock,
  reporter: ReturnType<typeof createReporter>,
  signal: AbortSignal,
) => sweep({ task, tools, clock, signal, onFound: reporter.found, onDone: reporter.progressed }, intervals)

type Failure = DiscoveredPart['failure']
const failed = (message: string): Failure => ({ state: 'failed', message })
const STATES = { cancelled: 'cancelled', stopped: 'interrupted', tooLong: 'failed', lost: 'failed' } as const
const failureOf = (ending: Ending | null): Failure =>
  ending === null ? null : { state: STATES[ending], message: frDiscovery[ending] }
