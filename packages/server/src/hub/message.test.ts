import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMessage, encodeClose, encodeFailure, encodePush, encodeResult, PING_FRAME } from './message.ts'

const decode = (text: string) => decodeMessage(Buffer.from(text))
const kind = (text: string) => decode(text).kind

describe('decoding', () => {
  it('reads an invocation whatever the order of its properties and what else it holds', () => {
    const expected = { kind: 'invocation', target: 'Join', args: ['global'], invocationId: '7', streamed: false }
    expect(decode('{"type":1,"invocationId":"7","target":"Join","arguments":["global"]}')).toEqual(expected)
    expect(
      decode('{"arguments":["global"],"headers":{"a":"b"},"x":1,"target":"Join","type":1,"invocationId":"7"}'),
    ).toEqual(expected)
  })

  it('takes an absent, null or empty invocationId as «no answer wanted»', () => {
    for (const id of ['', '"invocationId":null,', '"invocationId":"",']) {
      expect(decode(`{"type":1,${id}"target":"x","arguments":[]}`)).toMatchObject({ invocationId: null })
    }
  })

  it('knows a ping, a close, a call for a stream, and ignores other numeric types', () => {
    expect(kind('{"type":6}')).toBe('ping')
    expect(kind('{"type":7,"error":"x"}')).toBe('close')
    expect(decode('{"type":4,"invocationId":"1","target":"x","arguments":[]}')).toMatchObject({ streamed: true })
    for (const type of [0, 2, 3, 5, 8, 9, -1, 1.5, 1e9]) expect(kind(`{"type":${type}}`)).toBe('ignored')
  })

  it.each([
    ['bad JSON', '{"type":1'],
    ['nothing', ''],
    ['a byte order mark', '\ufeff{"type":6}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '6'],
    ['no type', '{}'],
    ['a type in words', '{"type":"1","target":"x","arguments":[]}'],
    ['a type that only a prototype has', '{"__proto__":{"type":6}}'],
    ['no target', '{"type":1,"arguments":[]}'],
    ['a target that is no string', '{"type":1,"target":{},"arguments":[]}'],
    ['no arguments', '{"type":1,"target":"x"}'],
    ['arguments that are no array', '{"type":1,"target":"x","arguments":{"length":1}}'],
    ['an invocationId that is no string', '{"type":1,"target":"x","arguments":[],"invocationId":1}'],
  ])('finds a fault in %s', (_name, text) => {
    expect(kind(text)).toBe('fault')
  })

  it('finds a fault in bytes that are no UTF-8', () => {
    expect(
      decodeMessage(Buffer.concat([Buffer.from('{"type":6,"x":"'), Buffer.of(0xc3), Buffer.from('"}')])).kind,
    ).toBe('fault')
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => typeof decodeMessage(bytes).kind === 'string'))
    fc.assert(fc.property(fc.json(), text => typeof kind(text) === 'string'))
  })

  it('reads back the arguments of any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), args => {
        const message = decode(JSON.stringify({ type: 1, target: 't', arguments: args }))
        expect(message).toMatchObject({ args: JSON.parse(JSON.stringify(args)) })
      }),
    )
  })
})

describe('encoding', () => {
  const text = ({ record }: { record: Buffer }) => record.toString()

  it('writes the records of the protocol, each with its separator', () => {
    expect(text(PING_FRAME)).toBe('{"type":6}\u001e')
    expect(text(encodePush('alert', [{ type: 'Error', title: 'é' }]))).toBe(
      '{"type":1,"target":"alert","arguments":[{"type":"Error","title":"é"}]}\u001e',
    )
    expect(text(encodeResult('1', { a: 1 }))).toBe('{"type":3,"invocationId":"1","result":{"a":1}}\u001e')
    expect(text(encodeResult('1', undefined))).toBe('{"type":3,"invocationId":"1"}\u001e')
    expect(text(encodeFailure('1', 'no'))).toBe('{"type":3,"invocationId":"1","error":"no"}\u001e')
    expect(text(encodeClose())).toBe('{"type":7,"allowReconnect":true}\u001e')
    expect(text(encodeClose('no'))).toBe('{"type":7,"error":"no","allowReconnect":true}\u001e')
  })

  it('holds one separator and no line feed, whatever the content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, value) => {
        for (const frame of [encodePush('t', [value]), encodeResult(id, value), encodeFailure(id, value)]) {
          expect(text(frame).indexOf('\u001e')).toBe(text(frame).length - 1)
          expect(text(frame)).not.toMatch(/[\r\n]/)
        }
      }),
    )
  })

  it('echoes an invocationId exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), id => {
        const message = decode(JSON.stringify({ type: 1, target: 't', arguments: [], invocationId: id }))
        if (message.kind !== 'invocation' || message.invocationId === null) throw new Error('no invocation')
        expect(JSON.parse(text(encodeResult(message.invocationId, 1)).slice(0, -1)).invocationId).toBe(id)
      }),
    )
  })
})
