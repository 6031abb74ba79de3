import { DIAGNOSTIC_MAX_LENGTH, type DiagnosticTask } from '@narval/contracts'
import type { CheckContext } from '../checks/check.ts'
import type { CheckFailure } from '../failure.ts'
import type { SnmpCredential } from '../snmp/client.ts'
import { frDiagnostics } from './fr-diagnostics.ts'

/** What each kind of diagnostic is given; its context ends with it, not with the probe alone. */
export interface Attempt<K extends DiagnosticTask['kind']> {
  readonly task: Extract<DiagnosticTask, { kind: K }>
  readonly context: CheckContext
  /** Whether it may aim at the probe's own machine (S47). */
  readonly loopback: boolean
  readonly limitMs: number
  /** Adds a line to what is told, also when the rest fails. */
  readonly say: (line: string) => void
}
/** Null: it went to its end. */
export type Attempted = Promise<string | null>

export type SnmpGiven = SnmpCredential | CheckFailure

/** Text of others, as lines that can do nothing but be read: no control, direction or lone surrogate characters. */
export const plainLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Co}\ufffd]/gu, '·')

/** Lines up to the most that is told; what comes after is dropped, and said to be. */
export const createLines = () => {
  const lines: string[] = []
  const room = DIAGNOSTIC_MAX_LENGTH - frDiagnostics.cut.length - 1
  let [length, isCut] = [0, false]
  return {
    say: (line: string): void => {
      if (isCut) return
      const text = plainLines(line)
      const left = room - length
      isCut = text.length + 1 > left
      lines.push(isCut ? text.slice(0, Math.max(0, left - 1)).toWellFormed() : text)
      length += text.length + 1
    },
    text: (): string => [...lines, ...(isCut ? [frDiagnostics.cut] : [])].join('\n'),
  }
}
