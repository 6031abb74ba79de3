import { type CheckCredential, DIAGNOSTICS_AT_ONCE, type DiagnosedOutcome, type ProbeOrder } from '@narval/contracts'
import { type CheckContext, createStopper } from '../checks/check.ts'
import type { Clock } from '../clock.ts'
import { failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { createLines, type SnmpGiven } from './diagnostic.ts'
import { frDiagnostics } from './fr-diagnostics.ts'
import { diagnosePing } from './ping.ts'
import { diagnoseRoute } from './route.ts'
import { diagnoseDns, diagnoseHttp } from './through-checks.ts'
import { diagnoseWalk } from './walk.ts'

export type DiagnoseOrder = Extract<ProbeOrder, { kind: 'diagnose' }>
type Outcome = DiagnosedOutcome | { readonly kind: 'refused'; readonly message: string }

/** Tries out what a person asked, a few at once; no program is started and nothing of it is kept. */
export interface DiagnosticDesk {
  /** Ends within the order's limit, whatever the network does; null when it was cancelled: nobody waits. */
  readonly run: (order: DiagnoseOrder) => Promise<Outcome | null>
  readonly cancel: (orderId: string) => void
}

export interface DiagnosticDeskOptions {
  readonly clock: Clock
  readonly context: CheckContext
}

/** What ends one before its time. */
type Ending = 'cancelled' | 'stopped' | 'tooLong'

export const createDiagnosticDesk = ({ clock, context }: DiagnosticDeskOptions): DiagnosticDesk => {
  const running = new Map<string, (why: Ending) => void>()
  return {
    run: async order => {
      if (running.size >= DIAGNOSTICS_AT_ONCE) return { kind: 'refused', message: frDiagnostics.busy(running.size) }
      const startedMs = clock.steadyMs()
      const stopper = createStopper()
      const lines = createLines()
      const { promise: ended, resolve: end } = Promise.withResolvers<Ending>()
      let ending: Ending | null = null
      const stop = (why: Ending): void => {
        ending ??= why
        stopper.stop()
        end(ending)
      }
      running.set(order.id, stop)
      const forget = context.onStop(() => stop('stopped'))
      const forgetLimit = clock.after(order.limitMs, () => stop('tooLong'))
      const own = { ...context, onStop: stopper.onStop }
      const work = attempt(order, own, lines.say, () => ending !== null).catch(error =>
        frDiagnostics.failed(error instanceof Error ? error.name : 'Error'),
      )
      // Whatever does not heed the stop goes on alone, to nobody.
      const result = await Promise.race([work, ended.then(why => sentenceOf(why, order.limitMs))])
      forgetLimit()
      forget()
      running.delete(order.id)
      if (ending === 'cancelled') return null
      const durationMs = Math.round((clock.steadyMs() - startedMs) * 1_000) / 1_000
      return { kind: 'diagnosed', durationMs, text: lines.text(), failure: result?.slice(0, 500) ?? null }
    },
    cancel: orderId => running.get(orderId)?.('cancelled'),
  }
}

const sentenceOf = (why: Ending, limitMs: number): string =>
  why === 'tooLong' ? frDiagnostics.tooLong(Math.round(limitMs / 1_000)) : frDiagnostics[why]

const attempt = async (
  { task, loopback, limitMs, credential }: DiagnoseOrder,
  context: CheckContext,
  say: (line: string) => void,
  isOver: () => boolean,
): Promise<string | null> => {
  const common = { context, loopback, limitMs, say }
  switch (task.kind) {
    case 'ping':
      return diagnosePing({ ...common, task }, isOver)
    case 'traceroute':
      return diagnoseRoute({ ...common, task })
    case 'dns':
      return diagnoseDns({ ...common, task })
    case 'http':
      return diagnoseHttp({ ...common, task })
    case 'snmp':
      return diagnoseWalk({ ...common, task }, snmpOf(credential))
    default:
      return task satisfies never
  }
}

const snmpOf = (credential: CheckCredential | undefined): SnmpGiven => {
  if (credential?.kind === 'snmp') return credential
  const isUnreadable = credential?.kind === 'none' && credential.reason === 'unreadable'
  return failure('credentials', isUnreadable ? fr.credentials.unreadable : fr.credentials.missing('snmp'))
}
