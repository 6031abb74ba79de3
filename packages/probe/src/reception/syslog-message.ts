import { SYSLOG_FACILITIES, SYSLOG_LEVELS } from '@narval/contracts'
import { decodeText, harmless } from './harmless.ts'

/** A syslog message as far as its sender keeps to a standard. */
export interface SyslogMessage {
  readonly facility: string
  /** 0 (emerg) … 7 (debug). */
  readonly level: number
  /** The program; empty when it is not said. */
  readonly app: string
  readonly text: string
}

/** Bytes of a message that are looked at: RFC 5424 asks receivers for 2,048. */
export const SYSLOG_BYTES_MAX = 8_192
const TEXT_MAX = 2_000
const APP_MAX = 60
/** What a message without a usable priority counts as: user, notice (RFC 3164, 4.3.3). */
const NO_PRIORITY = 13

/**
 * Reads RFC 5424 and RFC 3164; what is neither is kept as text. The time and the host that a message claims are left aside:
 * its arrival and its address are known.
 */
export const parseSyslog = (bytes: Buffer): SyslogMessage => {
  const whole = decodeText(bytes.subarray(0, SYSLOG_BYTES_MAX))
  const given = /^<(\d{1,3})>/.exec(whole)
  const isKnown = given !== null && Number(given[1]) <= 191
  const priority = isKnown ? Number(given[1]) : NO_PRIORITY
  const rest = isKnown ? whole.slice(given[0].length) : whole
  const { app, text } = parse5424(rest) ?? parse3164(rest)
  return {
    facility: SYSLOG_FACILITIES[priority >> 3] ?? 'user',
    level: priority & 7,
    app: harmless(app, APP_MAX),
    text: harmless(text, TEXT_MAX),
  }
}

export const levelName = (level: number): string => SYSLOG_LEVELS[level] ?? 'notice'

interface Said {
  readonly app: string
  readonly text: string
}

/** `1 time host app procid msgid structured-data text`; null when it is not of this shape. */
const parse5424 = (rest: string): Said | null => {
  const head = /^[1-9]\d{0,2} (?:-|\S{1,64}) (?:\S{1,255}) (\S{1,255}) (?:\S{1,255}) (?:\S{1,255}) /.exec(rest)
  if (head === null) return null
  const after = endOfData(rest, head[0].length)
  if (after === null) return null
  const said = rest
    .slice(after)
    .replace(/^ /, '')
    .replace(/^\uFEFF/, '')
  const data = rest.slice(head[0].length, after)
  const app = head[1] === '-' ? '' : (head[1] ?? '')
  return { app, text: said === '' && data !== '-' ? data : said }
}

/** Where structured data end: `-`, or elements `[id name="value"]` whose values may hold escaped quotes and brackets. */
const endOfData = (rest: string, start: number): number | null => {
  if (rest[start] === '-') return start + 1
  let at = start
  while (rest[at] === '[') {
    let isQuoted = false
    for (at += 1; at < rest.length && (isQuoted || rest[at] !== ']'); at += 1) {
      if (isQuoted && rest[at] === '\\') at += 1
      else if (rest[at] === '"') isQuoted = !isQuoted
    }
    if (at >= rest.length) return null
    at += 1
  }
  return at === start ? null : at
}

/** The date of RFC 3164, with what devices make of it: a year, thousandths, a zone. Or the ISO date of rsyslog. */
const DATE =
  /^(?:[A-Z][a-z]{2} {1,2}\d{1,2}(?: \d{4})? \d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?(?: \d{4})?(?: [A-Z]{3,5})?:?|\d{4}-\d{2}-\d{2}T[\d:.]{8,18}(?:Z|[+-]\d{2}:\d{2})?) /
const TAG = /^([\w./-]{1,48})(?:\[[^\]\s]{0,32}\])?: ?/

/** `date host tag[pid]: text`, each of it optional. */
const parse3164 = (rest: string): Said => {
  const dated = rest.replace(DATE, '')
  // Without a date what comes first is no host: it may be the text itself.
  const isDated = dated.length < rest.length
  const direct = TAG.exec(dated)
  if (direct !== null) return { app: direct[1] ?? '', text: dated.slice(direct[0].length) }
  const hosted = isDated ? dated.replace(/^\S{1,255} /, '') : dated
  const tag = TAG.exec(hosted)
  return tag === null ? { app: '', text: hosted } : { app: tag[1] ?? '', text: hosted.slice(tag[0].length) }
}
