import { describe, expect, it } from 'vitest'
import { httpForm, httpValues, snmpForm, snmpValues } from './credential-values.ts'

const V3 = {
  version: 'v3',
  port: 161,
  user: 'narval',
  authProtocol: 'SHA256',
  privProtocol: 'AES128',
  contextName: '',
} as const
const sent = (settings: object) => {
  const parsed = snmpForm.safeParse({ settings: { ...snmpValues(null).settings, ...settings } })
  return parsed.success ? parsed.data.settings : parsed.error.issues.map(issue => issue.path.join('.'))
}

describe('the form of credentials', () => {
  it('a secret left empty is not sent, one that is typed is', () => {
    expect(sent({ version: 'v2c' })).not.toHaveProperty('community', expect.anything())
    expect(sent({ version: 'v2c', community: 'public' })).toMatchObject({ community: 'public' })
    expect(httpForm.parse(httpValues({ settings: { username: 'u' } })).settings).toEqual({ username: 'u' })
    expect(httpForm.parse({ settings: { username: 'u', password: ' x ' } }).settings.password).toBe(' x ')
  })

  it('what the version has no use for is taken away, and never stands in the way', () => {
    expect(sent({ ...V3, version: 'v2c', authPassword: 'court', community: 'c' })).toMatchObject({
      user: '',
      authProtocol: 'none',
      authPassword: null,
      privPassword: null,
    })
    expect(sent({ ...V3, authProtocol: 'none', privProtocol: 'none', community: 'c', authPassword: 'court' })).toEqual({
      ...V3,
      authProtocol: 'none',
      privProtocol: 'none',
      community: null,
      authPassword: null,
      privPassword: null,
    })
  })

  it('what is wrong is beside its field', () => {
    expect(sent({ ...V3, authPassword: 'court' })).toEqual(['settings.authPassword'])
    expect(sent({ ...V3, user: '' })).toEqual(['settings.user'])
    expect(sent({ ...V3, authProtocol: 'none' })).toEqual(['settings.authProtocol'])
    expect(sent({ version: 'v2c', port: null })).toEqual(['settings.port'])
  })

  it('begins with what is in force, and with no secret', () => {
    expect(snmpValues({ settings: V3 }).settings).toEqual({
      ...V3,
      community: '',
      authPassword: '',
      privPassword: '',
    })
  })
})
