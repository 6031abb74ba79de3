import { describe, expect, it } from 'vitest'
import {
  ALERT_TYPES,
  ALL_ROUTES,
  CLAIMS,
  GLOBAL_STREAM,
  grants,
  HUB_KEEP_ALIVE_MS,
  HUB_RECONNECT_DELAYS_MS,
  HUB_RETRY_MS,
  HUB_SERVER_TIMEOUT_MS,
  HUBS,
  loginBody,
  ownAccount,
  PASSWORD_POLICY,
  REFRESH_BEFORE_EXPIRY_MS,
  tokens,
} from './index.ts'

describe('spec §3, names and fields', () => {
  it('the login request has the fourteen fields and no other', () => {
    expect(Object.keys(loginBody.shape)).toEqual([
      'login',
      'password',
      'uuid',
      'browser',
      'browserVersion',
      'device',
      'deviceType',
      'orientation',
      'os',
      'osVersion',
      'userAgent',
      'isMobile',
      'isTablet',
      'isDesktopDevice',
    ])
  })

  it('login and refresh answer token and refreshToken', () => {
    expect(Object.keys(tokens.shape)).toEqual(['token', 'refreshToken'])
  })

  it('a user has the named fields, claims as objects with a claim', () => {
    for (const field of ['idUser', 'firstConnection', 'claims', 'firstName', 'lastName', 'login', 'avatar'])
      expect(Object.keys(ownAccount.shape)).toContain(field)
    const claims = [{ claim: 'site_write' }]
    expect(ownAccount.shape.claims.parse(claims)).toEqual(claims)
  })

  it('alerts have the five types', () => {
    expect([...ALERT_TYPES]).toEqual(['Success', 'Error', 'Info', 'Warning', 'Question'])
  })
})

describe('spec §6, claims', () => {
  it('all those seen exist; admin grants everything; of several any one is enough', () => {
    const seen = [
      'site_write',
      'host_write',
      'metric_write',
      'custom_field_write',
      'scanner_read',
      'user_read',
      'user_group_read',
      'probe_write',
      'service_read',
      'log_read',
      'admin',
    ]
    expect(CLAIMS).toEqual(expect.arrayContaining(seen))
    for (const claim of CLAIMS) expect(grants(['admin'], claim)).toBe(true)
    expect(grants(['host_write'], 'site_write', 'host_write')).toBe(true)
    expect(grants(['log_read'], 'site_write', 'host_write')).toBe(false)
    expect(grants([], 'site_write')).toBe(false)
  })
})

describe('spec §7, calls', () => {
  it('the calls of the first table exist with their method and path', () => {
    const paths = ALL_ROUTES.map(route => `${route.method} ${route.path}`)
    for (const call of [
      'POST /api/Authentication/Login',
      'POST /api/Authentication/Refresh',
      'POST /api/Authentication/Logout',
      'GET /api/Account/Get',
      'GET /api/Account/Get/:id',
      'GET /api/Account/Get/LastUpdate',
      'POST /api/Account/Create',
      'PUT /api/Account/Update',
      'PUT /api/Account/Update/:id',
      'PUT /api/Account/Password/Update',
      'DELETE /api/Account/Delete',
      'GET /api/Claim/User/Get',
      'GET /api/Claim/User/Get/:id',
      'GET /api/Claim/Get',
      'PUT /api/Claim/:id',
      'GET /api/AccountDatatable',
      'PUT /api/AccountDatatable',
    ])
      expect(paths).toContain(call)
  })

  it('the hubs have the names, the method, the stream and the event of the requirements', () => {
    expect(
      Object.values(HUBS)
        .map(hub => hub.path)
        .toSorted(),
    ).toEqual(['/Hub/Communication', '/Hub/Host', '/Hub/Metric', '/Hub/Service', '/Hub/Site'])
    expect([HUBS.communication.join, HUBS.communication.event, GLOBAL_STREAM]).toEqual([
      'JoinCommunicationStream',
      'alert',
      'global',
    ])
  })
})

describe('spec §9, constants', () => {
  it('delays, timeouts and lengths are those of the requirements', () => {
    expect(REFRESH_BEFORE_EXPIRY_MS).toBe(60_000)
    expect(HUB_RETRY_MS).toBe(3_000)
    expect([...HUB_RECONNECT_DELAYS_MS]).toEqual([0, 2_000, 10_000, 30_000])
    expect([HUB_SERVER_TIMEOUT_MS, HUB_KEEP_ALIVE_MS]).toEqual([30_000, 15_000])
    expect(PASSWORD_POLICY).toEqual({ minLength: 8, maxLength: 32 })
  })
})
