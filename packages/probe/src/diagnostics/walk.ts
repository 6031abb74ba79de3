import { WALK_MAX_VALUES } from '@narval/contracts'
import { openSnmp, SnmpError } from '../snmp/client.ts'
import { shownValue } from '../snmp/values.ts'
import type { Attempt, Attempted, SnmpGiven } from './diagnostic.ts'
import { frDiagnostics } from './fr-diagnostics.ts'

const RESOLVE_MS = 5_000
/** For the whole walk. */
const WALK_MS = 15_000
/** Longest value that is shown, in characters. */
const VALUE_MAX = 300
const { snmp: words } = frDiagnostics

/** Everything below an OID, up to a number of values; what came before a failure is shown too. */
export const diagnoseWalk = async (
  { task, context, loopback, limitMs, say }: Attempt<'snmp'>,
  credential: SnmpGiven,
): Attempted => {
  if ('code' in credential) return credential.message
  const target = { loopback, port: credential.port }
  const resolved = await context.resolver.resolve(task.address, target, RESOLVE_MS, true)
  if (resolved.failure !== null) return resolved.failure.message
  const oid = task.oid.replace(/^\./, '')
  say(words.towards(oid, resolved.address))
  const { nowMs, onStop } = context
  const session = openSnmp({ address: resolved.address }, credential, {
    timeoutMs: Math.min(WALK_MS, limitMs - RESOLVE_MS),
    nowMs,
    onStop,
  })
  let count = 0
  try {
    // One more than is shown, to know whether there is more.
    await session.walk(oid, {
      maxRows: WALK_MAX_VALUES,
      onValue: varbind => {
        count += 1
        say(`${varbind.oid} = ${varbind.type}: ${shownValue(varbind).slice(0, VALUE_MAX)}`)
      },
    })
    say(count === 0 ? words.none : `\n${words.count(count)}`)
    return null
  } catch (error) {
    if (!(error instanceof SnmpError)) throw error
    if (count < WALK_MAX_VALUES) return error.failure.message
    say(`\n${words.more(count)}`)
    return null
  } finally {
    session.close()
  }
}
