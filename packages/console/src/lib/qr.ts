/**
 * QR codes (ISO/IEC 18004) of texts up to 412 bytes: byte mode, level M, versions 1 to 15. Ours, because a secret's
 * picture must not be drawn by anybody else's page, and the little that is needed is smaller than what one would install.
 */

/** By version: bytes of correction of each block, and how many blocks. */
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24]
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10]
const LAST_VERSION = 15
const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0

/** Rows of modules, true for dark, without the quiet zone. @throws RangeError beyond 412 bytes. */
export const qrCode = (text: string): boolean[][] => {
  const bytes = new TextEncoder().encode(text)
  let version = 1
  while (version <= LAST_VERSION && dataBytes(version) * 8 < bitsOf(bytes, version)) version += 1
  if (version > LAST_VERSION) throw new RangeError('too long for a QR code')
  const words = interleaved(padded(bytes, version), version)
  const drawn = Array.from({ length: 8 }, (_, mask) => draw(version, words, mask))
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
}

const lengthBits = (version: number): number => (version < 10 ? 8 : 16)
const bitsOf = (bytes: Uint8Array, version: number): number => 4 + lengthBits(version) + bytes.length * 8

/** Modules of a version that hold words: all but finders, timing, alignment, format and version. */
const rawModules = (version: number): number => {
  const all = (16 * version + 128) * version + 64
  if (version === 1) return all
  const alignments = Math.floor(version / 7) + 2
  return all - ((25 * alignments - 10) * alignments - 55) - (version < 7 ? 0 : 36)
}
const dataBytes = (version: number): number =>
  Math.floor(rawModules(version) / 8) - at(CORRECTION, version) * at(BLOCKS, version)

/** Mode, length, bytes, end, then the two filling bytes in turn. */
const padded = (bytes: Uint8Array, version: number): number[] => {
  const bits: number[] = []
  const push = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, lengthBits(version))
  for (const byte of bytes) push(byte, 8)
  const room = dataBytes(version)
  push(0, Math.min(4, room * 8 - bits.length))
  push(0, (8 - (bits.length % 8)) % 8)
  for (let filler = 0xec; bits.length < room * 8; filler ^= 0xec ^ 0x11) push(filler, 8)
  return Array.from({ length: room }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  )
}

/** Product in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1. */
const times = (a: number, b: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}
const divisorOf = (degree: number): number[] => {
  let divisor = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let step = 0; step < degree; step++) {
    const by = root
    divisor = divisor.map((value, index) => times(value, by) ^ at(divisor, index + 1))
    root = times(root, 2)
  }
  return divisor
}
const correctionOf = (data: readonly number[], divisor: readonly number[]): number[] => {
  const rest = divisor.map(() => 0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [index, value] of divisor.entries()) rest[index] = at(rest, index) ^ times(value, factor)
  }
  return rest
}

/** Blocks of data with their correction, word by word in turn. */
const interleaved = (data: readonly number[], version: number): number[] => {
  const count = at(BLOCKS, version)
  const total = Math.floor(rawModules(version) / 8)
  const short = Math.floor(total / count) - at(CORRECTION, version)
  const firstLong = count - (total % count)
  const divisor = divisorOf(at(CORRECTION, version))
  let from = 0
  const blocks = Array.from({ length: count }, (_, index) => {
    const block = data.slice(from, from + short + (index < firstLong ? 0 : 1))
    from += block.length
    return { block, correction: correctionOf(block, divisor) }
  })
  const words: number[] = []
  for (let index = 0; index <= short; index++)
    for (const { block } of blocks) if (index < block.length) words.push(at(block, index))
  for (let index = 0; index < divisor.length; index++)
    for (const { correction } of blocks) words.push(at(correction, index))
  return words
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

const alignmentsOf = (version: number): number[] => {
  if (version === 1) return []
  const [count, size] = [Math.floor(version / 7) + 2, version * 4 + 17]
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - step * (count - 2 - index))]
}

const draw = (version: number, words: readonly number[], mask: number): boolean[][] => {
  const size = version * 4 + 17
  const dark: (boolean | undefined)[][] = Array.from({ length: size }, () => Array.from({ length: size }))
  const set = (x: number, y: number, value: boolean): void => {
    const row = dark[y]
    if (row !== undefined && x >= 0 && x < size) row[x] = value
  }
  const rings = (cx: number, cy: number, reach: number, light: readonly number[]): void => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++)
        set(cx + dx, cy + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (let index = 0; index < size; index++) {
    set(6, index, index % 2 === 0)
    set(index, 6, index % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    rings(x, y, 4, [2, 4])
  const places = alignmentsOf(version)
  for (const x of places)
    for (const y of places) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6)
      if (!isFinder) rings(x, y, 2, [1])
    }
  drawFormat(set, size, mask)
  if (version >= 7) drawVersion(set, size, version)
  drawWords(dark, set, words, mask)
  return dark.map(row => row.map(module => module === true))
}
type SetModule = (x: number, y: number, value: boolean) => void

/** Level M (00) and the mask, with their own correction. */
const drawFormat = (set: SetModule, size: number, mask: number): void => {
  let rest = mask
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const bits = ((mask << 10) | rest) ^ 0x5412
  const bit = (index: number): boolean => ((bits >> index) & 1) === 1
  for (let index = 0; index <= 5; index++) set(8, index, bit(index))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let index = 9; index < 15; index++) set(14 - index, 8, bit(index))
  for (let index = 0; index < 8; index++) set(size - 1 - index, 8, bit(index))
  for (let index = 8; index < 15; index++) set(8, size - 15 + index, bit(index))
  set(8, size - 8, true)
}

const drawVersion = (set: SetModule, size: number, version: number): void => {
  let rest = version
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let index = 0; index < 18; index++) {
    const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)]
    const value = ((bits >> index) & 1) === 1
    set(far, near, value)
    set(near, far, value)
  }
}

/** Up and down in columns of two from the right, around what is drawn already. */
const drawWords = (
  dark: readonly (boolean | undefined)[][],
  set: SetModule,
  words: readonly number[],
  mask: number,
) => {
  const size = dark.length
  const masks = MASKS[mask] ?? (() => false)
  let index = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
        if (dark[y]?.[x] !== undefined) continue
        const bit = ((at(words, index >> 3) >> (7 - (index & 7))) & 1) === 1
        set(x, y, bit !== masks(x, y))
        index += 1
      }
  }
}

/** How hard it is to read: long runs, squares, what looks like a finder, and too much of one shade. */
const penalty = (rows: readonly boolean[][]): number => {
  const lines = rows.map(textOf)
  const columns = rows.map((_, x) => textOf(rows.map(row => row[x] ?? false)))
  let total = 0
  for (const line of [...lines, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) total += run.length - 2
    for (let from = 0; from <= line.length - 11; from++)
      if (/^(10111010000|00001011101)/.test(line.slice(from, from + 11))) total += 40
  }
  for (let y = 1; y < lines.length; y++)
    for (let x = 1; x < lines.length; x++) {
      const square = `${lines[y - 1]?.slice(x - 1, x + 1)}${lines[y]?.slice(x - 1, x + 1)}`
      if (square === '0000' || square === '1111') total += 3
    }
  const share = lines.join('').replaceAll('0', '').length / rows.length ** 2
  return total + Math.floor(Math.abs(share * 100 - 50) / 5) * 10
}
const textOf = (modules: readonly boolean[]): string => modules.map(dark => (dark ? '1' : '0')).join('')
