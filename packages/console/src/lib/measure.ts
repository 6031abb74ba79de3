import type { Unit } from '@narval/contracts'
import { formatNumber, NNBSP } from './format.ts'

/** A way to write a unit: `factor` turns what is written into the wire's unit. The first is meant when none is written. */
interface Scale {
  readonly name: string
  readonly factor: number
}
const scales = (...pairs: readonly (readonly [string, number])[]): readonly Scale[] =>
  pairs.map(([name, factor]) => ({ name, factor }))

const WRITTEN: Readonly<Record<Unit, readonly Scale[]>> = {
  '': scales(['', 1]),
  count: scales(['', 1]),
  code: scales(['', 1]),
  ratio: scales(['%', 0.01]),
  ms: scales(['ms', 1], ['s', 1e3], ['min', 6e4]),
  s: scales(['s', 1], ['min', 60], ['h', 3_600], ['j', 86_400]),
  bytes: scales(['o', 1], ['ko', 1e3], ['Mo', 1e6], ['Go', 1e9], ['To', 1e12]),
  'bytes/s': scales(['o/s', 1], ['ko/s', 1e3], ['Mo/s', 1e6], ['Go/s', 1e9]),
  'bits/s': scales(['bit/s', 1], ['kbit/s', 1e3], ['Mbit/s', 1e6], ['Gbit/s', 1e9]),
  'count/s': scales(['/s', 1]),
  celsius: scales(['°C', 1]),
  volts: scales(['V', 1], ['mV', 1e-3]),
  amperes: scales(['A', 1], ['mA', 1e-3]),
  watts: scales(['W', 1], ['kW', 1e3]),
  hertz: scales(['Hz', 1]),
  rpm: scales(['tr/min', 1]),
  dbm: scales(['dBm', 1]),
}
const MOST_DECIMALS = 12
/** Longest number that a larger unit may take; beyond, the plain unit reads better. */
const SHORT = 6

/** Removes the dust that binary fractions leave: 97.4 × 0.01 is 0.974. */
const clean = (value: number): number => Number(value.toPrecision(15))

/**
 * Reads what a person typed in a unit: « 90 », « 97,5 % », « 1,5 Go », « 10 min ». The result is in the wire's unit (a share
 * of 1 for a ratio); null for nothing, undefined for what is no such measure.
 */
export const readMeasure = (text: string, unit: Unit): number | null | undefined => {
  const compact = text.replace(/\s/gu, '').replace(/−/g, '-')
  if (compact === '') return null
  const match = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+))(\D*)$/u.exec(compact)
  if (match === null) return undefined
  const [, digits = '', name = ''] = match
  const written = WRITTEN[unit]
  const scale = name === '' ? written[0] : written.find(known => known.name.toLowerCase() === name.toLowerCase())
  return scale === undefined ? undefined : clean(Number(digits.replace(',', '.')) * scale.factor)
}

const inScale = (value: number, { name, factor }: Scale): string => {
  const number = formatNumber(clean(value / factor), MOST_DECIMALS)
  return name === '' ? number : `${number}${NNBSP}${name}`
}

/** Writes a measure so that `readMeasure` gives exactly it back: 0.975 → « 97,5 % », 1 500 000 000 → « 1,5 Go ». */
export const writeMeasure = (value: number | null, unit: Unit): string => {
  if (value === null) return ''
  const written = WRITTEN[unit]
  // Milliseconds are compared with milliseconds on screen: they keep their unit.
  const candidates = unit === 'ms' ? written.slice(0, 1) : [...written].reverse()
  const fits = candidates.find(scale => {
    const short =
      Math.abs(value) >= scale.factor && formatNumber(clean(value / scale.factor), MOST_DECIMALS).length <= SHORT
    return short && readMeasure(inScale(value, scale), unit) === value
  })
  const plain = fits ?? written[0]
  return plain === undefined ? String(value) : inScale(value, plain)
}

/** Units that may be written, as a hint: « o, ko, Mo, Go, To ». */
export const measureUnits = (unit: Unit): readonly string[] => WRITTEN[unit].map(scale => scale.name).filter(Boolean)
