import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { customFieldKit } from './testing-custom-field.ts'

describe.each(DIALECTS)('custom fields on %s', dialect => {
  const kit = customFieldKit()
  const { host, define, tryDefine, read, set } = kit
  beforeAll(() => kit.open(dialect))
  afterAll(() => kit.test.close())

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
    const list = await kit.admin.call('GET', '/api/CustomField/Definition')
    const now = list.body.find((one: Answered) => one.id === field.id)
    return kit.admin.call('PUT', `/api/CustomField/Definition/${field.id}`, { ...body(now), ...over })
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
    const late = await kit.admin.call('PUT', `/api/CustomField/Definition/${field.id}`, {
      ...body(field),
      label: 'Second',
    })
    expect(late).toMatchObject({ status: 409, body: { current: { label: 'Premier' } } })
    const other = await kit.test.user(['admin'])
    expect((await set(id, field.key, 'a')).status).toBe(200)
    const { updatedAt } = await read(id, field.key)
    expect((await set(id, field.key, 'b', other)).status).toBe(200)
    const stale = await kit.admin.call('PUT', `/api/CustomField/Host/${id}`, {
      values: { [field.key]: 'c' },
      updatedAt,
    })
    expect([stale.status, stale.body.errors[0]]).toEqual([409, expect.stringContaining('user-')])
    expect(stale.body.current.fields.find((one: Answered) => one.definition.key === field.key).value).toBe('b')
    expect((await read(id, field.key)).value).toBe('b')
    const never = await kit.admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [field.key]: 'c' } })
    expect(never.status).toBe(409)
    await set(id, field.key, null)
    expect(
      (await kit.admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [field.key]: 'c' }, updatedAt })).status,
    ).toBe(409)
  })

  it('changes of other fields meanwhile are no conflict; all of one change is written, or none', async () => {
    const { id } = await host()
    const [a, b] = [await define({}), await define({ type: 'integer' })]
    await set(id, a.key, 'un')
    const answer = await kit.admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [b.key]: 3 } })
    expect(answer.status).toBe(200)
    const { updatedAt } = await read(id, b.key)
    const bad = await kit.admin.call('PUT', `/api/CustomField/Host/${id}`, {
      values: { [a.key]: 'deux', [b.key]: 'x' },
      updatedAt,
    })
    expect(bad.status).toBe(400)
    expect((await read(id, a.key)).value).toBe('un')
    const history = await kit.admin.call('GET', `/api/CustomField/Host/${id}/History`)
    expect(history.body.map((one: Answered) => [one.key, one.before, one.after])).toEqual([
      [b.key, null, '3'],
      [a.key, null, 'un'],
    ])
    const audits = await kit.test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', `host ${id}`)
      .where('action', '=', 'field-value-update')
      .orderBy('id')
      .execute()
    expect(audits.map(line => JSON.parse(line.detail).changes)).toEqual([
      { [`champ.${a.key}`]: { before: null, after: 'un' } },
      { [`champ.${b.key}`]: { before: null, after: '3' } },
    ])
  })

  it('a required field is never left empty by who may fill it in; a default is enough', async () => {
    const field = await define({ type: 'integer', scope: 'site', required: true })
    const free = await define({ scope: 'site' })
    const site = await kit.admin.make('/api/Site/Create', { name: 'Obligé', code: 'OBL' })
    expect(await set(site.id, free.key, 'x', kit.admin, 'Site')).toMatchObject({
      status: 400,
      body: { fields: { [`values.${field.key}`]: 'Ce champ est obligatoire' } },
    })
    const both = await kit.admin.call('PUT', `/api/CustomField/Site/${site.id}`, {
      values: { [free.key]: 'x', [field.key]: 5 },
    })
    expect(both.status).toBe(200)
    expect((await set(site.id, field.key, null, kit.admin, 'Site')).status).toBe(400)
    expect((await read(site.id, field.key, 'Site')).value).toBe(5)
    expect((await change(field, { defaultValue: '7' })).status).toBe(200)
    expect((await set(site.id, field.key, null, kit.admin, 'Site')).status).toBe(200)
    expect(await read(site.id, field.key, 'Site')).toMatchObject({ value: 7, origin: 'default' })
    await kit.admin.call('DELETE', `/api/CustomField/Definition/${field.id}?cascade=true`)
  })

  it('a field concerns the types it says: on another it does not exist', async () => {
    const [one, two] = (await kit.admin.call('GET', '/api/Host/GetType')).body
    const field = await define({ types: [one.id], required: true })
    const mine = await host({ typeId: one.id })
    const other = await host({ typeId: two.id })
    expect((await set(mine.id, field.key, 'x')).status).toBe(200)
    expect(await read(other.id, field.key)).toBeUndefined()
    expect((await set(other.id, field.key, 'x')).status).toBe(400)
    await kit.admin.call('DELETE', `/api/CustomField/Definition/${field.id}?cascade=true`)
  })

  it('deleting a host, a site or a definition deletes values and history, and tells before what would go', async () => {
    const { id } = await host()
    const field = await define({})
    await set(id, field.key, 'x')
    const count = async () => {
      const { db } = kit.test.database
      const values = await db.selectFrom('field_value').selectAll().where('definition_id', '=', field.id).execute()
      const history = await db.selectFrom('field_history').selectAll().where('definition_id', '=', field.id).execute()
      return [values.length, history.length]
    }
    await kit.admin.call('DELETE', `/api/Host/Delete/${id}`)
    expect(await count()).toEqual([0, 0])
    const site = await kit.admin.make('/api/Site/Create', { name: 'Éphémère', code: 'EPH' })
    const under = await host({ siteId: site.id })
    await set(under.id, field.key, 'y')
    await kit.admin.call('DELETE', `/api/Site/Delete/${site.id}?cascade=true`)
    expect(await count()).toEqual([0, 0])
    await set((await host()).id, field.key, 'z')
    const path = `/api/CustomField/Definition/${field.id}`
    expect((await kit.admin.call('DELETE', `${path}?plan=true`)).body).toEqual({
      deleted: false,
      values: 1,
      formulas: 0,
    })
    expect(await count()).toEqual([1, 1])
    const refused = await kit.admin.call('DELETE', path)
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      ['Ce champ a encore 1 valeur\u202f: demandez à les perdre avec lui.'],
    ])
    expect(await count()).toEqual([1, 1])
    const gone = await kit.admin.call('DELETE', `${path}?cascade=true`)
    expect(gone.body).toEqual({ deleted: true, values: 1, formulas: 0 })
    expect(await count()).toEqual([0, 0])
    expect((await kit.admin.call('DELETE', path)).status).toBe(404)
  })

  it('groups and fields keep the order they are given; one with fields can not be deleted', async () => {
    const group = await kit.admin.make('/api/CustomField/Group', { name: 'Contrat' })
    expect(await kit.admin.call('POST', '/api/CustomField/Group', { name: 'CONTRAT' })).toMatchObject({ status: 409 })
    const fields = [
      await define({ groupId: group.id }),
      await define({ groupId: group.id }),
      await define({ groupId: group.id }),
    ]
    const ids = fields.map(field => field.id)
    const reversed = ids.toReversed()
    const ordered = await kit.admin.call('PUT', '/api/CustomField/Definition/Order', {
      groupId: group.id,
      ids: reversed,
    })
    expect(ordered.body.map((one: Answered) => one.id)).toEqual(reversed)
    for (const wrong of [ids.slice(1), [...ids, 999], [ids[0], ids[0], ids[1]]])
      expect(
        (await kit.admin.call('PUT', '/api/CustomField/Definition/Order', { groupId: group.id, ids: wrong })).status,
      ).toBe(400)
    const groups = await kit.admin.call('PUT', '/api/CustomField/Group/Order', { ids: [group.id, kit.groupId] })
    expect(groups.body.map((one: Answered) => one.name)).toEqual(['Contrat', 'Réseau'])
    const listed = (await kit.admin.call('GET', '/api/CustomField/Definition')).body.map((one: Answered) => one.id)
    expect(listed.slice(0, 3)).toEqual(reversed)
    expect((await kit.admin.call('DELETE', `/api/CustomField/Group/${group.id}`)).status).toBe(409)
    for (const id of ids) await kit.admin.call('DELETE', `/api/CustomField/Definition/${id}?cascade=true`)
    expect((await kit.admin.call('DELETE', `/api/CustomField/Group/${group.id}`)).status).toBe(200)
  })

  it('S42: keys of the language are no fields, and Object.prototype stays as it was', async () => {
    const { id } = await host()
    for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty', "k1'; drop table host; --"])
      expect([
        key,
        (await kit.admin.call('PUT', `/api/CustomField/Host/${id}`, { values: { [key]: 'x' } })).status,
      ]).toEqual([key, 400])
    const raw = await kit.test.app.http.inject({
      method: 'PUT',
      url: `/api/CustomField/Host/${id}`,
      headers: {
        authorization: `Bearer ${kit.admin.token}`,
        'content-type': 'application/json',
        'x-xsrf-token': kit.admin.csrf,
        cookie: `XSRF-TOKEN=${kit.admin.csrf}`,
      },
      payload: '{"values":{"__proto__":{"polluted":true}}}',
    })
    expect(raw.statusCode).toBe(400)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
