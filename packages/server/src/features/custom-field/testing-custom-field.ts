import { type Answered, type Caller, createTestApp, type DIALECTS, type TestApp } from '../../testing/test-app.ts'

/** An application with a site and a group of fields, and what tests of custom fields do again and again. */
export const customFieldKit = () => {
  let test: TestApp
  let admin: Caller
  let siteId = 0
  let groupId = 0
  let made = 0
  const host = async (over: object = {}): Promise<Answered> =>
    admin.make('/api/Host/Create', { name: `h-${++made}`, address: '192.0.2.1', siteId, withPing: false, ...over })
  const define = (over: object): Promise<Answered> =>
    admin.make('/api/CustomField/Definition', {
      key: `k${++made}`,
      label: `Champ ${made}`,
      type: 'text',
      scope: 'host',
      groupId,
      ...over,
    })
  const tryDefine = (over: object) =>
    admin.call('POST', '/api/CustomField/Definition', {
      key: `k${++made}`,
      label: 'Champ',
      type: 'text',
      scope: 'host',
      groupId,
      ...over,
    })
  const read = async (hostId: number, key: string, scope = 'Host'): Promise<Answered> => {
    const answer = await admin.call('GET', `/api/CustomField/${scope}/${hostId}`)
    return answer.body.fields.find((field: Answered) => field.definition.key === key)
  }
  /** Writes one value, based on what is there now. */
  const set = async (hostId: number, key: string, value: unknown, caller = admin, scope = 'Host') => {
    const updatedAt = (await read(hostId, key, scope))?.updatedAt ?? null
    return caller.call('PUT', `/api/CustomField/${scope}/${hostId}`, { values: { [key]: value }, updatedAt })
  }

  return {
    async open(dialect: (typeof DIALECTS)[number]): Promise<void> {
      test = await createTestApp({ dialect })
      admin = await test.admin()
      siteId = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
      groupId = (await admin.make('/api/CustomField/Group', { name: 'Réseau' })).id
    },
    get test() {
      return test
    },
    get admin() {
      return admin
    },
    get siteId() {
      return siteId
    },
    get groupId() {
      return groupId
    },
    host,
    define,
    tryDefine,
    read,
    set,
  }
}
