import { LOGIN_KINDS } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { credentialOwners, readInheritance } from '../../store/effective-credentials.ts'
import { DIALECTS } from '../../testing/test-app.ts'
import { CANARY, credentialKit, HTTP, SNMP } from './testing-credential.ts'

const kit = credentialKit()
const { open, made, site, host, model, bind, put, get, rows } = kit
afterEach(() => kit.test.close())

describe.each(DIALECTS)('credentials on %s', dialect => {
  it('a host has its own, else that of its models in order, its site, the sites above; each deletion goes one back', async () => {
    await open(dialect)
    const france = await site('FR')
    const lyon = await site('LYO', france)
    const id = await host('srv', lyon)
    const [first, second] = [await model('Premier'), await model('Second')]
    await bind(id, first, second)
    const chain = [
      ['Host', id, 'host', 'srv'],
      ['Model', first, 'model', 'Premier'],
      ['Model', second, 'model', 'Second'],
      ['Site', lyon, 'site', 'Site LYO'],
      ['Site', france, 'site', 'Site FR'],
    ] as const
    expect((await get('Host', id)).http).toEqual({ own: null, effective: null })
    for (const [owner, ownerId, kind, name] of chain.toReversed()) {
      const username = `${owner}${ownerId}`
      expect((await put(owner, ownerId, 'http', { username, password: 'x' })).status).toBe(200)
      const { effective } = (await get('Host', id)).http
      expect([effective.settings.username, effective.origin]).toEqual([username, { kind, id: ownerId, name }])
    }
    const inForce = await readInheritance(kit.test.database.db, 'http')
    expect(inForce(id, lyon)?.owner_kind).toBe('host')
    for (const [index, [owner, ownerId]] of chain.entries()) {
      const answer = await kit.admin.call('DELETE', `/api/Credential/${owner}/${ownerId}?kind=http`)
      expect([answer.status, answer.body.http.own]).toEqual([200, null])
      const { effective } = (await get('Host', id)).http
      const next = chain[index + 1]
      expect(effective?.origin ?? null).toEqual(
        next === undefined ? null : { kind: next[2], id: next[1], name: next[3] },
      )
      const row = (await readInheritance(kit.test.database.db, 'http'))(id, lyon)
      expect(row?.owner_id).toBe(next?.[1])
    }
    expect(await credentialOwners(kit.test.database.db, 'site', lyon)).toEqual([
      { kind: 'site', id: lyon, name: 'Site LYO' },
      { kind: 'site', id: france, name: 'Site FR' },
    ])
  })

  it('S59: secrets are written, never read: a row, the audit and each answer hold none of them', async () => {
    await open(dialect)
    const id = await host('srv', await site('LYO'))
    const answers = [
      await put('Host', id, 'snmp', SNMP),
      await put('Host', id, 'http', HTTP),
      await put('Host', id, 'sql', { ...HTTP, username: 'base:lecture' }),
      await put('Host', id, 'ldap', { ...HTTP, username: 'cn=lecture,dc=exemple' }),
      await put('Host', id, 'mail', HTTP),
      await put('Host', id, 'snmp', { ...SNMP, port: 'x' }),
      await put('Host', id, 'snmp', { ...SNMP, authPassword: `${CANARY.slice(0, 4)}`, unknown: CANARY }),
      await put('Host', id, 'http', { username: 'a:b', password: `${CANARY}` }),
      await kit.admin.call('GET', `/api/Credential/Host/${id}`),
    ]
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 200])
    const { snmp, ...logins } = answers.at(-1)?.body ?? {}
    expect(snmp.own).toMatchObject({
      settings: { version: 'v2c', port: 161 },
      secrets: { community: true, authPassword: false, privPassword: false },
      unreadable: false,
      updatedBy: 'admin',
    })
    for (const kind of LOGIN_KINDS) expect(logins[kind].own.secrets).toEqual({ password: true })
    expect(logins.sql.own.settings).toEqual({ username: 'base:lecture' })
    const audited = await kit.test.database.db.selectFrom('audit').selectAll().orderBy('id').execute()
    expect(audited.filter(line => line.action === 'credential-update')).toHaveLength(5)
    const told = JSON.stringify([answers.map(answer => answer.body), await rows(), audited])
    expect(told).not.toContain(CANARY)
    expect(told).toContain('supervision')
  })

  it('a secret left out is kept, null removes it, and none that is needed can be missing', async () => {
    await open(dialect)
    const id = await host('srv', await site('LYO'))
    const missing = await put('Host', id, 'snmp', { version: 'v2c' })
    expect([missing.status, Object.keys(missing.body.fields)]).toEqual([400, ['settings.community']])
    expect((await rows()).length).toBe(0)
    await put('Host', id, 'snmp', SNMP)
    expect((await put('Host', id, 'snmp', { version: 'v1', port: 1161 })).status).toBe(200)
    const [row] = await rows()
    expect(kit.box.open(row?.secret ?? '', `host:${id}:snmp`)).toBe(JSON.stringify({ community: SNMP.community }))
    expect((await put('Host', id, 'snmp', { version: 'v1', community: null })).status).toBe(400)
    const v3 = { version: 'v3', user: 'narval', authProtocol: 'SHA256', privProtocol: 'AES128' }
    const without = await put('Host', id, 'snmp', v3)
    expect(Object.keys(without.body.fields)).toEqual(['settings.authPassword', 'settings.privPassword'])
    const whole = { ...v3, community: null, authPassword: 'huit-caracteres', privPassword: 'huit-caracteres' }
    const answer = await put('Host', id, 'snmp', whole)
    expect(answer.body.snmp.own.secrets).toEqual({ community: false, authPassword: true, privPassword: true })
  })

  it.each([
    [{ version: 'v3', user: 'u', privProtocol: 'AES128', privPassword: '12345678' }, 'settings.authProtocol'],
    [{ version: 'v3', user: '' }, 'settings.user'],
    [{ version: 'v3', user: 'u', authProtocol: 'MD5', authPassword: '1234567' }, 'settings.authPassword'],
    [{ version: 'v4', community: 'x' }, 'settings.version'],
    [{ version: 'v1', community: 'a\nb' }, 'settings.community'],
    [{ version: 'v1', community: '' }, 'settings.community'],
    [{ version: 'v1', community: 'x', port: 70_000 }, 'settings.port'],
  ])('%j is refused beside its field', async (settings, field) => {
    await open(dialect)
    const answer = await put('Site', await site('LYO'), 'snmp', settings)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]])
  })

  it('a change based on an older version, or on none, gets 409 with the newer one; the newer one stays', async () => {
    await open(dialect)
    const id = await site('LYO')
    const first = (await put('Site', id, 'http', HTTP, { updatedAt: null })).body.http.own.updatedAt
    expect((await put('Site', id, 'http', { username: 'autre' }, { updatedAt: null })).status).toBe(409)
    const second = await put('Site', id, 'http', { username: 'deux' }, { updatedAt: first })
    expect([second.status, second.body.http.own.updatedAt > first]).toEqual([200, true])
    const late = await put('Site', id, 'http', { username: 'trois' }, { updatedAt: first })
    expect([late.status, late.body.current.settings.username, late.body.current.updatedBy]).toEqual([
      409,
      'deux',
      'admin',
    ])
    expect((await put('Site', id, 'http', { username: 'quatre' })).status).toBe(200)
    await kit.admin.call('DELETE', `/api/Credential/Site/${id}?kind=http`)
    expect((await put('Site', id, 'http', HTTP, { updatedAt: first })).status).toBe(409)
    const both = await Promise.all(
      [1, 2, 3].map(n => put('Site', id, 'http', { ...HTTP, username: `n${n}` }, { updatedAt: null })),
    )
    expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409, 409])
  })

  it('S31, S36, S42: each owner asks for its claim, an owner that is not is 404, a wrong id or body 400', async () => {
    await open(dialect)
    const id = await site('LYO')
    const hostId = await host('srv', id)
    const cases = [
      ['site_write', 'Site', id],
      ['host_write', 'Host', hostId],
      ['host_write', 'Model', await model('Un')],
    ] as const
    const plain = await kit.test.user(['scanner_write', 'probe_write', 'metric_write'])
    for (const [claim, owner, ownerId] of cases) {
      const holder = await kit.test.user([claim])
      const url = `/api/Credential/${owner}/${ownerId}`
      expect((await plain.call('GET', url)).status).toBe(403)
      expect((await plain.call('PUT', url, { kind: 'http', settings: HTTP })).status).toBe(403)
      expect((await plain.call('DELETE', `${url}?kind=http`)).status).toBe(403)
      expect((await holder.call('GET', url)).status).toBe(200)
      expect((await holder.call('POST', '/api/Credential/Rotate')).status).toBe(403)
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const body = method === 'PUT' ? { kind: 'http', settings: HTTP } : undefined
        expect((await holder.call(method, `/api/Credential/${owner}/99999?kind=http`, body)).status).toBe(404)
        expect((await holder.call(method, `/api/Credential/${owner}/1e3?kind=http`, body)).status).toBe(400)
      }
    }
    for (const body of [{}, { kind: '__proto__', settings: {} }, { kind: 'http', settings: [] }, { kind: 'ssh' }])
      expect((await kit.admin.call('PUT', `/api/Credential/Site/${id}`, body)).status).toBe(400)
    expect((await kit.admin.call('DELETE', `/api/Credential/Site/${id}`)).status).toBe(400)
    expect(await rows()).toEqual([])
  })

  it('S59: the ciphertext of another row, put in place by hand, does not open', async () => {
    await open(dialect)
    const lyon = await site('LYO')
    const [one, two] = [await host('un', lyon), await host('deux', lyon)]
    for (const id of [one, two]) await put('Host', id, 'http', { username: `u${id}`, password: `mdp-${id}` })
    const [first, second] = await rows()
    await kit.test.database.db
      .updateTable('credential')
      .set({ secret: first?.secret ?? '' })
      .where('id', '=', second?.id ?? 0)
      .execute()
    expect((await get('Host', one)).http.own).toMatchObject({ unreadable: false, secrets: { password: true } })
    expect((await get('Host', two)).http.own).toMatchObject({ unreadable: true, secrets: { password: false } })
    const kept = await put('Host', two, 'http', { username: 'autre' })
    expect([kept.status, kept.body.fields['settings.password']]).toEqual([400, expect.stringContaining('illisible')])
    expect((await put('Host', two, 'http', HTTP)).body.http.own.unreadable).toBe(false)
  })

  it('a site, a host, a model that goes takes its credentials along', async () => {
    await open(dialect)
    const [lyon, paris] = [await site('LYO'), await site('PAR')]
    const [one, two] = [await host('un', lyon), await host('deux', paris)]
    for (const [owner, id] of [
      ['Site', lyon],
      ['Site', paris],
      ['Host', one],
      ['Host', two],
    ] as const)
      await put(owner, id, 'http', HTTP)
    expect((await kit.admin.call('DELETE', `/api/Site/Delete/${lyon}?cascade=true`)).status).toBe(200)
    expect((await rows()).map(row => [row.owner_kind, row.owner_id])).toEqual([
      ['site', paris],
      ['host', two],
    ])
    expect((await kit.admin.call('DELETE', `/api/Host/Delete/${two}`)).status).toBe(200)
    expect((await rows()).map(row => row.owner_kind)).toEqual(['site'])
    const un = await made('/api/Model/Create', { name: 'Un', definition: { scanners: [], fields: {} } })
    await put('Model', un, 'http', HTTP)
    expect((await kit.admin.call('DELETE', `/api/Model/Delete/${un}`)).status).toBe(200)
    expect((await rows()).map(row => row.owner_kind)).toEqual(['site'])
  })
})
