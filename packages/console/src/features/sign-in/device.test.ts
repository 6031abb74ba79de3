import { describe, expect, test } from 'vitest'
import { describeDevice } from './device.ts'

const screen = { maxTouchPoints: 0, width: 1440, height: 900 }
const phone = { maxTouchPoints: 5, width: 390, height: 844 }
const read = (userAgent: string, rest: Partial<Parameters<typeof describeDevice>[0]> = screen) =>
  describeDevice({ ...screen, ...rest, userAgent })

describe('the device of the login request (spec §3)', () => {
  test.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      'Chrome',
      '141.0.0.0',
      'Windows',
      '10.0',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.3537.57',
      'Edge',
      '141.0.3537.57',
      'Windows',
      '10.0',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', '140.0', 'Linux', ''],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari',
      '18.5',
      'macOS',
      '10.15.7',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome',
      '140.0.0.0',
      'Chrome OS',
      '14541.0.0',
    ],
  ])('%s', (userAgent, browser, browserVersion, os, osVersion) => {
    expect(read(userAgent)).toMatchObject({
      browser,
      browserVersion,
      os,
      osVersion,
      deviceType: 'desktop',
      orientation: 'landscape',
      isDesktopDevice: true,
      isMobile: false,
      isTablet: false,
    })
  })

  test('an iPhone is a phone held upright', () => {
    const ua =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
    expect(read(ua, phone)).toMatchObject({
      browser: 'Safari',
      os: 'iOS',
      osVersion: '18.5',
      device: 'iPhone',
      deviceType: 'mobile',
      orientation: 'portrait',
      isMobile: true,
    })
  })

  test('an iPad that says Macintosh is a tablet', () => {
    const ua =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
    expect(read(ua, { maxTouchPoints: 5 })).toMatchObject({
      os: 'iPadOS',
      device: 'iPad',
      deviceType: 'tablet',
      isTablet: true,
      isDesktopDevice: false,
    })
  })

  test('an Android phone tells its model, a tablet is not mobile', () => {
    const base = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
    expect(read(`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${base} Mobile Safari/537.36`, phone)).toMatchObject({
      os: 'Android',
      osVersion: '15',
      device: 'Pixel 9',
      deviceType: 'mobile',
    })
    expect(read(`Mozilla/5.0 (Linux; Android 14; SM-X710 Build/UP1A) ${base} Safari/537.36`)).toMatchObject({
      device: 'SM-X710',
      deviceType: 'tablet',
    })
    expect(read(`Mozilla/5.0 (Linux; Android 10; K) ${base} Mobile Safari/537.36`)).toMatchObject({ device: '' })
  })

  test('hints tell Windows 11 from Windows 10', () => {
    const ua =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
    const hints = { mobile: false, platform: 'Windows', brands: [{ brand: 'Google Chrome', version: '141' }] }
    expect(read(ua, { hints: { ...hints, platformVersion: '15.0.0' } })).toMatchObject({
      os: 'Windows',
      osVersion: '11',
      browserVersion: '141.0.0.0',
    })
    expect(read(ua, { hints: { ...hints, platformVersion: '10.0.0' } }).osVersion).toBe('10')
  })

  test('what is not told stays empty, and nothing is longer than the server takes', () => {
    const device = read('x'.repeat(2_000))
    expect(device).toMatchObject({ browser: '', os: '', device: '', deviceType: 'desktop' })
    expect(device.userAgent).toHaveLength(512)
  })
})
