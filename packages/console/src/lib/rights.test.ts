import { describe, expect, it } from 'vitest'
import { user } from '../testing/session-tab.ts'
import { rightsOf } from './rights.ts'

const [LYON, PARIS, SWITCH, ROUTER] = [10, 20, 1, 2]
const rights = rightsOf({
  ...user,
  claims: ['site_write', 'host_write', 'incident_write'].map(claim => ({ claim })),
  limits: [{ claims: ['host_write', 'incident_write'], siteIds: [LYON], hostIds: [SWITCH] }],
})

describe('what an account may do, and where', () => {
  it('holds a limited right on its sites with what stands there, and on its equipment elsewhere', () => {
    expect(rights.canOn({ siteId: LYON }, 'host_write')).toBe(true)
    expect(rights.canOn({ siteId: LYON, hostId: ROUTER }, 'host_write')).toBe(true)
    expect(rights.canOn({ siteId: PARIS, hostId: SWITCH }, 'host_write')).toBe(true)
    expect(rights.canOn({ siteId: PARIS, hostId: ROUTER }, 'host_write')).toBe(false)
    expect(rights.canOn({ siteId: PARIS }, 'host_write')).toBe(false)
    expect(rights.canOn({ siteId: null }, 'incident_write')).toBe(false)
  })

  it('holds any other wherever it reads, but not on a site of which it sees some equipment alone', () => {
    expect(rights.canOn({ siteId: PARIS }, 'site_write')).toBe(true)
    expect(rights.canOn({ siteId: null, hostId: null }, 'site_write')).toBe(true)
    expect(rights.canOn({ siteId: PARIS, partial: true }, 'site_write')).toBe(false)
    expect(rights.canOn({ siteId: PARIS, hostId: SWITCH, partial: true }, 'site_write')).toBe(true)
    expect(rights.canOn({ siteId: LYON }, 'metric_write')).toBe(false)
  })

  it('offers somewhere what it holds anywhere, and gives to others only what it holds everywhere', () => {
    expect(rights.can('host_write')).toBe(true)
    expect(rights.can('metric_write')).toBe(false)
    expect(rights.everywhere).toEqual(['site_write'])
    expect([rights.canEverywhere('site_write'), rights.canEverywhere('host_write')]).toEqual([true, false])
    const limited = rightsOf({ ...user, limited: true })
    expect([limited.can('site_write'), limited.canEverywhere('site_write'), limited.everywhere]).toEqual([
      true,
      false,
      [],
    ])
    expect(rightsOf(null).can('site_write')).toBe(false)
    expect(rightsOf(null).canOn({ siteId: LYON }, 'site_write')).toBe(false)
  })

  it('holds everything where it administers', () => {
    const admin = rightsOf({ ...user, claims: [{ claim: 'admin' }], limits: [] })
    expect([admin.can('metric_write'), admin.canOn({ siteId: null }, 'metric_write')]).toEqual([true, true])
  })
})
