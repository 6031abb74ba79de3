import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('custom fields on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let siteId = 0
  let groupId = 0
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    siteId = (await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    groupId = (await make('/api/CustomField/Group', { name: 'Réseau' })).id
  })
  afterAll(() => test.close())

  const make = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  let made = 0
  const host = async (over: object = {}): Promise<Answered> =>
    make('/api/Host/Create', { name: `h-${++made}`, address: '192.0.2.1', siteId, withPing: false, ...over })
  const define = (over: object): Promise<Answered> =>
    make('/api/CustomField/Definition', {
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

  const TYPES: readonly [string, object, readonly [unknown, unknown, string][], readonly unknown[]][] = [
    [
      'text',
      {},
      [
        ['  Baie 12 ', 'Baie 12', 'Baie 12'],
        ["'; drop table host; --", "'; drop table host; --", "'; drop table host; --"],
      ],
      ['a\nb', 'x'.repeat(501), true, ['a']],
    ],
    ['long-text', {}, [['un\ndeux', 'un\ndeux', 'un\ndeux']], ['x'.repeat(8001), '\u0000', 1]],
    [
      'integer',
      { min: 1, max: 4_094 },
      [
        [12, 12, '12'],
        ['4 094', 4_094, '4094'],
      ],
      [1.5, 0, 4_095, 'douze', '1e400', true, [1]],
    ],
    [
      'decimal',
      { min: -1 },
      [
        [0.5, 0.5, '0,5'],
        ['12,25', 12.25, '12,25'],
        [-1, -1, '-1'],
      ],
      [-1.01, 'NaN', 'Infinity', '1,2,3', '0x10'],
    ],
    [
      'boolean',
      {},
      [
        [true, true, 'Oui'],
        [false, false, 'Non'],
        ['Oui', true, 'Oui'],
      ],
      ['peut-être', 2, ['true']],
    ],
    [
      'date',
      {},
      [
        ['2026-02-28', '2026-02-28', '28/02/2026'],
        ['31/12/2026', '2026-12-31', '31/12/2026'],
      ],
      ['2026-02-29', '2026-2-1', '31/11/2026', 20_260_101, '2026-01-01T00:00:00Z'],
    ],
    ['choice', { choices: ['Or', 'Argent'] }, [['Or', 'Or', 'Or']], ['or', 'Bronze', ['Or']]],
    [
      'multiple-choice',
      { choices: ['nord', 'sud', 'est'] },
      [
        [['sud', 'nord'], ['nord', 'sud'], 'nord, sud'],
        ['est, nord', ['nord', 'est'], 'nord, est'],
      ],
      [['ouest'], 'nord;sud', 1],
    ],
    [
      'url',
      {},
      [['https://exemple.fr/a?b=c', 'https://exemple.fr/a?b=c', 'https://exemple.fr/a?b=c']],
      ['javascript:alert(1)', 'exemple.fr', 'ftp://x.fr', 'data:text/html,x', 'https://u:p@x.fr'],
    ],
    [
      'email',
      {},
      [['noc@exemple.fr', 'noc@exemple.fr', 'noc@exemple.fr']],
      ['noc', 'noc@', 'a b@c.fr', 'a@b', 'a@b.fr\nBcc: c@d.fr'],
    ],
    [
      'phone',
      {},
      [['+33 4 72 00 00 00', '+33 4 72 00 00 00', '+33 4 72 00 00 00']],
      ['+', 'appelez-moi', '12', '1'.repeat(41)],
    ],
    [
      'ip',
      {},
      [
        ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
        ['2001:DB8:0:0::1', '2001:db8::1', '2001:db8::1'],
      ],
      ['192.0.2.256', '192.0.2', 'fe80::1%eth0', '::g', '192.0.2.0/24'],
    ],
    [
      'mac',
      {},
      [
        ['00-1A-2b-3C-4d-5E', '00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:5e'],
        ['001a.2b3c.4d5e', '00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:5e'],
      ],
      ['00:1a:2b:3c:4d', '00:1a-2b:3c:4d:5e', 'zz:1a:2b:3c:4d:5e'],
    ],
    ['secret', {}, [['mot de passe', true, 'Défini']], [12n.toString().repeat(300), false]],
  ]

  it.each(TYPES)('a value of type %s is checked, kept in its form and read back', async (type, over, good, bad) => {
    const { id } = await host()
    const { key } = await define({ type, ...over })
    for (const [given, value, text] of good) {
      const answer = await set(id, key, given)
      expect([given, answer.status, answer.body.errors]).toEqual([given, 200, undefined])
      expect(await read(id, key)).toMatchObject({ value, text, origin: 'own', level: 'write', updatedBy: 'admin' })
    }
    const before = await read(id, key)
    for (const given of bad) {
      const answer = await set(id, key, given)
      expect([given, answer.status]).toEqual([given, 400])
      expect([given, typeof answer.body.fields?.[`values.${key}`]]).toEqual([given, 'string'])
    }
    expect(await read(id, key)).toEqual(before)
    expect((await set(id, key, null)).status).toBe(200)
    expect(await read(id, key)).toMatchObject({ value: null, text: '', origin: 'none' })
  })

  it.each(['host', 'site', 'user'])('a value of type %s names what exists, by its id or its only name', async type => {
    const { id } = await host()
    const other = await host({ name: `Cœur ${type}` })
    const { key } = await define({ type })
    const wanted = type === 'host' ? other : type === 'site' ? { id: siteId, name: 'Lyon' } : { id: 1, name: 'admin' }
    for (const given of [wanted.id, String(wanted.id), wanted.name.toUpperCase()]) {
      expect([given, (await set(id, key, given)).status]).toEqual([given, 200])
      expect(await read(id, key)).toMatchObject({ value: wanted.id, text: wanted.name, originName: wanted.name })
    }
    for (const given of [999_999, -1, 1.5, 'personne', true, '1 or 1=1']) {
      expect([given, (await set(id, key, given)).status]).toEqual([given, 400])
    }
    if (type !== 'host') return
    expect((await admin.call('DELETE', `/api/Host/Delete/${other.id}`)).status).toBe(200)
    expect((await set(id, key, other.id)).status).toBe(400)
    expect(await read(id, key)).toMatchObject({ value: other.id, text: `n° ${other.id} (supprimé)` })
  })

  it('a secret is kept encrypted and bound to its place, reads as true, and is told of without its text', async () => {
    const { id } = await host()
    const field = await define({ type: 'secret' })
    await set(id, field.key, 'hunter2-très-secret')
    expect(await set(id, field.key, true)).toMatchObject({ status: 200 })
    const row = await test.database.db
      .selectFrom('field_value')
      .selectAll()
      .where('definition_id', '=', field.id)
      .executeTakeFirstOrThrow()
    expect(row.value).toMatch(/^v1\.[0-9a-f]{8}\./)
    expect([row.value_folded, row.value_number]).toEqual(['', null])
    await set(id, field.key, 'un autre')
    const history = await admin.call('GET', `/api/CustomField/Host/${id}/History`)
    expect(history.body).toMatchObject([
      { before: 'Défini', after: 'Modifié' },
      { before: null, after: 'Modifié' },
    ])
    const audits = await test.database.db
      .selectFrom('audit')
      .select('detail')
      .where('object', '=', `host ${id}`)
      .execute()
    expect(JSON.stringify([audits, history.body, await read(id, field.key)])).not.toMatch(/hunter2|un autre/)
  })

  it('S41: a pattern that would stall a backtracking engine answers at once; what RE2 does not know is refused', async () => {
    const { id } = await host()
    const { key } = await define({ regex: '^(a+)+$' })
    const started = performance.now()
    expect((await set(id, key, `${'a'.repeat(499)}!`)).status).toBe(400)
    expect(performance.now() - started).toBeLessThan(100)
    expect((await set(id, key, 'a'.repeat(500))).status).toBe(200)
    for (const regex of ['(?=a)b', '(a)\\1', '(', 'a{1,1000}', '((a?b?c?){30}){30}']) {
      const answer = await tryDefine({ regex })
      expect([regex, answer.status, typeof answer.body.fields?.regex]).toEqual([regex, 400, 'string'])
    }
  })

  it('the whole text must match the pattern, not a line or a part of it', async () => {
    const { id } = await host()
    const { key } = await define({ regex: '[A-Z]{3}-\\d{2}' })
    expect((await set(id, key, 'LYO-01')).status).toBe(200)
    for (const given of ['xLYO-01', 'LYO-011', 'lyo-01'])
      expect([given, (await set(id, key, given)).status]).toEqual([given, 400])
    const long = await define({ type: 'long-text', regex: '[a-z]+' })
    expect((await set(id, long.key, 'abc\n; rm')).status).toBe(400)
  })

  it('a definition that contradicts itself is refused beside its field', async () => {
    const faults: [object, string][] = [
      [{ key: 'Débit' }, 'key'],
      [{ key: '__proto__' }, 'key'],
      [{ key: 'a'.repeat(41) }, 'key'],
      [{ min: 1 }, 'min'],
      [{ type: 'integer', min: 2, max: 1 }, 'max'],
      [{ unit: 'ms' }, 'unit'],
      [{ type: 'choice' }, 'choices'],
      [{ choices: ['a'] }, 'choices'],
      [{ type: 'choice', choices: ['a', 'a'] }, 'choices'],
      [{ type: 'multiple-choice', choices: ['a, b'] }, 'choices'],
      [{ type: 'integer', regex: 'a' }, 'regex'],
      [{ type: 'secret', defaultValue: 'x' }, 'defaultValue'],
      [{ type: 'integer', defaultValue: 'x' }, 'defaultValue'],
      [{ type: 'integer', max: 5, defaultValue: '6' }, 'defaultValue'],
      [{ type: 'host', defaultValue: '999999' }, 'defaultValue'],
      [{ groupId: 999_999 }, 'groupId'],
      [{ types: [999_999] }, 'types'],
    ]
    for (const [over, field] of faults) {
      const answer = await tryDefine(over)
      expect([over, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([over, 400, [field]])
    }
    const { key } = await define({})
    expect(await tryDefine({ key })).toMatchObject({
      status: 409,
      body: { fields: { key: 'Cette clé est déjà prise.' } },
    })
  })

  const body = ({
    id: _id,
    values: _v,
    position: _p,
    groupName: _g,
    createdAt: _c,
    updatedBy: _b,
    ...rest
  }: Answered) => rest
  const change = async (field: Answered, over: object) => {
    const list = await admin.call('GET', '/api/CustomField/Definition')
    const now = list.body.find((one: Answered) => one.id === field.id)
    return admin.call('PUT', `/api/CustomField/Definition/${field.id}`, { ...body(now), ...over })
  }

  it('a key never changes; a type with values only widens; a scope with values stays', async () => {
    const { id } = await host()
    const number = await define({ type: 'integer' })
    expect((await change(number, { key: 'autre' })).body.fields).toHaveProperty('key')
    expect((await change(number, { type: 'text' })).status).toBe(200)
    expect((await change(number, { type: 'integer' })).status).toBe(200)
    await set(id, number.key, 12)
    expect(await change(number, { type: 'text' })).toMatchObject({
      status: 409,
      body: { fields: { type: expect.any(String) } },
    })
    expect(await change(number, { scope: 'site' })).toMatchObject({
      status: 409,
      body: { fields: { scope: expect.any(String) } },
    })
    expect((await change(number, { type: 'decimal' })).status).toBe(200)
    expect((await set(id, number.key, 12.5)).status).toBe(200)
    expect((await change(number, { type: 'integer' })).status).toBe(409)
  })

  it('a choice that is in use can not be taken away, and it is said how often', async () => {
    const hosts = [await host(), await host()]
    const single = await define({ type: 'choice', choices: ['Or', 'Argent', 'Bronze'] })
    const several = await define({ type: 'multiple-choice', choices: ['nord', 'sud'] })
    for (const { id } of hosts) {
      await set(id, single.key, 'Or')
      await set(id, several.key, ['nord'])
    }
    expect((await change(single, { choices: ['Argent', 'Bronze'] })).body.errors[0]).toContain('2 fois')
    expect((await change(several, { choices: ['sud'] })).status).toBe(409)
    expect((await change(single, { choices: ['Bronze', 'Or'] })).status).toBe(200)
  })

  it('a stale definition, group or value gets 409 with the newer version, and nothing changes', async () => {
    const { id } = await host()
    const field = await define({})
    expect((await change(field, { label: 'Premier' })).status).toBe(200)
    const late = await admin.call('PUT', `/api/CustomField/Definition/${field.id}`, { ...body(field), label: 'Second' })
    expect(late).toMatchObject({ status: 409, body: { current: { label: 'Premier' } } })
    const other = await test.user(['admin'])
    expect((await set(id, field.key, 'a')).status).toBe(200)
    const { updatedAt } = await read(id, field.key)
    expect((await set(id, field.key, 'b', other)).status).toBe(200)
    const stale = await admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [field.key]: 'c' }, updatedAt })
    expect([stale.status, stale.body.errors[0]]).toEqual([409, expect.stringContaining('user-')])
    expect(stale.body.current.fields.find((one: Answered) => one.definition.key === field.key).value).toBe('b')
    expect((await read(id, field.key)).value).toBe('b')
    const never = await admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [field.key]: 'c' } })
    expect(never.status).toBe(409)
    await set(id, field.key, null)
    expect(
      (await admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [field.key]: 'c' }, updatedAt })).status,
    ).toBe(409)
  })

  it('changes of other fields meanwhile are no conflict; all of one change is written, or none', async () => {
    const { id } = await host()
    const [a, b] = [await define({}), await define({ type: 'integer' })]
    await set(id, a.key, 'un')
    const answer = await admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [b.key]: 3 } })
    expect(answer.status).toBe(200)
    const { updatedAt } = await read(id, b.key)
    const bad = await admin.call('PUT', `/api/CustomField/Host/${id}`, {
      values: { [a.key]: 'deux', [b.key]: 'x' },
      updatedAt,
    })
    expect(bad.status).toBe(400)
    expect((await read(id, a.key)).value).toBe('un')
    const history = await admin.call('GET', `/api/CustomField/Host/${id}/History`)
    expect(history.body.map((one: Answered) => [one.key, one.before, one.after])).toEqual([
      [b.key, null, '3'],
      [a.key, null, 'un'],
    ])
    const audits = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', `host ${id}`)
      .where('action', '=', 'field-value-update')
      .execute()
    expect(audits.map(line => JSON.parse(line.detail).changes)).toEqual([
      { [`champ.${a.key}`]: { before: null, after: 'un' } },
      { [`champ.${b.key}`]: { before: null, after: '3' } },
    ])
  })

  it('a required field is never left empty by who may fill it in; a default is enough', async () => {
    const field = await define({ type: 'integer', scope: 'site', required: true })
    const free = await define({ scope: 'site' })
    const site = await make('/api/Site/Create', { name: 'Obligé', code: 'OBL' })
    expect(await set(site.id, free.key, 'x', admin, 'Site')).toMatchObject({
      status: 400,
      body: { fields: { [`values.${field.key}`]: 'Ce champ est obligatoire' } },
    })
    const both = await admin.call('PUT', `/api/CustomField/Site/${site.id}`, {
      values: { [free.key]: 'x', [field.key]: 5 },
    })
    expect(both.status).toBe(200)
    expect((await set(site.id, field.key, null, admin, 'Site')).status).toBe(400)
    expect((await read(site.id, field.key, 'Site')).value).toBe(5)
    expect((await change(field, { defaultValue: '7' })).status).toBe(200)
    expect((await set(site.id, field.key, null, admin, 'Site')).status).toBe(200)
    expect(await read(site.id, field.key, 'Site')).toMatchObject({ value: 7, origin: 'default' })
    await admin.call('DELETE', `/api/CustomField/Definition/${field.id}?cascade=true`)
  })

  it('a field concerns the types it says: on another it does not exist', async () => {
    const [one, two] = (await admin.call('GET', '/api/Host/GetType')).body
    const field = await define({ types: [one.id], required: true })
    const mine = await host({ typeId: one.id })
    const other = await host({ typeId: two.id })
    expect((await set(mine.id, field.key, 'x')).status).toBe(200)
    expect(await read(other.id, field.key)).toBeUndefined()
    expect((await set(other.id, field.key, 'x')).status).toBe(400)
    await admin.call('DELETE', `/api/CustomField/Definition/${field.id}?cascade=true`)
  })

  it('deleting a host, a site or a definition deletes values and history, and tells before what would go', async () => {
    const { id } = await host()
    const field = await define({})
    await set(id, field.key, 'x')
    const count = async () => {
      const { db } = test.database
      const values = await db.selectFrom('field_value').selectAll().where('definition_id', '=', field.id).execute()
      const history = await db.selectFrom('field_history').selectAll().where('definition_id', '=', field.id).execute()
      return [values.length, history.length]
    }
    await admin.call('DELETE', `/api/Host/Delete/${id}`)
    expect(await count()).toEqual([0, 0])
    const site = await make('/api/Site/Create', { name: 'Éphémère', code: 'EPH' })
    const under = await host({ siteId: site.id })
    await set(under.id, field.key, 'y')
    await admin.call('DELETE', `/api/Site/Delete/${site.id}?cascade=true`)
    expect(await count()).toEqual([0, 0])
    await set((await host()).id, field.key, 'z')
    const path = `/api/CustomField/Definition/${field.id}`
    expect((await admin.call('DELETE', `${path}?plan=true`)).body).toEqual({ deleted: false, values: 1, formulas: 0 })
    expect(await count()).toEqual([1, 1])
    const refused = await admin.call('DELETE', path)
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      ['Ce champ a encore 1 valeur\u202f: demandez à les perdre avec lui.'],
    ])
    expect(await count()).toEqual([1, 1])
    const gone = await admin.call('DELETE', `${path}?cascade=true`)
    expect(gone.body).toEqual({ deleted: true, values: 1, formulas: 0 })
    expect(await count()).toEqual([0, 0])
    expect((await admin.call('DELETE', path)).status).toBe(404)
  })

  it('groups and fields keep the order they are given; one with fields can not be deleted', async () => {
    const group = await make('/api/CustomField/Group', { name: 'Contrat' })
    expect(await admin.call('POST', '/api/CustomField/Group', { name: 'CONTRAT' })).toMatchObject({ status: 409 })
    const fields = [
      await define({ groupId: group.id }),
      await define({ groupId: group.id }),
      await define({ groupId: group.id }),
    ]
    const ids = fields.map(field => field.id)
    const reversed = ids.toReversed()
    const ordered = await admin.call('PUT', '/api/CustomField/Definition/Order', { groupId: group.id, ids: reversed })
    expect(ordered.body.map((one: Answered) => one.id)).toEqual(reversed)
    for (const wrong of [ids.slice(1), [...ids, 999], [ids[0], ids[0], ids[1]]])
      expect(
        (await admin.call('PUT', '/api/CustomField/Definition/Order', { groupId: group.id, ids: wrong })).status,
      ).toBe(400)
    const groups = await admin.call('PUT', '/api/CustomField/Group/Order', { ids: [group.id, groupId] })
    expect(groups.body.map((one: Answered) => one.name)).toEqual(['Contrat', 'Réseau'])
    const listed = (await admin.call('GET', '/api/CustomField/Definition')).body.map((one: Answered) => one.id)
    expect(listed.slice(0, 3)).toEqual(reversed)
    expect((await admin.call('DELETE', `/api/CustomField/Group/${group.id}`)).status).toBe(409)
    for (const id of ids) await admin.call('DELETE', `/api/CustomField/Definition/${id}?cascade=true`)
    expect((await admin.call('DELETE', `/api/CustomField/Group/${group.id}`)).status).toBe(200)
  })

  it('S42: keys of the language are no fields, and Object.prototype stays as it was', async () => {
    const { id } = await host()
    for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty', "k1'; drop table host; --"])
      expect([
        key,
        (await admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [key]: 'x' } })).status,
      ]).toEqual([key, 400])
    const raw = await test.app.http.inject({
      method: 'PUT',
      url: `/api/CustomField/Host/${id}`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'x-xsrf-token': admin.csrf,
        cookie: `XSRF-TOKEN=${admin.csrf}`,
      },
      payload: '{"values":{"__proto__":{"polluted":true}}}',
    })
    expect(raw.statusCode).toBe(400)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
