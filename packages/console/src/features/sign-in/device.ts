import type { LoginBody } from '@narval/contracts'

/** The part of the login request that describes the device (spec §3). */
export type Device = Omit<LoginBody, 'login' | 'password' | 'uuid'>

/** What the browser says of itself; `hints` only exist in Chromium and on secure pages. */
export interface DeviceClues {
  readonly userAgent: string
  readonly maxTouchPoints: number
  readonly width: number
  readonly height: number
  readonly hints?: {
    readonly mobile: boolean
    readonly platform: string
    readonly brands: readonly { readonly brand: string; readonly version: string }[]
    readonly platformVersion?: string
    readonly model?: string
  }
}

interface Named {
  readonly name: string
  readonly version: string
}
type Rule = readonly [name: string, pattern: RegExp]

/** The first that matches wins: browsers say the names of those they descend from. */
const BROWSERS: readonly Rule[] = [
  ['Edge', /Edg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /(?:OPR|OPiOS)\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Vivaldi', /Vivaldi\/([\d.]+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:HeadlessChrome|Chrome|Chromium|CriOS)\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari\//],
]
const SYSTEMS: readonly Rule[] = [
  ['Windows', /Windows NT ([\d.]+)/],
  ['Android', /Android ([\d.]+)/],
  ['iOS', /(?:iPhone|iPad|iPod).*? OS ([\d_]+)/],
  ['Chrome OS', /CrOS \S+ ([\d.]+)/],
  ['macOS', /Mac OS X ([\d_.]+)/],
  ['Linux', /Linux()/],
]
const UNKNOWN: Named = { name: '', version: '' }
const BRANDS: Readonly<Record<string, string>> = { 'Google Chrome': 'Chrome', 'Microsoft Edge': 'Edge' }

const match = (rules: readonly Rule[], text: string): Named => {
  for (const [name, pattern] of rules) {
    const found = pattern.exec(text)
    if (found !== null) return { name, version: (found[1] ?? '').replaceAll('_', '.') }
  }
  return UNKNOWN
}

const browserOf = (clues: DeviceClues): Named => {
  const said = match(BROWSERS, clues.userAgent)
  const brand = clues.hints?.brands.find(one => one.brand in BRANDS)
  if (brand === undefined) return said
  const name = BRANDS[brand.brand] ?? brand.brand
  return { name, version: said.name === name ? said.version : brand.version }
}

const systemOf = (clues: DeviceClues): Named => {
  const said = match(SYSTEMS, clues.userAgent)
  // An iPad asks for desktop pages: it says Macintosh, but is touched.
  if (said.name === 'macOS' && clues.maxTouchPoints > 1) return { name: 'iPadOS', version: '' }
  const { platform = '', platformVersion = '' } = clues.hints ?? {}
  if (platformVersion === '' || platform !== said.name) return said
  if (platform !== 'Windows') return { name: platform, version: platformVersion }
  return { name: 'Windows', version: Number.parseInt(platformVersion, 10) >= 13 ? '11' : '10' }
}

const deviceName = (clues: DeviceClues, system: string): string => {
  if (clues.hints?.model) return clues.hints.model
  const apple = /iPhone|iPad|iPod/.exec(clues.userAgent)?.[0]
  if (apple !== undefined) return apple
  if (system === 'iPadOS') return 'iPad'
  if (system === 'macOS') return 'Mac'
  const android = /Android [\d.]+; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(clues.userAgent)?.[1]
  return android === undefined || android === 'K' ? '' : android
}

const typeOf = (clues: DeviceClues, system: string): 'mobile' | 'tablet' | 'desktop' => {
  if (system === 'iPadOS' || /iPad|Tablet/.test(clues.userAgent)) return 'tablet'
  if (clues.hints?.mobile || /iPhone|iPod|Mobile/.test(clues.userAgent)) return 'mobile'
  return system === 'Android' ? 'tablet' : 'desktop'
}

const FIELD_MAX = 512

/** What the clues tell of the device; what they do not tell is left empty, never guessed. */
export const describeDevice = (clues: DeviceClues): Device => {
  const browser = browserOf(clues)
  const system = systemOf(clues)
  const deviceType = typeOf(clues, system.name)
  return {
    browser: browser.name,
    browserVersion: browser.version.slice(0, FIELD_MAX),
    device: deviceName(clues, system.name).slice(0, FIELD_MAX),
    deviceType,
    orientation: clues.width >= clues.height ? 'landscape' : 'portrait',
    os: system.name,
    osVersion: system.version.slice(0, FIELD_MAX),
    userAgent: clues.userAgent.slice(0, FIELD_MAX),
    isMobile: deviceType === 'mobile',
    isTablet: deviceType === 'tablet',
    isDesktopDevice: deviceType === 'desktop',
  }
}

/** What Chromium adds to `navigator`; TypeScript's DOM does not know it. */
interface UserAgentData {
  readonly mobile: boolean
  readonly platform: string
  readonly brands: readonly { readonly brand: string; readonly version: string }[]
  getHighEntropyValues(
    names: readonly string[],
  ): Promise<{ readonly platformVersion?: string; readonly model?: string }>
}
const userAgentData = (): UserAgentData | undefined => {
  const given: Navigator & { readonly userAgentData?: UserAgentData } = navigator
  return given.userAgentData
}

/** Measures the device of this browser. */
export const measureDevice = async (): Promise<Device> => {
  const data = userAgentData()
  const more = await data?.getHighEntropyValues(['platformVersion', 'model']).catch(() => ({}))
  return describeDevice({
    userAgent: navigator.userAgent,
    maxTouchPoints: navigator.maxTouchPoints,
    width: screen.width,
    height: screen.height,
    ...(data === undefined
      ? {}
      : { hints: { mobile: data.mobile, platform: data.platform, brands: data.brands, ...more } }),
  })
}
