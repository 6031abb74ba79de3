/** Ends every record of the protocol: ASCII «record separator». */
export const RECORD_SEPARATOR = 0x1e

/** Bytes received since the last separator, in pieces; `bytes` is their sum. */
export interface RecordBuffer {
  readonly pieces: Uint8Array[]
  bytes: number
}

export interface SplitRecords {
  readonly records: readonly Uint8Array[]
  /** A record, complete or not, is over the limit: nothing after it was read and the connection must end. */
  readonly oversize: boolean
}

/** Beyond this many pieces they are joined, so that a message sent byte by byte costs little memory and few copies. */
const MAX_PIECES = 64

export const createRecordBuffer = (): RecordBuffer => ({ pieces: [], bytes: 0 })

/**
 * Cuts a byte stream into records, whatever the frames or bodies it came in. Keeps in `buffer` what has no separator yet.
 * `maxBytes` bounds one record without its separator. Never throws.
 */
export function splitRecords(buffer: RecordBuffer, chunk: Uint8Array, maxBytes: number): SplitRecords {
  const records: Uint8Array[] = []
  let start = 0
  while (start < chunk.length) {
    const end = chunk.indexOf(RECORD_SEPARATOR, start)
    const piece = chunk.subarray(start, end === -1 ? chunk.length : end)
    if (buffer.bytes + piece.length > maxBytes) return { records, oversize: true }
    if (end === -1) {
      keep(buffer, piece)
      break
    }
    records.push(take(buffer, piece))
    start = end + 1
  }
  return { records, oversize: false }
}

function take(buffer: RecordBuffer, last: Uint8Array): Uint8Array {
  if (buffer.bytes === 0) return last
  const record = Buffer.concat([...buffer.pieces, last])
  buffer.pieces.length = 0
  buffer.bytes = 0
  return record
}

function keep(buffer: RecordBuffer, piece: Uint8Array): void {
  buffer.pieces.push(piece)
  buffer.bytes += piece.length
  if (buffer.pieces.length > MAX_PIECES) buffer.pieces.splice(0, buffer.pieces.length, Buffer.concat(buffer.pieces))
}
