import {
  type AnswerBody,
  DETAILS_MAX,
  type OrdersReply,
  type ProbeCheck,
  type ProbeOrder,
  type TestOutcome,
} from '@narval/contracts'
import type { CheckContext } from './checks/check.ts'
import type { RegisteredChecks } from './checks/registry.ts'
import type { Clock } from './clock.ts'
import { createDiagnosticDesk, type DiagnoseOrder } from './diagnostics/diagnostic-desk.ts'
import { createDiscoveryDesk } from './discovery/discovery-desk.ts'
import type { Sent } from './discovery/reporter.ts'
import { fr } from './fr.ts'
import type { Identity } from './identity.ts'
import { finiteValues, runLimited, type Scheduler } from './scheduler.ts'
import { unseal, unsealCheck } from './unseal.ts'

/** Does what the server asks out of schedule, a bounded number at once, and answers. */
export interface OrderDesk {
  /** Takes the orders of an answer to Orders; those past their deadline are left. */
  readonly take: (reply: Pick<OrdersReply, 'orders' | 'serverTimeMs'>) => void
}

export interface OrderDeskOptions {
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly registry: RegisteredChecks
  readonly context: CheckContext
  /** Opens the credentials that orders bear. */
  readonly identity: Identity
  /** Posts an answer once, and says whether the server has it. */
  readonly answer: (body: AnswerBody) => Promise<Sent>
  /** Changes the probe's key: null when the server took the new one, else why not, in French. */
  readonly rotate: () => Promise<string | null>
}

/** Orders that run at once; what comes beyond is refused in words. */
const MAX_RUNNING = 32

type DiscoverOrder = Extract<ProbeOrder, { kind: 'discover' }>
const withOpened = <T extends DiscoverOrder | DiagnoseOrder>(order: T, identity: Identity): T =>
  order.credential === undefined ? order : { ...order, credential: unseal(order.credential, identity) }

export const createOrderDesk = (options: OrderDeskOptions): OrderDesk => {
  const { clock, scheduler, registry, context, identity, answer, rotate } = options
  const discovery = createDiscoveryDesk({ clock, context, send: answer })
  const diagnostics = createDiagnosticDesk({ clock, context })
  let running = 0
  const outcomeOf = async (order: Extract<ProbeOrder, { kind: 'test' }>): Promise<AnswerBody['outcome']> => {
    if (running >= MAX_RUNNING) return { kind: 'refused', message: fr.orders.tooMany }
    running += 1
    try {
      return await test(unsealCheck(order.check, identity))
    } finally {
      running -= 1
    }
  }
  const test = async (check: ProbeCheck): Promise<TestOutcome> => {
    const startedMs = clock.steadyMs()
    const outcome = await runLimited(check, registry, context, clock)
    const { failure, labels } = outcome
    return {
      kind: 'test',
      at: Math.round(clock.wallMs()),
      durationMs: Math.round((clock.steadyMs() - startedMs) * 1_000) / 1_000,
      failure,
      values: finiteValues(outcome),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      details: (outcome.details?.() ?? []).slice(0, DETAILS_MAX),
    }
  }
  const diagnose = async (order: DiagnoseOrder): Promise<void> => {
    const outcome = await diagnostics.run(order)
    if (outcome !== null) await answer({ order: order.id, outcome })
  }
  const changeKey = async (order: string): Promise<void> => {
    const reason = await rotate()
    await answer({ order, outcome: reason === null ? { kind: 'rotated' } : { kind: 'refused', message: reason } })
  }
  return {
    take: ({ orders, serverTimeMs }) => {
      for (const order of orders) {
        if (order.deadlineMs <= serverTimeMs) continue
        if (order.kind === 'recheck') scheduler.recheck(order.scanners)
        else if (order.kind === 'discover') discovery.start(withOpened(order, identity))
        else if (order.kind === 'diagnose') void diagnose(withOpened(order, identity))
        else if (order.kind === 'rotate') void changeKey(order.id)
        else if (order.kind === 'cancel') {
          discovery.cancel(order.order)
          diagnostics.cancel(order.order)
        } else void outcomeOf(order).then(outcome => answer({ order: order.id, outcome }))
      }
    },
  }
}
