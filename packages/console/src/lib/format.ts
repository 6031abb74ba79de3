import { type StateWords, UNIT_SYMBOLS, type Unit } from '@narval/contracts'

/** Narrow no-break space, before units and double punctuation in French. */
export const NNBSP = '\u202f'
/** What stands where there is no value. */
export const NOTHING = '—'

const numberFormats = new Map<number, Intl.NumberFormat>()
const formatOf = (decimals: number): Intl.NumberFormat => {
  const known = numberFormats.get(decimals)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: decimals })
  numberFormats.set(decimals, made)
  return made
}

/** 12345.678 → « 12 345,68 »: decimal comma, narrow no-break thousands, at most `decimals` decimals. */
export const formatNumber = (value: number, decimals = 2): string =>
  formatOf(decimals).format(Object.is(value, -0) ? 0 : value)

/** Three significant digits or so: 0,83 · 8,3 · 83,1 · 831. */
const short = (value: number): string => {
  const size = Math.abs(value)
  return formatNumber(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)
}
const withUnit = (text: string, unit: string): string => (unit === '' ? text : `${text}${NNBSP}${unit}`)

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const
const scaled = (value: number, unit: string): string => {
  let left = value
  let step = 0
  // 999.5 already reads « 1 000 » in three digits.
  while (Math.abs(left) >= 999.5 && step < PREFIXES.length - 1) {
    left /= 1000
    step += 1
  }
  return withUnit(step === 0 ? formatNumber(left, 1) : short(left), `${PREFIXES[step]}${unit}`)
}

/** A share of 1 as a percentage: 0.9741 → « 97,4 % ». */
export const formatRatio = (ratio: number, decimals = 1): string => withUnit(formatNumber(ratio * 100, decimals), '%')

/** Octets with decimal prefixes: 1 500 000 → « 1,5 Mo ». */
export const formatBytes = (bytes: number): string => scaled(bytes, 'o')

/** A measured time: « 0,8 ms », « 212 ms », « 1,2 s », then as a duration. */
export const formatMilliseconds = (ms: number): string => {
  const size = Math.abs(ms)
  if (size < 999.5) return withUnit(short(ms), 'ms')
  return size < 120_000 ? withUnit(short(ms / 1000), 's') : formatDuration(ms)
}

const DURATION_UNITS = [
  { ms: 86_400_000, unit: 'j' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
  { ms: 1_000, unit: 's' },
] as const

/** A duration in its two largest units: « 3 min 12 s », « 1 j 4 h », « 22 min ». */
export const formatDuration = (ms: number): string => {
  const whole = Math.max(0, Math.floor(Math.abs(ms) / 1000) * 1000)
  const first = DURATION_UNITS.findIndex(one => whole >= one.ms)
  const large = DURATION_UNITS[first]
  if (large === undefined) return `0${NNBSP}s`
  const head = withUnit(formatNumber(Math.floor(whole / large.ms), 0), large.unit)
  const small = DURATION_UNITS[first + 1]
  const rest = small === undefined ? 0 : Math.floor((whole % large.ms) / small.ms)
  return small === undefined || rest === 0 ? head : `${head} ${withUnit(String(rest), small.unit)}`
}

/** A metric's value in its unit, in French, or the word of a state; « — » for none. */
export const formatValue = (value: number | null, unit: Unit, states?: StateWords): string => {
  if (value === null || !Number.isFinite(value)) return NOTHING
  const word = states?.[value]
  if (word !== undefined) return word
  switch (unit) {
    case 'ratio':
      return formatRatio(value)
    case 'ms':
      return formatMilliseconds(value)
    case 's':
      return Math.abs(value) < 120 ? withUnit(short(value), 's') : formatDuration(value * 1000)
    case 'bytes':
      return formatBytes(value)
    case 'bytes/s':
      return scaled(value, 'o/s')
    case 'bits/s':
      return scaled(value, 'bit/s')
    case 'count/s':
      return withUnit(short(value), '/s')
    case 'volts':
    case 'amperes':
    case 'watts':
    case 'hertz':
    case 'rpm':
    case 'dbm':
      return withUnit(formatNumber(value, 2), UNIT_SYMBOLS[unit])
    case 'code':
      // Between two codes stands only what sums up several.
      return Number.isInteger(value) ? String(value) : formatNumber(value, 2)
    case 'celsius':
      return withUnit(formatNumber(value, 1), '°C')
    case 'count':
    case '':
      return formatNumber(value, 2)
    default:
      return unit satisfies never
  }
}

/** The unit's name beside a field or an axis. */
export const UNIT_LABELS: Readonly<Record<Unit, string>> = {
  '': 'sans unité',
  ms: 'ms',
  s: 's',
  ratio: '%',
  bytes: 'octets',
  'bytes/s': 'octets/s',
  'bits/s': 'bit/s',
  count: 'nombre',
  'count/s': 'par seconde',
  code: 'code',
  celsius: '°C',
  ...UNIT_SYMBOLS,
}

const AGO_NOW_MS = 5_000
/** « à l’instant », « il y a 3 min », « dans 2 h »; « — » for an unreadable instant. */
export const formatAgo = (at: string | number, nowMs: number): string => {
  const atMs = typeof at === 'number' ? at : Date.parse(at)
  if (!Number.isFinite(atMs)) return NOTHING
  const elapsed = nowMs - atMs
  if (Math.abs(elapsed) < AGO_NOW_MS) return 'à l’instant'
  const unit = DURATION_UNITS.find(one => Math.abs(elapsed) >= one.ms)
  const count = unit === undefined ? 0 : Math.floor(Math.abs(elapsed) / unit.ms)
  const text = withUnit(formatNumber(count, 0), unit?.unit ?? 's')
  return elapsed > 0 ? `il y a ${text}` : `dans ${text}`
}

const dateTime = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'medium' })

const instantOf = (at: string | number): Date | null => {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? null : date
}
const formatWith = (format: Intl.DateTimeFormat, at: string | number | null): string => {
  const date = at === null ? null : instantOf(at)
  return date === null ? NOTHING : format.format(date)
}

/** « 21/11/2026 14:03:22 » in the reader's zone. */
export const formatDateTime = (at: string | number | null): string => formatWith(dateTime, at)

const timeOfDay = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'medium' })
/** The end of a period after its start: « 14:03:22 » on the same day, else with its date. */
export const formatEnd = (fromMs: number, toMs: number): string =>
  new Date(fromMs).toDateString() === new Date(toMs).toDateString() ? timeOfDay.format(toMs) : formatDateTime(toMs)

/** « 1 équipement », « 2 équipements », « 0 équipement »: French plurals begin at two. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count, 0)} ${Math.abs(count) >= 2 ? plural : singular}`
