import { describe, expect, it } from 'vitest'
import { originVerdict } from './origin.ts'

const ALLOWED = ['https://console.example']
const verdict = (origin?: string, host = 'narval.example:8080', fetchSite?: string) =>
  originVerdict({ host, origin, fetchSite }, ALLOWED)

describe('S23, S51: the origin of a request', () => {
  it('is ours when host and port are the same, listed, or foreign', () => {
    expect(verdict()).toBe('none')
    expect(verdict('http://narval.example:8080')).toBe('same')
    expect(verdict('http://NARVAL.example:8080', 'Narval.Example:8080')).toBe('same')
    expect(verdict('https://narval.example', 'narval.example')).toBe('same')
    expect(verdict('https://console.example')).toBe('allowed')
  })

  it.each([
    'null',
    '',
    '*',
    'http://narval.example',
    'http://narval.example:8081',
    'http://narval.example:8080.evil.example',
    'http://evil.example/narval.example:8080',
    'https://console.example.evil.example',
    'http://console.example',
    'https://sub.console.example',
    'file://narval.example:8080',
    'chrome-extension://narval.example:8080',
  ])('%s is foreign', origin => {
    expect(verdict(origin)).toBe('foreign')
  })

  it('is foreign when the browser says so, even without an Origin', () => {
    expect(verdict(undefined, undefined, 'cross-site')).toBe('foreign')
    for (const site of ['same-origin', 'same-site', 'none']) expect(verdict(undefined, undefined, site)).toBe('none')
  })
})
