import { RECORD_SEPARATOR } from './record.ts'

/** One outgoing record, built once for all its receivers and wrapped at most once for each transport. */
export interface Frame {
  readonly record: Buffer
  webSocket: Buffer | null
  event: Buffer | null
}

/** `json` is one JSON text: it holds no line feed and no separator. */
export function createFrame(json: string): Frame {
  const record = Buffer.allocUnsafe(Buffer.byteLength(json) + 1)
  record[record.write(json)] = RECORD_SEPARATOR
  return { record, webSocket: null, event: null }
}

/** The record as a whole WebSocket text frame from a server (RFC 6455 §5.2: final, not masked). */
export function webSocketBytes(frame: Frame): Buffer {
  frame.webSocket ??= Buffer.concat([webSocketHeader(frame.record.length), frame.record])
  return frame.webSocket
}

/** The record as one unnamed server-sent event. */
export function eventBytes(frame: Frame): Buffer {
  frame.event ??= Buffer.concat([Buffer.from('data: '), frame.record, Buffer.from('\n\n')])
  return frame.event
}

function webSocketHeader(bytes: number): Buffer {
  const finalText = 0x81
  if (bytes < 126) return Buffer.of(finalText, bytes)
  if (bytes < 0x1_0000) return Buffer.of(finalText, 126, bytes >> 8, bytes & 0xff)
  const header = Buffer.alloc(10)
  header.set([finalText, 127])
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}
