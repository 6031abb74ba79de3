import type { CheckKind, CheckParameters, ProbeCheck } from '@narval/contracts'
import type { CheckOutcome } from '../failure.ts'
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
      return await read(session, parameters, check, context)
    } catch (error) {
      if (error instanceof SnmpError) return { values: {}, failure: error.failure }
      throw error
    } finally {
      session.close()
    }
  })
