import { expect, it } from 'vitest'
import { negotiateAnswer, negotiateVersion } from './negotiation.ts'

it('answers at most version 1, version 0 when none is asked, and nothing to what is no whole number', () => {
  expect([null, '0', '1', '2', '99'].map(negotiateVersion)).toEqual([0, 0, 1, 1, 1])
  expect(['', ' ', 'x', '-1', '1.0', '1e0', '0x1', '9'.repeat(30)].map(negotiateVersion)).toEqual(Array(8).fill(null))
})

it('offers text only, and sends nothing that turns the client elsewhere', () => {
  const availableTransports = [
    { transport: 'WebSockets', transferFormats: ['Text'] },
    { transport: 'ServerSentEvents', transferFormats: ['Text'] },
    { transport: 'LongPolling', transferFormats: ['Text'] },
  ]
  expect(negotiateAnswer(1, 'public', 'secret')).toEqual({
    connectionId: 'public',
    connectionToken: 'secret',
    negotiateVersion: 1,
    availableTransports,
  })
  expect(negotiateAnswer(0, 'public', 'secret')).toEqual({
    connectionId: 'secret',
    negotiateVersion: 0,
    availableTransports,
  })
})
