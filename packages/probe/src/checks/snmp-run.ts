import { CHECKS, type CheckKind, type CheckParameters, type ProbeCheck } from '@narval/contracts'
import { type CheckOutcome, failure } from '../failure.ts'
import { openSnmp, SnmpError, type SnmpSession } from '../snmp/client.ts'
import { type CheckContext, type CheckRunner, checkRunner } from './check.ts'
import { credentialIn } from './check-credential.ts'

export type SnmpKind = Extract<CheckKind, 'snmp' | `snmp_${string}`>

/** A kind that is read over one SNMP session: what the equipment or the network fails at becomes the outcome's failure. */
export const snmpRunner = <K extends SnmpKind>(
  kind: K,
  read: (
    session: SnmpSession,
    parameters: CheckParameters<K>,
    check: ProbeCheck,
    context: CheckContext,
  ) => Promise<CheckOutcome>,
): CheckRunner =>
  checkRunner(kind, async (check, parameters, context) => {
    const startedMs = context.nowMs()
    const credential = credentialIn(check, 'snmp')
    if ('code' in credential) return { values: {}, failure: credential }
    const target = { loopback: check.loopback, port: credential.port }
    const resolved = await context.resolver.resolve(check.address, target, check.timeoutMs)
    if (resolved.failure !== null) return { values: {}, failure: resolved.failure }
    const { nowMs, onStop } = context
    const leftMs = Math.max(1, check.timeoutMs - (nowMs() - startedMs))
    const limits = { timeoutMs: check.timeoutMs, leftMs, nowMs, onStop }
    const session = openSnmp({ address: resolved.address }, credential, limits)
    try {
      return bounded(kind, await read(session, parameters, check, context))
    } catch (error) {
      if (error instanceof SnmpError) return { values: {}, failure: error.failure }
      throw error
    } finally {
      session.close()
    }
  })

/** Metrics of a scanner unless its kind says otherwise, its availability among them: the server takes no more. */
const MAX_METRICS = 500

/** No more values than the server takes, whatever equipment shows; that some are left out is a failure, the others are kept. */
const bounded = (kind: SnmpKind, outcome: CheckOutcome): CheckOutcome => {
  const max = (CHECKS[kind].maxMetrics ?? MAX_METRICS) - 1
  const [values, labels] = [Object.entries(outcome.values), Object.entries(outcome.labels ?? {})]
  if (values.length <= max) return outcome
  const words = `${values.length.toLocaleString('fr-FR')} métriques pour ${max.toLocaleString('fr-FR')} au plus\u202f: réduisez ce que ce scanner suit`
  return {
    ...outcome,
    values: Object.fromEntries(values.slice(0, max)),
    labels: Object.fromEntries(labels.slice(0, max)),
    failure: outcome.failure ?? failure('mismatch', words),
  }
}
