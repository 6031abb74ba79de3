import { CHECKS, type CheckParameters, type ProbeCheck } from '@narval/contracts'
import { BerError } from '../snmp/ber.ts'
import { type Box, createBox } from './box.ts'
import type { HeldState } from './held-state.ts'
import type { ReceivedKind } from './reception-words.ts'
import { judgeMessage, syslogRuleHolds, trapRuleHolds } from './rules.ts'
import { levelName, parseSyslog, type SyslogMessage } from './syslog-message.ts'
import type { TrapMessage } from './trap-message.ts'
import { type OpenedTrap, type OwnEngine, openTrap, type TrapCredential } from './trap-receiver.ts'

/** What one scanner makes of messages: opens, judges and counts them. */
export interface Listener {
  readonly check: ProbeCheck
  readonly kind: ReceivedKind
  /** The address whose messages are its own; null until it is known. */
  source: string | null
  /** Messages of its source that were lost when it was last asked. */
  dropped: number
  readonly box: Box
  /** One message. `urgent`: the next run is not to be waited for; `reply` goes back to the sender. */
  readonly hear: (bytes: Buffer, source: string, atMs: number, nowMs: number) => Heard
}

export interface Heard {
  readonly urgent: boolean
  readonly reply: Buffer | null
  /** What it says, for who looks at the last ones; null: nothing that can be shown. */
  readonly text: string | null
}

const SILENT: Heard = { urgent: false, reply: null, text: null }

/** The listener of a check; null when its parameters are not of its kind, or it is of another one. */
export const createListener = (check: ProbeCheck, held: HeldState, engine: OwnEngine): Listener | null => {
  const boxOf = (rules: readonly { readonly name: string }[], holdMinutes: number): Box =>
    createBox({ rules, holdMinutes, held, countsRefused: check.kind === 'trap', source: check.address })
  if (check.kind === 'syslog') {
    const parsed = CHECKS.syslog.parameters.safeParse(check.parameters)
    return parsed.success ? syslogListener(check, parameters<'syslog'>(parsed.data), boxOf) : null
  }
  if (check.kind !== 'trap') return null
  const parsed = CHECKS.trap.parameters.safeParse(check.parameters)
  return parsed.success ? trapListener(check, parameters<'trap'>(parsed.data), boxOf, engine) : null
}

/** The one cast: the schema of the kind made the value, which the compiler can't follow through an indexed access. */
const parameters = <K extends ReceivedKind>(value: unknown): CheckParameters<K> => value as CheckParameters<K>

type MakeBox = (rules: readonly { readonly name: string }[], holdMinutes: number) => Box

/** The last message read is kept: scanners of one address hear the same bytes one after the other. */
let lastRead: { readonly bytes: Buffer; readonly message: SyslogMessage } | null = null
const readOnce = (bytes: Buffer): SyslogMessage => {
  if (lastRead?.bytes !== bytes) lastRead = { bytes, message: parseSyslog(bytes) }
  return lastRead.message
}

const syslogListener = (
  check: ProbeCheck,
  { rules, holdMinutes }: CheckParameters<'syslog'>,
  makeBox: MakeBox,
): Listener => {
  const box = makeBox(rules, holdMinutes)
  return {
    ...{ check, kind: 'syslog', source: null, dropped: 0, box },
    hear: (bytes, source, atMs, nowMs) => {
      const message = readOnce(bytes)
      const verdict = judgeMessage(rules, rule => syslogRuleHolds(rule, message))
      const sender = message.app === '' ? source : `${source} ${message.app}`
      const text = `${message.facility}.${levelName(message.level)} ${message.text}`
      return { urgent: box.note({ ...verdict, source: sender, text, atMs }, nowMs), reply: null, text }
    },
  }
}

const trapListener = (
  check: ProbeCheck,
  { rules, holdMinutes, anyCommunity }: CheckParameters<'trap'>,
  makeBox: MakeBox,
  engine: OwnEngine,
): Listener => {
  const box = makeBox(rules, holdMinutes)
  const credential = anyCommunity ? null : credentialOf(check)
  const take = (trap: TrapMessage, source: string, atMs: number, nowMs: number): boolean =>
    box.note({ ...judgeMessage(rules, rule => trapRuleHolds(rule, trap)), source, text: trap.text, atMs }, nowMs)
  return {
    ...{ check, kind: 'trap', source: null, dropped: 0, box },
    hear: (bytes, source, atMs, nowMs) => {
      // Without the credential that it asks for, nothing can be believed.
      if (credential === undefined) return SILENT
      const opened = openedOrNull(bytes, credential, engine)
      if (opened === null) {
        box.noteMalformed()
        return SILENT
      }
      if (opened.kind === 'question') return { ...SILENT, reply: opened.reply }
      if (opened.kind === 'refused') {
        box.refuse(opened.why)
        return SILENT
      }
      return { urgent: take(opened.trap, source, atMs, nowMs), reply: opened.reply, text: opened.trap.text }
    },
  }
}

const credentialOf = ({ credential }: ProbeCheck): TrapCredential | undefined =>
  credential?.kind === 'snmp' ? credential : undefined

const openedOrNull = (bytes: Buffer, credential: TrapCredential | null, engine: OwnEngine): OpenedTrap | null => {
  try {
    return openTrap(bytes, credential, engine)
  } catch (error) {
    if (error instanceof BerError || error instanceof RangeError) return null
    throw error
  }
}
