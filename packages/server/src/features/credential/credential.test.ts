import { randomBytes } from 'node:crypto'
import { type CheckCredential, LOGIN_KINDS } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { createSecretBox, type KeyStore, keyOf, type SecretBox } from '../../secret-box.ts'
import { credentialOwners, readInheritance } from '../../store/effective-credentials.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'
import { resealAll } from './rotation.store.ts'

/** A key store in memory that remembers every list it was given. */
const memoryStore = (): KeyStore & { saved: (readonly Buffer[])[] } => {
  const saved: (readonly Buffer[])[] = []
  return { keys: [randomBytes(32)], save: keys => saved.push(keys), saved }
}

const CANARY = 'canari-5f1d0c'
const SNMP = { version: 'v2c', community: `${CANARY}-communaute` } as const
const HTTP = { username: 'supervision', password: `${CANARY}-motdepasse` } as const

let test: TestApp
let box: SecretBox
let admin: Caller
afterEach(() => test.close())

const open = async (dialect: (typeof DIALECTS)[number], store: KeyStore = memoryStore()): Promise<void> => {
  box = createSecretBox(store)
  test = await createTestApp({ dialect, secrets: box })
  admin = await test.admin()
}
const made = async (url: string, body: unknown): Promise<number> => {
  const answer = await admin.call('POST', url, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.id
}
const site = (code: string, parentId: number | null = null) =>
  made('/api/Site/Create', { name: `Site ${code}`, code, parentId })
const host = (name: string, siteId: number) => made('/api/Host/Create', { name, address: '127.0.0.1', siteId })
const model = async (name: string): Promise<number> => {
  const row = { name, name_folded: name.toLowerCase(), description: '', definition: '{}', updated_by: null }
  const { id } = await test.database.db
    .insertInto('monitoring_model')
    .values({ ...row, created_at: 1, updated_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const bind = async (hostId: number, ...models: readonly number[]): Promise<void> => {
  for (const [position, model_id] of models.entries())
    await test.database.db.insertInto('host_monitoring_model').values({ host_id: hostId, model_id, position }).execute()
}
const put = (owner: string, id: number, kind: string, settings: unknown, more: object = {}) =>
  admin.call('PUT', `/api/Credential/${owner}/${id}`, { kind, settings, ...more })
const get = async (owner: string, id: number) => (await admin.call('GET', `/api/Credential/${owner}/${id}`)).body
const rows = () => test.database.db.selectFrom('credential').selectAll().orderBy('id').execute()

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
    const inForce = await readInheritance(test.database.db, 'http')
    expect(inForce(id, lyon)?.owner_kind).toBe('host')
    for (const [index, [owner, ownerId]] of chain.entries()) {
      const answer = await admin.call('DELETE', `/api/Credential/${owner}/${ownerId}?kind=http`)
      expect([answer.status, answer.body.http.own]).toEqual([200, null])
      const { effective } = (await get('Host', id)).http
      const next = chain[index + 1]
      expect(effective?.origin ?? null).toEqual(
        next === undefined ? null : { kind: next[2], id: next[1], name: next[3] },
      )
      const row = (await readInheritance(test.database.db, 'http'))(id, lyon)
      expect(row?.owner_id).toBe(next?.[1])
    }
    expect(await credentialOwners(test.database.db, 'site', lyon)).toEqual([
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
      await admin.call('GET', `/api/Credential/Host/${id}`),
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
    const audited = await test.database.db.selectFrom('audit').selectAll().execute()
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
    expect(box.open(row?.secret ?? '', `host:${id}:snmp`)).toBe(JSON.stringify({ community: SNMP.community }))
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
    await admin.call('DELETE', `/api/Credential/Site/${id}?kind=http`)
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
    const plain = await test.user(['scanner_write', 'probe_write', 'metric_write'])
    for (const [claim, owner, ownerId] of cases) {
      const holder = await test.user([claim])
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
      expect((await admin.call('PUT', `/api/Credential/Site/${id}`, body)).status).toBe(400)
    expect((await admin.call('DELETE', `/api/Credential/Site/${id}`)).status).toBe(400)
    expect(await rows()).toEqual([])
  })

  it('S59: the ciphertext of another row, put in place by hand, does not open', async () => {
    await open(dialect)
    const lyon = await site('LYO')
    const [one, two] = [await host('un', lyon), await host('deux', lyon)]
    for (const id of [one, two]) await put('Host', id, 'http', { username: `u${id}`, password: `mdp-${id}` })
    const [first, second] = await rows()
    await test.database.db
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
    expect((await admin.call('DELETE', `/api/Site/Delete/${lyon}?cascade=true`)).status).toBe(200)
    expect((await rows()).map(row => [row.owner_kind, row.owner_id])).toEqual([
      ['site', paris],
      ['host', two],
    ])
    expect((await admin.call('DELETE', `/api/Host/Delete/${two}`)).status).toBe(200)
    expect((await rows()).map(row => row.owner_kind)).toEqual(['site'])
    const un = await made('/api/Model/Create', { name: 'Un', definition: { scanners: [], fields: {} } })
    await put('Model', un, 'http', HTTP)
    expect((await admin.call('DELETE', `/api/Model/Delete/${un}`)).status).toBe(200)
    expect((await rows()).map(row => row.owner_kind)).toEqual(['site'])
  })
})

describe.each(DIALECTS)('S59: the rotation of keys on %s', dialect => {
  it('under writes that go on, seals all with the new key, loses none, and forgets the old one', async () => {
    const store = memoryStore()
    await open(dialect, store)
    const ids: number[] = []
    for (let n = 0; n < 20; n += 1) ids.push(await site(`S${n}`))
    const last = new Map<number, string>()
    const write = async (id: number, round: number): Promise<void> => {
      const answer = await put('Site', id, 'http', { username: 'u', password: `mdp-${id}-${round}` })
      if (answer.status === 200) last.set(id, `mdp-${id}-${round}`)
      else throw new Error(JSON.stringify(answer.body))
    }
    for (const id of ids) await write(id, 0)
    const before = box.currentKey()
    const rotation = admin.call('POST', '/api/Credential/Rotate')
    const writers = ids.slice(0, 10).map(async id => {
      for (let round = 1; round <= 8; round += 1) await write(id, round)
    })
    const [answer] = await Promise.all([rotation, ...writers])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ unreadable: 0, dropped: 1 })
    expect(store.saved.map(keys => keys.length)).toEqual([2, 1])
    const after = await rows()
    expect(new Set(after.map(row => keyOf(row.secret)))).toEqual(new Set([box.currentKey()]))
    expect(box.currentKey()).not.toBe(before)
    for (const row of after)
      expect(JSON.parse(box.open(row.secret, `site:${row.owner_id}:http`) ?? '{}')).toEqual({
        password: last.get(row.owner_id),
      })
    const [line] = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'secret-rotation')
      .execute()
    expect([line?.actor, JSON.parse(line?.detail ?? '{}').key]).toEqual(['admin', box.currentKey()])
  })

  it('broken off, it leaves both keys and nothing unreadable; the next one ends the work, fields of type secret too', async () => {
    await open(dialect)
    const id = await site('LYO')
    await put('Site', id, 'http', HTTP)
    const group = await test.database.db
      .insertInto('field_group')
      .values({ name: 'G', name_folded: 'g', position: 0, created_at: 1, updated_at: 1, updated_by: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const field = await test.database.db
      .insertInto('field_definition')
      .values({
        ...{ key: 'code', label: 'Code', label_folded: 'code', help: '', type: 'secret', unit: '', default_value: '' },
        ...{ required: 0, regex: '', min_value: null, max_value: null, choices: '[]', group_id: group.id, position: 0 },
        ...{ scope: 'site', types: '[]', created_at: 1, updated_at: 1, updated_by: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = `field:${field.id}:${id}`
    const value = await box.writing(async seal => seal('secret de champ', place))
    await test.database.db
      .insertInto('field_value')
      .values({
        definition_id: field.id,
        owner_id: id,
        value,
        value_folded: '',
        value_number: null,
        updated_at: 1,
        updated_by: null,
      })
      .execute()
    await box.renewKey()
    expect((await get('Site', id)).http.own.unreadable).toBe(false)
    const answer = await admin.call('POST', '/api/Credential/Rotate')
    expect(answer.body).toEqual({ resealed: 2, unreadable: 0, dropped: 2 })
    const [stored] = await test.database.db.selectFrom('field_value').select('value').execute()
    expect(stored?.value).not.toBe(value)
    expect(box.open(stored?.value ?? '', place)).toBe('secret de champ')
  })

  it('a text that changed between its reading and its sealing is left as it was written', async () => {
    await open(dialect)
    const id = await site('LYO')
    await put('Site', id, 'http', { username: 'u', password: 'ancien' })
    await box.renewKey()
    // Written by the reopening of each text: what a writer on another node would do in between.
    const meddling: SecretBox = {
      ...box,
      writing: async work => {
        await test.database.db.updateTable('credential').set({ secret: 'v1.ffffffff.AAAA' }).execute()
        return box.writing(work)
      },
    }
    expect(await resealAll(test.database.db, meddling)).toMatchObject({ resealed: 0 })
    expect((await rows()).map(row => row.secret)).toEqual(['v1.ffffffff.AAAA'])
  })

  it('two at once: one is refused; with keys given from outside, all is sealed by the first and none forgotten', async () => {
    const old = randomBytes(32)
    await open(dialect, { keys: [randomBytes(32), old], save: null })
    const id = await site('LYO')
    await put('Site', id, 'http', HTTP)
    const sealed = await createSecretBox({ keys: [old], save: null }).writing(async seal =>
      seal(JSON.stringify({ password: 'ancien' }), `site:${id}:http`),
    )
    await test.database.db.updateTable('credential').set({ secret: sealed }).execute()
    // The first one waits for a write that began before it.
    const gate = Promise.withResolvers<void>()
    const slow = box.writing(() => gate.promise)
    const both = [1, 2].map(() => admin.call('POST', '/api/Credential/Rotate'))
    const refused = await Promise.race(both)
    expect([refused.status, refused.body.errors[0]]).toEqual([409, expect.stringContaining('déjà en cours')])
    gate.resolve()
    await slow
    const answers = await Promise.all(both)
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect(answers.find(answer => answer.status === 200)?.body).toEqual({ resealed: 1, unreadable: 0, dropped: 0 })
    const [row] = await rows()
    expect(keyOf(row?.secret ?? '')).toBe(box.currentKey())
  })
})

describe.each(DIALECTS)('what a probe is given on %s', dialect => {
  const scanner = (hostId: number, authentication: 'none' | 'host') =>
    made('/api/Scanner/Create', { name: authentication, kind: 'http', hostId, parameters: { authentication } })

  it('the credentials of the host, only where a scanner asks for them; a change of them gives a new revision', async () => {
    await open(dialect)
    const lyon = await site('LYO')
    const hostId = await host('srv', lyon)
    const asking = await scanner(hostId, 'host')
    await scanner(hostId, 'none')
    const probe = await enrolTestProbe(test)
    const revisions = new Set<string>()
    const given = async (): Promise<CheckCredential | undefined> => {
      const { configuration } = await probe.orders()
      revisions.add(configuration?.revision ?? '')
      const holding = configuration?.checks.filter(check => check.credential !== undefined) ?? []
      expect(holding.map(check => check.scanner)).toEqual([asking])
      return holding[0]?.credential
    }
    expect(await given()).toEqual({ kind: 'none', reason: 'missing' })
    await put('Site', lyon, 'http', HTTP)
    expect(await given()).toEqual({ kind: 'http', ...HTTP })
    await put('Site', lyon, 'http', { username: 'supervision', password: 'autre' })
    expect(await given()).toEqual({ kind: 'http', username: 'supervision', password: 'autre' })
    await put('Host', hostId, 'http', { username: 'propre', password: 'à lui' })
    expect(await given()).toEqual({ kind: 'http', username: 'propre', password: 'à lui' })
    expect(revisions.size).toBe(4)
    await admin.call('POST', '/api/Credential/Rotate')
    await given()
    expect(revisions.size).toBe(4)
    const scanners = await admin.call('GET', '/api/Scanner/Get')
    expect(JSON.stringify(scanners.body)).not.toContain('à lui')
  })

  it('S59: with the key missing or another, no secret and no empty one: the check is told why, all else works', async () => {
    await open(dialect)
    const hostId = await host('srv', await site('LYO'))
    await scanner(hostId, 'host')
    await put('Host', hostId, 'http', HTTP)
    const sealed = (await rows())[0]?.secret ?? ''
    for (const keys of [[randomBytes(32)], []]) {
      await test.close()
      await open(dialect, { keys, save: null })
      const id = await host('srv', await site('LYO'))
      await scanner(id, 'host')
      await test.database.db
        .insertInto('credential')
        .values({
          ...{ owner_kind: 'host', owner_id: id, kind: 'http', settings: '{"username":"supervision"}', secret: sealed },
          ...{ created_at: 1, updated_at: 1, updated_by: null },
        })
        .execute()
      const probe = await enrolTestProbe(test)
      const { configuration } = await probe.orders()
      expect(configuration?.checks.map(check => check.credential)).toContainEqual({
        kind: 'none',
        reason: 'unreadable',
      })
      expect((await get('Host', id)).http.effective).toMatchObject({
        settings: { username: 'supervision' },
        unreadable: true,
      })
      expect((await admin.call('GET', '/api/Host/Get')).status).toBe(200)
      const written = await put('Host', id, 'http', HTTP)
      expect(written.status).toBe(keys.length === 0 ? 503 : 200)
      if (keys.length > 0) expect(written.body.http.own.unreadable).toBe(false)
    }
  })
})
