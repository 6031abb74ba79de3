/** 10ᵉ for e = 0 … 15, all exact doubles: m / 10ᵉ is then the double nearest to the decimal that was sent. */
export const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, e) => 10 ** e)
export const MAX_EXPONENT = 15
const MANTISSA_LIMIT = 2 ** 52

/** The whole number m with m / 10ᵉ identical to the value (-0 apart), or NaN when there is none below 2⁵². */
export function mantissaOf(value: number, exponent: number): number {
  const power = POWERS_OF_TEN[exponent] ?? 1
  const mantissa = Math.round(value * power)
  if (mantissa / power !== value || mantissa > MANTISSA_LIMIT || mantissa < -MANTISSA_LIMIT) return Number.NaN
  return mantissa === 0 && Object.is(value, -0) ? Number.NaN : mantissa
}

/** The least exponent from `hint` up that holds the value, or -1. */
export function exponentOf(value: number, hint: number): number {
  for (let exponent = hint; exponent <= MAX_EXPONENT; exponent++) {
    if (!Number.isNaN(mantissaOf(value, exponent))) return exponent
  }
  return -1
}

/** An exponent that holds most of the values; those it doesn't hold are the caller's exceptions. */
export function commonExponent(values: Float64Array, count: number): number {
  let exponent = 0
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    if (!Number.isNaN(mantissaOf(value, exponent))) continue
    const larger = exponentOf(value, exponent + 1)
    if (larger > 0) exponent = larger
  }
  return exponent
}
