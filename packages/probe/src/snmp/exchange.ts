import { randomInt } from 'node:crypto'
import { type CheckFailure, connectionFailure, errorCode, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { BerError } from './ber.ts'
import { type Datagrams, openDatagrams } from './datagrams.ts'
import type { Decoded, Dialect, IgnoredWhy } from './dialect.ts'
import type { RequestPdu, ResponsePdu } from './pdu.ts'
import { SnmpError, words } from './snmp-words.ts'

export interface Place {
  readonly address: string
  readonly port: number
}

export interface ExchangeLimits {
  /** For everything that the session asks, from its opening. */
  readonly timeoutMs: number
  /** What is left of it when the session opens, when less. */
  readonly leftMs?: number
  /** Bytes received in a session, whatever they are; 4 MiB unless said. */
  readonly maxBytes?: number
  readonly nowMs: () => number
  readonly onStop?: (callback: () => void) => () => void
}

/** Questions to one agent, one at a time, within the limits of a session. */
export interface Exchange {
  readonly ask: (question: Omit<RequestPdu, 'requestId'>) => Promise<ResponsePdu>
  readonly received: () => number
  readonly close: () => void
}

const MAX_BYTES = 4 * 1_048_576
/** A question is sent again after these parts of the session's time, counted from its first sending. */
const RESEND_AT = [0.15, 0.4] as const
const RESEND_MIN_MS = 100
/** How often an agent may say that it wants the question otherwise. */
const AGAIN_MAX = 6

interface Pending {
  readonly pdu: RequestPdu
  readonly resolve: (pdu: ResponsePdu) => void
  readonly reject: (error: SnmpError) => void
  attempt: number
  agains: number
}

export const openExchange = (place: Place, dialect: Dialect, limits: ExchangeLimits): Exchange => {
  const { nowMs, timeoutMs } = limits
  const target = `${place.address}, port ${place.port}`
  const deadlineMs = nowMs() + Math.min(timeoutMs, limits.leftMs ?? timeoutMs)
  const maxBytes = limits.maxBytes ?? MAX_BYTES
  const ignoredFor = new Map<IgnoredWhy, number>()
  let [received, answers] = [0, 0]
  let pending: Pending | null = null
  let ended: CheckFailure | null = null
  let timer: NodeJS.Timeout | undefined

  const end = (reason: CheckFailure): void => {
    ended ??= reason
    clearTimeout(timer)
    forget()
    datagrams?.close()
    const last = pending
    pending = null
    last?.reject(new SnmpError(ended))
  }
  const silence = (): CheckFailure => {
    if (answers > 0) return words.cut(target, timeoutMs, pending?.pdu.oids[0] ?? '')
    if (ignoredFor.has('unauthenticated')) return words.unauthenticated(target)
    if (ignoredFor.has('malformed')) return words.garbled(target)
    return ignoredFor.has('foreign') ? words.foreign(target) : dialect.silence(target, timeoutMs)
  }
  const send = (question: Pending, sinceMs: number): void => {
    const leftMs = deadlineMs - nowMs()
    if (leftMs <= 0) {
      end(silence())
      return
    }
    datagrams?.send(dialect.encode(question.pdu, question.attempt))
    const part = RESEND_AT[question.attempt]
    const nextMs =
      part === undefined
        ? leftMs
        : sinceMs + Math.max(RESEND_MIN_MS * (question.attempt + 1), part * timeoutMs) - nowMs()
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        question.attempt += 1
        send(question, sinceMs)
      },
      Math.max(1, Math.min(leftMs, nextMs)),
    )
  }
  const onMessage = (bytes: Buffer): void => {
    if (ended !== null) return
    received += bytes.length
    if (received > maxBytes) {
      end(words.tooMuch(target, maxBytes))
      return
    }
    if (pending !== null) take(decoded(dialect, bytes), pending)
  }
  const take = (meaning: Decoded, question: Pending): void => {
    if (meaning.kind === 'ignored') ignoredFor.set(meaning.why, (ignoredFor.get(meaning.why) ?? 0) + 1)
    else if (meaning.kind === 'refused') end(meaning.failure)
    else if (meaning.kind === 'again') {
      question.agains += 1
      if (question.agains > AGAIN_MAX) end(words.foreign(target))
      else send(question, nowMs())
    } else if (meaning.pdu.requestId !== question.pdu.requestId) ignoredFor.set('foreign', 1)
    else {
      clearTimeout(timer)
      pending = null
      answers += 1
      question.resolve(meaning.pdu)
    }
  }
  const onError = (error: Error): void => {
    if (errorCode(error) === 'ECONNREFUSED') end(words.closedPort(target))
    else end(connectionFailure(error, target, timeoutMs))
  }
  const forget = limits.onStop?.(() => end(failure('internal', fr.stopped))) ?? (() => undefined)
  let datagrams: Datagrams | null = null

  return {
    ask: question =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(new SnmpError(ended))
          return
        }
        if (pending !== null) throw new Error('One question at a time')
        datagrams ??= openDatagrams(place.address, place.port, onMessage, onError)
        pending = { pdu: { ...question, requestId: randomInt(1, 0x7fff_ffff) }, resolve, reject, attempt: 0, agains: 0 }
        send(pending, nowMs())
      }),
    received: () => received,
    close: () => end(failure('internal', fr.stopped)),
  }
}

const decoded = (dialect: Dialect, bytes: Buffer): Decoded => {
  try {
    return dialect.decode(bytes)
  } catch (error) {
    if (error instanceof BerError) return { kind: 'ignored', why: 'malformed' }
    throw error
  }
}
