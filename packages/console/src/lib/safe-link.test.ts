import { describe, expect, test } from 'vitest'
import { externalLink, internalLink } from './safe-link.ts'

describe('S27 links', () => {
  test.each([
    ...['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'java\nscript:alert(1)', 'ftp://x', '', 'x'],
    // An address only to those who read it kindly: on a page of the same protocol it is a path.
    ...['http:evil.example', 'http:/evil.example', 'https://evil.example/ x', ' https://evil.example'],
  ])('%j is no external link', url => expect(externalLink(url, ['https:', 'http:'])).toBeNull())
  test('http, https and where it is asked mailto are', () => {
    expect(externalLink('https://docs.example/', ['https:'])).toBe('https://docs.example/')
    expect(externalLink('mailto:a@b.fr', ['https:', 'mailto:'])).toBe('mailto:a@b.fr')
    expect(externalLink('mailto:a@b.fr', ['https:'])).toBeNull()
  })
  test.each(['//evil', '/\\evil', 'https://evil', 'javascript:alert(1)', '', undefined, '/a\tb'])(
    '%j does not stay inside the console',
    link => expect(internalLink(link)).toBeNull(),
  )
  test('a path does', () => {
    expect(internalLink('/host/12')).toBe('/host/12')
    expect(internalLink('/')).toBe('/')
  })
})
