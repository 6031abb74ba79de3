import { expect, it } from 'vitest'
import { encodeHandshakeError, HANDSHAKE_ACCEPTED, handshakeFault } from './handshake.ts'

const fault = (text: string) => handshakeFault(Buffer.from(text))

it('accepts version 1 of the protocol json, whatever else is said', () => {
  expect(fault('{"protocol":"json","version":1}')).toBeNull()
  expect(fault('{"version":1,"x":null,"protocol":"json"}')).toBeNull()
  expect(HANDSHAKE_ACCEPTED.record.toString()).toBe('{}\u001e')
})

it.each([
  '',
  '{',
  'null',
  '[]',
  '{}',
  '{"protocol":"json"}',
  '{"version":1}',
  '{"protocol":"json","version":"1"}',
  '{"protocol":"json","version":0}',
  '{"protocol":"json","version":2}',
  '{"protocol":"messagepack","version":1}',
  '{"protocol":"JSON","version":1}',
  '{"protocol":"constructor","version":1}',
  '{"protocol":["json"],"version":1}',
  '{"type":6}',
  '{"type":1,"protocol":"json","version":1,"target":"x","arguments":[]}',
])('says what is wrong with %s', text => {
  expect(fault(text)).toMatch(/\.$/)
})

it('an error is one record', () => {
  expect(encodeHandshakeError('no').record.toString()).toBe('{"error":"no"}\u001e')
})
