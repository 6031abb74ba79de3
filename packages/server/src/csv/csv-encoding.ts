import { isUtf8 } from 'node:buffer'

export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type CsvEncoding = (typeof CSV_ENCODINGS)[number]

const MARKS: readonly (readonly [CsvEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * The file as UTF-8 without byte order mark, and what it was written in: as its mark says, else UTF-8 where every byte is,
 * else Windows-1252, which any bytes are.
 */
export const toUtf8 = (bytes: Buffer): { encoding: CsvEncoding; utf8: Buffer } => {
  const [encoding, mark] = MARKS.find(([, signs]) => signs.every((sign, at) => bytes[at] === sign)) ?? [
    isUtf8(bytes) ? 'utf-8' : 'windows-1252',
    [],
  ]
  const content = bytes.subarray(mark.length)
  if (encoding === 'utf-8' && isUtf8(content)) return { encoding, utf8: content }
  // Marked as UTF-8 and yet not: what can not be read shows as « � » instead of being guessed.
  return { encoding, utf8: Buffer.from(new TextDecoder(encoding).decode(content), 'utf8') }
}
