import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'

/** What is drawn: rows of red, green, blue, opacity, one byte each. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly rgba: Buffer
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Bytes of a pixel by colour type, of 8 bits: without opacity, with. */
const CHANNELS: Readonly<Record<number, 3 | 4>> = { 2: 3, 6: 4 }
const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)
const deflated = promisify<Buffer, { level: number }, Buffer>(deflate)

/**
 * Reads a PNG of exactly `side` × `side` pixels, 8 bits, in colours, not interlaced; null for all else. What its header
 * says is judged before anything is inflated, and no more is inflated than such an image holds; other chunks are skipped
 * unread.
 */
export const decodePng = async (file: Buffer, side: number): Promise<Raster | null> => {
  const chunks = chunksOf(file)
  const [first, last] = [chunks?.[0], chunks?.at(-1)]
  if (chunks === null || first?.type !== 'IHDR' || first.data.length !== 13 || last?.type !== 'IEND') return null
  const header = first.data
  const channels = CHANNELS[header.readUInt8(9)]
  const isSmall = header.readUInt32BE(0) === side && header.readUInt32BE(4) === side
  const isPlain = header.readUInt8(8) === 8 && header.subarray(10).equals(Buffer.alloc(3))
  if (!isSmall || !isPlain || channels === undefined) return null
  const length = side * (1 + side * channels)
  const packed = Buffer.concat(chunks.filter(chunk => chunk.type === 'IDAT').map(chunk => chunk.data))
  const lines = await inflated(packed, { maxOutputLength: length }).catch(() => null)
  return lines?.length === length ? raster(lines, side, channels) : null
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/** All chunks, each with its right sum, up to an IEND that ends the file; null otherwise. */
const chunksOf = (file: Buffer): Chunk[] | null => {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return null
  const chunks: Chunk[] = []
  let at = 8
  while (at + 12 <= file.length) {
    const end = at + 8 + file.readUInt32BE(at)
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: file.subarray(at + 8, end) })
    at = end + 4
    if (type === 'IEND') return at === file.length ? chunks : null
  }
  return null
}

/** Undoes the filter of each row; null for one that does not exist. */
const raster = (lines: Buffer, side: number, channels: 3 | 4): Raster | null => {
  const width = side * channels
  const rows = Buffer.alloc(side * width)
  for (let y = 0; y < side; y++) {
    const filter = PREDICTORS[lines.readUInt8(y * (width + 1))]
    if (filter === undefined) return null
    for (let x = 0; x < width; x++) {
      const left = x < channels ? 0 : (rows[y * width + x - channels] ?? 0)
      const above = y === 0 ? 0 : (rows[(y - 1) * width + x] ?? 0)
      const corner = x < channels || y === 0 ? 0 : (rows[(y - 1) * width + x - channels] ?? 0)
      rows[y * width + x] = (lines[y * (width + 1) + 1 + x] ?? 0) + filter(left, above, corner)
    }
  }
  if (channels === 4) return { width: side, height: side, rgba: rows }
  const rgba = Buffer.alloc(side * side * 4, 255)
  for (let pixel = 0; pixel < side * side; pixel++) rows.copy(rgba, pixel * 4, pixel * 3, pixel * 3 + 3)
  return { width: side, height: side, rgba }
}

const paeth = (left: number, above: number, corner: number): number => {
  const a = Math.abs(above - corner)
  const b = Math.abs(left - corner)
  const c = Math.abs(left + above - 2 * corner)
  return a <= b && a <= c ? left : b <= c ? above : corner
}
/** What a byte is told apart from, by the number of its row's filter. */
const PREDICTORS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  left => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
]

/** Writes a PNG of nothing but its pixels: header, data, end. */
export const encodePng = async ({ width, height, rgba }: Raster): Promise<Buffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const row = width * 4
  const lines = Buffer.alloc(height * (row + 1))
  for (let y = 0; y < height; y++) {
    // Told apart from the left and from above, which photographs are packed best by.
    lines[y * (row + 1)] = 4
    for (let x = 0; x < row; x++) {
      const left = x < 4 ? 0 : (rgba[y * row + x - 4] ?? 0)
      const above = y === 0 ? 0 : (rgba[(y - 1) * row + x] ?? 0)
      const corner = x < 4 || y === 0 ? 0 : (rgba[(y - 1) * row + x - 4] ?? 0)
      lines[y * (row + 1) + 1 + x] = (rgba[y * row + x] ?? 0) - paeth(left, above, corner)
    }
  }
  const packed = await deflated(lines, { level: 9 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
