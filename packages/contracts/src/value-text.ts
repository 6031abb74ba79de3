import type { Unit } from './check-definition.ts'

const THIN = '\u202f'
/** By digits: making one takes a hundred times as long as using it. */
const formats = new Map<number, Intl.NumberFormat>()
const formatOf = (digits: number): Intl.NumberFormat => {
  const known = formats.get(digits)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits, minimumFractionDigits: 0 })
  formats.set(digits, made)
  return made
}
const number = (value: number, digits: number): string => formatOf(digits).format(value)
/** Digits so that about three figures are significant. */
const digitsFor = (value: number): number => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)

const BINARY = ['o', 'Kio', 'Mio', 'Gio', 'Tio', 'Pio'] as const
const DECIMAL = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'] as const
const scaled = (value: number, base: number, names: readonly string[], suffix: string): string => {
  let amount = value
  let step = 0
  while (Math.abs(amount) >= base && step < names.length - 1) {
    amount /= base
    step += 1
  }
  return `${number(amount, step === 0 ? 0 : digitsFor(amount))}${THIN}${names[step] ?? ''}${suffix}`
}

const durationText = (seconds: number): string => {
  if (Math.abs(seconds) < 60) return `${number(seconds, digitsFor(seconds))}${THIN}s`
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  if (days > 0) return `${number(days, 0)}${THIN}j ${hours}${THIN}h`
  return hours > 0 ? `${hours}${THIN}h ${minutes}${THIN}min` : `${minutes}${THIN}min`
}

/** Units that are written as they are, whatever the size. */
export const UNIT_SYMBOLS = {
  volts: 'V',
  amperes: 'A',
  watts: 'W',
  hertz: 'Hz',
  rpm: 'tr/min',
  dbm: 'dBm',
} as const satisfies Partial<Record<Unit, string>>

/** A measured value as people read it in French: decimal comma, narrow spaces, the unit that suits its size. */
export const valueText = (value: number, unit: Unit): string => {
  switch (unit) {
    case 'ratio':
      return `${number(value * 100, 1)}${THIN}%`
    case 'ms':
      return Math.abs(value) >= 10_000 ? durationText(value / 1_000) : `${number(value, digitsFor(value))}${THIN}ms`
    case 's':
      return durationText(value)
    case 'bytes':
      return scaled(value, 1_024, BINARY, '')
    case 'bytes/s':
      return scaled(value, 1_024, BINARY, '/s')
    case 'bits/s':
      return scaled(value, 1_000, DECIMAL, '')
    case 'count/s':
      return `${number(value, digitsFor(value))}${THIN}/s`
    case 'celsius':
      return `${number(value, 1)}${THIN}°C`
    case 'volts':
    case 'amperes':
    case 'watts':
    case 'hertz':
    case 'rpm':
    case 'dbm':
      return `${number(value, digitsFor(value))}${THIN}${UNIT_SYMBOLS[unit]}`
    case 'code':
      return String(value)
    case 'count':
    case '':
      return number(value, digitsFor(value))
    default:
      return unit satisfies never
  }
}
