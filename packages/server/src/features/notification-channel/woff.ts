import { inflateSync } from 'node:zlib'

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/** The font that a WOFF 1.0 file wraps (W3C Recommendation, 13 December 2012): its tables, unpacked, under their own directory. */
export const sfntOfWoff = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(SFNT_HEADER + SFNT_ENTRY * count)
  const power = Math.floor(Math.log2(count))
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(SFNT_ENTRY * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(SFNT_ENTRY * (count - 2 ** power), 10)
  const tables: Buffer[] = []
  let offset = head.length
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER + WOFF_ENTRY * index
    const start = woff.readUInt32BE(entry + 4)
    const packed = woff.readUInt32BE(entry + 8)
    const length = woff.readUInt32BE(entry + 12)
    const bytes = woff.subarray(start, start + packed)
    const place = SFNT_HEADER + SFNT_ENTRY * index
    woff.copy(head, place, entry, entry + 4)
    head.writeUInt32BE(woff.readUInt32BE(entry + 16), place + 4)
    head.writeUInt32BE(offset, place + 8)
    head.writeUInt32BE(length, place + 12)
    const table = Buffer.alloc(Math.ceil(length / 4) * 4)
    ;(packed < length ? inflateSync(bytes) : bytes).copy(table)
    tables.push(table)
    offset += table.length
  }
  return Buffer.concat([head, ...tables])
}
