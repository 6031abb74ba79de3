import { expect, it } from 'vitest'
import { createFrame, eventBytes, webSocketBytes } from './frame.ts'

/** Reads one frame as RFC 6455 §5.2 says. */
function readFrame(frame: Buffer): { first: number; masked: boolean; payload: Buffer } {
  const short = frame.readUInt8(1) & 0x7f
  const masked = frame.readUInt8(1) >= 0x80
  const [start, length] =
    short < 126 ? [2, short] : short === 126 ? [4, frame.readUInt16BE(2)] : [10, Number(frame.readBigUInt64BE(2))]
  expect(frame.length).toBe(start + length)
  return { first: frame.readUInt8(0), masked, payload: frame.subarray(start) }
}

it.each([1, 124, 125, 126, 127, 65_535, 65_536, 200_000])('a record of %i bytes is one unmasked text frame', length => {
  const frame = createFrame('x'.repeat(length - 1))
  const { first, masked, payload } = readFrame(webSocketBytes(frame))
  expect([first, masked, payload.equals(frame.record), payload.length]).toEqual([0x81, false, true, length])
})

it('is wrapped once for each transport, however many receive it', () => {
  const frame = createFrame('{"é":1}')
  expect(frame.record.toString()).toBe('{"é":1}\u001e')
  expect(webSocketBytes(frame)).toBe(webSocketBytes(frame))
  expect(eventBytes(frame)).toBe(eventBytes(frame))
  expect(eventBytes(frame).toString()).toBe('data: {"é":1}\u001e\n\n')
})
