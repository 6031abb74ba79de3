import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** One JSON object a line on the standard output, times in ISO 8601. */
export const createLog = (level: LogLevel): Log =>
  pino({
    name: 'narval-probe',
    level,
    base: { name: 'narval-probe', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
  })

/** Says a recurring trouble at most once in a while. */
export const sayRarely = (periodMs: number, nowMs: () => number, say: () => void): (() => void) => {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    if (nowMs() - lastMs < periodMs) return
    lastMs = nowMs()
    say()
  }
}
