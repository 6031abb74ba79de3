import {
  type BitReader,
  type BitWriter,
  bitLength,
  ChunkCorrupt,
  getBits,
  getRiceBlock,
  getSigned,
  putBits,
  putRice,
  putSigned,
  riceBits,
  unzigzag,
  zigzag,
} from './bits.ts'

/** Inputs stay within ± 2⁴⁹, so that second differences, less their bias and zigzagged, are exact doubles. */
export const INTEGER_LIMIT = 2 ** 49

const BLOCK = 64
const ALL_ZERO = 63
const PROBES = 31
/** How the next number is foretold: nothing, the one before, the slope before, a straight line through the first. */
const MODES = { plain: 0, delta: 1, slope: 2, line: 3 } as const
type Mode = (typeof MODES)[keyof typeof MODES]

let scratch = { delta: new Float64Array(2048), slope: new Float64Array(2048), line: new Float64Array(2048) }
const probes = new Float64Array(PROBES)

/** Writes `count` whole numbers within ± 2⁴⁹ with whichever prediction leaves the least; the count itself is the caller's. */
export function encodeIntegers(writer: BitWriter, values: Float64Array, count: number): void {
  if (count === 0) return
  const first = values[0] ?? 0
  const { mode, residuals, bias, step } = choosePrediction(values, count)
  putBits(writer, mode, 2)
  if (mode !== MODES.plain) putSigned(writer, first)
  if (mode === MODES.slope || mode === MODES.line) putSigned(writer, step)
  putSigned(writer, bias)
  for (let from = firstResidual(mode); from < count; from += BLOCK) {
    encodeBlock(writer, residuals, from, Math.min(count, from + BLOCK), bias)
  }
}

const firstResidual = (mode: Mode): number => (mode === MODES.plain ? 0 : mode === MODES.slope ? 2 : 1)

interface Prediction {
  readonly mode: Mode
  readonly residuals: Float64Array
  readonly bias: number
  readonly step: number
}

function choosePrediction(values: Float64Array, count: number): Prediction {
  if (scratch.delta.length < count) {
    scratch = {
      delta: new Float64Array(count * 2),
      slope: new Float64Array(count * 2),
      line: new Float64Array(count * 2),
    }
  }
  const { delta, slope, line } = scratch
  const first = values[0] ?? 0
  for (let i = 1; i < count; i++) delta[i] = (values[i] ?? 0) - (values[i - 1] ?? 0)
  const step = median(delta, 1, count)
  const firstStep = count > 1 ? (delta[1] ?? 0) : 0
  const span = INTEGER_LIMIT / Math.max(1, count)
  const candidates: Prediction[] = [
    { mode: MODES.plain, residuals: values, bias: median(values, 0, count), step: 0 },
    { mode: MODES.delta, residuals: delta, bias: step, step: 0 },
  ]
  if (count > 2) {
    for (let i = 2; i < count; i++) slope[i] = (delta[i] ?? 0) - (delta[i - 1] ?? 0)
    candidates.push({ mode: MODES.slope, residuals: slope, bias: 0, step: firstStep })
    if (Math.abs(step) < span) {
      for (let i = 1; i < count; i++) line[i] = (values[i] ?? 0) - first - step * i
      candidates.push({ mode: MODES.line, residuals: line, bias: median(line, 1, count), step })
    }
  }
  return cheapest(candidates, count)
}

function cheapest(candidates: readonly Prediction[], count: number): Prediction {
  let best: Prediction | undefined
  let bestBits = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    let bits = 0
    const { residuals, bias } = candidate
    for (let i = firstResidual(candidate.mode); i < count; i++) bits += bitLength(zigzag((residuals[i] ?? 0) - bias))
    if (bits < bestBits) {
      best = candidate
      bestBits = bits
    }
  }
  if (best === undefined) throw new RangeError('no prediction')
  return best
}

/** Near enough to the median, from a few evenly spread values: a counter's reset must not shift it. */
function median(values: Float64Array, from: number, to: number): number {
  const size = Math.min(PROBES, to - from)
  if (size <= 0) return 0
  const stride = (to - from) / size
  for (let i = 0; i < size; i++) probes[i] = values[from + Math.floor(i * stride)] ?? 0
  return probes.subarray(0, size).sort()[size >> 1] ?? 0
}

function encodeBlock(writer: BitWriter, residuals: Float64Array, from: number, to: number, bias: number): void {
  let sum = 0
  for (let i = from; i < to; i++) sum += zigzag((residuals[i] ?? 0) - bias)
  if (sum === 0) {
    putBits(writer, ALL_ZERO, 6)
    return
  }
  const k = bestRice(residuals, from, to, bias, sum / (to - from))
  putBits(writer, k, 6)
  for (let i = from; i < to; i++) putRice(writer, zigzag((residuals[i] ?? 0) - bias), k)
}

function bestRice(residuals: Float64Array, from: number, to: number, bias: number, mean: number): number {
  const guess = Math.max(0, Math.floor(Math.log2(mean * 0.69 + 1e-9)))
  let best = guess
  let bestBits = Number.POSITIVE_INFINITY
  for (let k = Math.max(0, guess - 2); k <= Math.min(53, guess + 1); k++) {
    let bits = 0
    for (let i = from; i < to; i++) bits += riceBits(zigzag((residuals[i] ?? 0) - bias), k)
    if (bits < bestBits) {
      best = k
      bestBits = bits
    }
  }
  return best
}

/** Reads back what `encodeIntegers` wrote. */
export function decodeIntegers(reader: BitReader, into: Float64Array, count: number): void {
  if (count === 0) return
  const mode = getBits(reader, 2)
  const first = mode === MODES.plain ? 0 : getSigned(reader)
  const step = mode === MODES.slope || mode === MODES.line ? getSigned(reader) : 0
  const bias = getSigned(reader)
  if (mode !== MODES.plain) into[0] = first
  if (mode === MODES.slope && count > 1) into[1] = first + step
  const start = mode === MODES.plain ? 0 : mode === MODES.slope ? 2 : 1
  decodeResiduals(reader, into, start, count, bias)
  if (mode === MODES.delta) for (let i = 1; i < count; i++) into[i] = (into[i] ?? 0) + (into[i - 1] ?? 0)
  if (mode === MODES.line) for (let i = 1; i < count; i++) into[i] = (into[i] ?? 0) + first + step * i
  if (mode === MODES.slope) {
    let slope = step
    for (let i = 2; i < count; i++) {
      slope += into[i] ?? 0
      into[i] = (into[i - 1] ?? 0) + slope
    }
  }
}

function decodeResiduals(reader: BitReader, into: Float64Array, start: number, count: number, bias: number): void {
  for (let from = start; from < count; from += BLOCK) {
    const to = Math.min(count, from + BLOCK)
    const k = getBits(reader, 6)
    if (k === ALL_ZERO) into.fill(bias, from, to)
    else if (k > 53) throw new ChunkCorrupt('unknown block')
    else {
      getRiceBlock(reader, k, into, from, to)
      for (let i = from; i < to; i++) into[i] = unzigzag(into[i] ?? 0) + bias
    }
  }
}
