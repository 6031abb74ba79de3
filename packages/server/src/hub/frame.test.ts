import { expect, it } from 'vitest'
import { Receiver } from 'ws'
import { createFrame, eventBytes, webSocketBytes } from './frame.ts'

it.each([1, 124, 125, 126, 65_534, 65_535, 65_536, 200_000])(
  'a record of %i bytes is one text frame that `ws` itself reads back',
  async length => {
    const frame = createFrame('x'.repeat(length - 1))
    const receiver = new Receiver({ isServer: false })
    const { promise, resolve } = Promise.withResolvers<{ data: Buffer; isBinary: boolean }>()
    receiver.on('message', (data: Buffer, isBinary: boolean) => resolve({ data: Buffer.from(data), isBinary }))
    receiver.write(webSocketBytes(frame))
    const { data, isBinary } = await promise
    expect(isBinary).toBe(false)
    expect(data.equals(frame.record)).toBe(true)
  },
)

it('is wrapped once for each transport, however many receive it', () => {
  const frame = createFrame('{"é":1}')
  expect(frame.record.toString()).toBe('{"é":1}\u001e')
  expect(webSocketBytes(frame)).toBe(webSocketBytes(frame))
  expect(eventBytes(frame)).toBe(eventBytes(frame))
  expect(eventBytes(frame).toString()).toBe('data: {"é":1}\u001e\n\n')
})
