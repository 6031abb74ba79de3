import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { corsHeaders, readTarget, readToken, redactAccessToken } from './access.ts'

describe('S51: the origin of a request', () => {
  it('is echoed with credentials only when it is listed, and never as *', () => {
    const headers = { origin: 'https://console.example' }
    expect(corsHeaders(headers, 'allowed')).toMatchObject({
      'access-control-allow-origin': 'https://console.example',
      'access-control-allow-credentials': 'true',
    })
    for (const other of ['none', 'same', 'foreign'] as const) {
      expect(corsHeaders(headers, other)).toEqual({ vary: 'Origin' })
    }
  })
})

it('a token is read from the header first, else from the query', () => {
  const query = new URLSearchParams('access_token=q')
  expect(readToken({ authorization: 'Bearer h' }, query)).toBe('h')
  expect(readToken({ authorization: 'bearer h' }, query)).toBe('h')
  expect(readToken({}, query)).toBe('q')
  expect(readToken({ authorization: 'Basic h' }, new URLSearchParams())).toBeNull()
  expect(readToken({ authorization: 'Bearer' }, new URLSearchParams('access_token='))).toBeNull()
})

it('a target is split into path and query, or is none', () => {
  expect(readTarget('/Hub/Host?id=a%20b&x')).toMatchObject({ path: '/Hub/Host' })
  expect(readTarget('/Hub/Host?id=a%20b')?.params.get('id')).toBe('a b')
  expect(['*', 'http://x/Hub/Host', undefined].map(readTarget)).toEqual([null, null, null])
  expect(readTarget('//x/Hub/Host')?.path).toBe('//x/Hub/Host')
})

it('S54: a token in a URL can not be read once redacted, however its name is spelt', () => {
  expect(redactAccessToken('/Hub/Host?id=1&access_token=SECRET&_=2')).toBe('/Hub/Host?id=1&access_token=redacted&_=2')
  expect(redactAccessToken('/Hub/Host?%61ccess_token=SECRET')).toBe('/Hub/Host?access_token=redacted')
  expect(redactAccessToken('/Hub/Host')).toBe('/Hub/Host')
  fc.assert(
    fc.property(fc.webQueryParameters(), fc.webQueryParameters(), (before, after) => {
      const redacted = redactAccessToken(`/Hub/Host?${before}&access_token=SECRET&${after}`)
      expect(redacted).not.toContain('access_token=SECRET')
    }),
  )
})
