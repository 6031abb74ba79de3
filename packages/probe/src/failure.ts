import { type CheckDetail, type CheckEvent, DETAIL_MAX_LENGTH, type FailureCode } from '@narval/contracts'
import { fr } from './fr.ts'

/** Why a check failed: a code for the server, French words for people. */
export interface CheckFailure {
  readonly code: FailureCode
  readonly message: string
}

export interface CheckOutcome {
  readonly values: Readonly<Record<string, number>>
  readonly failure: CheckFailure | null
  /** Words for instances of its values: see `checkResult`. */
  readonly labels?: Readonly<Record<string, string>>
  /** Messages that were received since the last run. */
  readonly events?: readonly CheckEvent[]
  /** What was got, raw: made only when a person tests the check, and never with a secret in it. */
  readonly details?: () => readonly CheckDetail[]
}

/** One raw detail, cut to its limit. */
export const detail = (label: string, text: string): CheckDetail => ({
  label,
  text: text.length > DETAIL_MAX_LENGTH ? `${text.slice(0, DETAIL_MAX_LENGTH - 1)}…` : text,
})

const MESSAGE_MAX = 500

export const failure = (code: FailureCode, message: string): CheckFailure => ({
  code,
  message: message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX - 1)}…` : message,
})

/** An outcome without any value. */
export const failed = (code: FailureCode, message: string): CheckOutcome => ({
  values: {},
  failure: failure(code, message),
})

/** The `code` of a Node error, or an empty text. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What a failed connection is called. `target` is shown to people: `192.168.1.1, port 80`. */
export const connectionFailure = (error: unknown, target: string, timeoutMs: number): CheckFailure => {
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return failure('refused', fr.refused(target))
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return failure('protocol', fr.reset)
    case 'ETIMEDOUT':
    case 'ABORT_ERR':
      return failure('timeout', fr.timeout(timeoutMs))
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
      return failure('unreachable', fr.hostUnreachable(target))
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return failure('unreachable', fr.networkUnreachable(target))
    case 'EACCES':
    case 'EPERM':
      return failure('denied', fr.sendDenied(target))
    case 'EMFILE':
    case 'ENFILE':
      return failure('internal', fr.tooManyFiles)
    default:
      return otherFailure(error, code)
  }
}

const otherFailure = (error: unknown, code: string): CheckFailure => {
  if (code.startsWith('HPE_')) return failure('protocol', fr.http.badAnswer)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return failure('tls', fr.tls.handshake)
  }
  return failure('internal', fr.internal(code === '' && error instanceof Error ? error.name : code))
}
