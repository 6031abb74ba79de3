import { describe, expect, it } from 'vitest'
import { LOGIN_FORMS, loginValues, snmpForm, snmpValues } from './credential-values.ts'

const V3 = {
  version: 'v3',
  port: 161,
  user: 'narval',
  authProtocol: 'SHA256',
  privProtocol: 'AES128',
  contextName: '',
} as const
const sent = (settings: object) => {
  const parsed = snmpForm.safeParse({ ...snmpValues(null), ...settings })
  return parsed.success ? parsed.data : parsed.error.issues.map(issue => issue.path.join('.'))
}

describe('the form of credentials', () => {
  it('a secret left empty is not sent, one that is typed is', () => {
    expect(sent({ version: 'v2c' })).not.toHaveProperty('community', expect.anything())
    expect(sent({ version: 'v2c', community: 'public' })).toMatchObject({ community: 'public' })
    for (const form of Object.values(LOGIN_FORMS)) {
      expect(form.parse(loginValues({ settings: { username: 'u' } }))).toEqual({ username: 'u' })
      expect(form.parse({ username: 'u', password: ' x ' }).password).toBe(' x ')
    }
  })

  it('a colon is refused in the user name of HTTP, which would end there, and nowhere else', () => {
    const accepts = Object.entries(LOGIN_FORMS).filter(
      ([, form]) => form.safeParse({ username: 'a:b', password: 'x' }).success,
    )
    expect(accepts.map(([kind]) => kind)).toEqual(['sql', 'ldap', 'mail'])
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
    expect(sent({ ...V3, authPassword: 'court' })).toEqual(['authPassword'])
    expect(sent({ ...V3, user: '' })).toEqual(['user'])
    expect(sent({ ...V3, authProtocol: 'none' })).toEqual(['authProtocol'])
    expect(sent({ version: 'v2c', port: null })).toEqual(['port'])
  })

  it('begins with what is in force, and with no secret', () => {
    expect(snmpValues({ settings: V3 })).toEqual({
      ...V3,
      community: '',
      authPassword: '',
      privPassword: '',
    })
  })
})
