import { describe, expect, it } from 'vitest'
import { concernsOwnMachine } from './own-machine.ts'

describe('a check that concerns the machine of its probe', () => {
  it('is one of the machine itself, or of a loopback address', () => {
    expect(concernsOwnMachine('system', '192.0.2.1', '{}')).toBe(true)
    for (const address of [
      '127.0.0.1',
      '127.9.8.7',
      '::1',
      '::ffff:127.0.0.1',
      'localhost',
      'db.localhost',
      ' LOCALHOST ',
    ])
      expect(concernsOwnMachine('ping', address, '{}'), address).toBe(true)
    for (const address of ['192.0.2.1', '12.7.0.1', '::2', 'localhost.example.fr', 'mylocalhost'])
      expect(concernsOwnMachine('ping', address, '{}'), address).toBe(false)
  })

  it('is one that waits for what equipment sends to that probe', () => {
    for (const kind of ['trap', 'syslog']) expect(concernsOwnMachine(kind, '192.0.2.1', '{}'), kind).toBe(true)
  })

  it('is told by the address of its parameters where they have one', () => {
    const url = (text: string) => JSON.stringify({ url: text })
    expect(concernsOwnMachine('http', '192.0.2.1', url('http://127.0.0.1:8080/health'))).toBe(true)
    expect(concernsOwnMachine('http', '192.0.2.1', url('https://[::1]/'))).toBe(true)
    expect(concernsOwnMachine('http', '127.0.0.1', url('https://www.example.fr/'))).toBe(false)
    expect(concernsOwnMachine('http', '127.0.0.1', url('http://{address}:80/'))).toBe(true)
  })
})
