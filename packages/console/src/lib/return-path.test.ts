import { describe, expect, test } from 'vitest'
import { safeReturn } from './return-path.ts'

const ORIGIN = 'https://narval.example'

describe('S27: where one goes on after signing in', () => {
  test.each(['/host?q=eq-03&sort=name', '/api/docs?q=site#postSiteCreate', '/site/edit/3', '/'])(
    '%j is kept whole',
    path => expect(safeReturn(path, ORIGIN)).toBe(path),
  )
  test.each([
    ...[
      '//evil.test',
      '/\\evil.test',
      '/\t/evil.test',
      'https://evil.test/',
      'javascript:alert(1)',
      'data:text/html,x',
    ],
    ...['/..//evil.test', '/.//evil.test', '/%2e%2e//evil.test', 'host', '', null, `/${'x'.repeat(2_000)}`],
  ])('%j is not gone to', path => expect(safeReturn(path, ORIGIN)).toBeNull())
  test.each(['/login', '/login?next=/host', '/password-reset#x'])('nor is the sign-in page %j', path =>
    expect(safeReturn(path, ORIGIN)).toBeNull(),
  )
})
