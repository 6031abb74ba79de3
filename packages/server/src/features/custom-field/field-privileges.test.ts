import { PRIVILEGE_LEVELS, type PrivilegeLevel } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

/** What is written in each field: nobody without the right may ever see it. */
const MARK = 'zircon'

describe.each(DIALECTS)('privileges of custom fields on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let groupId = 0
  let siteId = 0
  let hostId = 0
  const fields = new Map<PrivilegeLevel, { id: number; key: string; number: { id: number; key: string } }>()
  const callers = new Map<string, Caller>()
  const userGroups = new Map<string, number>()

  const make = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  const cell = async (cells: readonly object[]) => {
    const answer = await admin.call('PUT', '/api/CustomField/Privilege', { cells })
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body
  }
  const join = async (groupIdToJoin: number, login: string): Promise<void> => {
    const account = await test.database.db
      .selectFrom('account')
      .select('id')
      .where('login', '=', login)
      .executeTakeFirstOrThrow()
    await test.database.db
      .insertInto('user_group_member')
      .values({ group_id: groupIdToJoin, account_id: account.id })
      .execute()
  }

  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    siteId = (await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    const reader = await make('/api/CustomField/PrivilegeGroup', { name: 'Essais' })
    userGroups.set('Essais', reader.id)
    groupId = (await make('/api/CustomField/Group', { name: 'Réseau' })).id
    await cell([{ userGroupId: reader.id, groupId, definitionId: null, level: 'none' }])
    hostId = (await make('/api/Host/Create', { name: 'srv', address: '192.0.2.1', siteId })).id
    for (const level of PRIVILEGE_LEVELS) {
      const text = await make('/api/CustomField/Definition', {
        key: `t_${level}`,
        label: `Texte ${level}`,
        type: 'text',
        scope: 'host',
        groupId,
      })
      const number = await make('/api/CustomField/Definition', {
        key: `n_${level}`,
        label: `Nombre ${level}`,
        type: 'integer',
        scope: 'host',
        groupId,
      })
      fields.set(level, { id: text.id, key: text.key, number: { id: number.id, key: number.key } })
      const values = { [text.key]: `${MARK}-${level}`, [number.key]: 7 }
      expect((await admin.call('PUT', `/api/CustomField/Host/${hostId}`, { values })).status).toBe(200)
      for (const id of [text.id, number.id])
        await cell([{ userGroupId: reader.id, groupId: null, definitionId: id, level }])
    }
    callers.set('Essais', await test.user(['host_write', 'metric_write'], { login: 'essai' }))
    await join(reader.id, 'essai')
  })
  afterAll(() => test.close())

  const field = (level: PrivilegeLevel) => {
    const found = fields.get(level)
    if (found === undefined) throw new Error(level)
    return found
  }
  const caller = (): Caller => {
    const found = callers.get('Essais')
    if (found === undefined) throw new Error('no caller')
    return found
  }
  const csv = async (who: Caller): Promise<string> => (await who.file('/api/HostDatatable', 'text/csv', {})).text

  /** Each way to a field: whether the caller reached it. */
  const WAYS: Record<string, (level: PrivilegeLevel) => Promise<boolean>> = {
    'the definitions': async level =>
      (await caller().call('GET', '/api/CustomField/Definition')).body.some(
        (one: Answered) => one.key === field(level).key,
      ),
    'the values of a record': async level =>
      (await caller().call('GET', `/api/CustomField/Host/${hostId}`)).body.fields.some(
        (one: Answered) => one.definition.key === field(level).key && one.value === `${MARK}-${level}`,
      ),
    'one record': async level =>
      (await caller().call('GET', `/api/Host/Get/${hostId}`)).body.customFields[field(level).key] ===
      `${MARK}-${level}`,
    'all records': async level =>
      JSON.stringify((await caller().call('GET', '/api/Host/Get')).body).includes(`${MARK}-${level}`),
    'the answer to an update': async level => {
      const before = (await caller().call('GET', `/api/Host/Get/${hostId}`)).body
      return JSON.stringify((await caller().call('PUT', `/api/Host/Update/${hostId}`, before)).body).includes(
        `${MARK}-${level}`,
      )
    },
    'a row of the list': async level =>
      (await caller().call('GET', '/api/HostDatatable')).body.data[0].customFields[field(level).key] !== undefined,
    'a column of the list': async level =>
      (await caller().call('PUT', '/api/HostDatatable', { columns: [{ data: `champ.${field(level).key}` }] }))
        .status === 200,
    'a sort of the list': async level =>
      (
        await caller().call('PUT', '/api/HostDatatable', {
          columns: [{ data: `champ.${field(level).key}` }],
          order: [{ column: 0, dir: 'asc' }],
        })
      ).status === 200,
    'a filter of the list': async level =>
      (await caller().call('PUT', '/api/HostDatatable', { filters: { [`champ.${field(level).key}`]: MARK } }))
        .status === 200,
    'the filter of a bulk change': async level =>
      (
        await caller().call('POST', '/api/Host/Bulk', {
          filter: { filters: { [`champ.${field(level).key}`]: MARK } },
          plan: true,
          change: { enabled: true },
        })
      ).status === 200,
    'the search of the list': async level =>
      (await caller().call('PUT', '/api/HostDatatable', { search: { value: `${MARK}-${level}` } })).body
        .recordsFiltered === 1,
    'the search of everything': async level =>
      (await caller().call('GET', `/api/Search?term=${MARK}-${level}`)).body.length === 1,
    'an export': async level => {
      const text = await csv(caller())
      return text.includes(`champ.${field(level).key}`) || text.includes(`${MARK}-${level}`)
    },
    'the history': async level =>
      (await caller().call('GET', `/api/CustomField/Host/${hostId}/History`)).body.some(
        (one: Answered) => one.key === field(level).key,
      ),
    'the holders': async level =>
      (await caller().call('GET', `/api/CustomField/Definition/${field(level).id}/Field`)).status === 200,
  }
  const cases = Object.keys(WAYS).flatMap(way => PRIVILEGE_LEVELS.map(level => [way, level] as const))

  it.each(cases)('%s of a field at « %s »', async (way, level) => {
    expect(await WAYS[way]?.(level)).toBe(level !== 'none')
  })

  it.each(PRIVILEGE_LEVELS)('a write of a field at « %s »', async level => {
    const { key } = field(level)
    const before = await test.database.db.selectFrom('field_value').selectAll().execute()
    const all = (await admin.call('GET', `/api/CustomField/Host/${hostId}`)).body.fields
    const { updatedAt } = all.find((one: Answered) => one.definition.key === key)
    const answer = await caller().call('PUT', `/api/CustomField/Host/${hostId}`, {
      values: { [key]: `${MARK}-${level}2` },
      updatedAt,
    })
    expect(answer.status).toBe({ none: 400, read: 403, write: 200 }[level])
    const after = await test.database.db.selectFrom('field_value').selectAll().execute()
    if (level !== 'write') expect(after).toEqual(before)
    if (level === 'none') {
      const unknown = await caller().call('PUT', `/api/CustomField/Host/${hostId}`, { values: { n_existe_pas: 'x' } })
      expect(answer.body.errors[0].replace(key, 'n_existe_pas')).toBe(unknown.body.errors[0])
      expect(JSON.stringify(answer.body)).not.toContain(MARK)
    }
  })

  it('one field that may not be written keeps all of a change from being written', async () => {
    const values = { [field('write').key]: 'autre', [field('read').key]: 'autre' }
    const answer = await caller().call('PUT', `/api/CustomField/Host/${hostId}`, {
      values,
      updatedAt: '2999-01-01T00:00:00Z',
    })
    expect(answer.status).toBe(403)
    const rows = await test.database.db.selectFrom('field_value').select('value').execute()
    expect(rows.map(row => row.value)).not.toContain('autre')
  })

  it('a required field that one may not write blocks nobody', async () => {
    const hidden = await make('/api/CustomField/Definition', {
      key: 'cache',
      label: 'Caché',
      type: 'text',
      scope: 'host',
      groupId,
      required: true,
    })
    const answer = await caller().call('PUT', `/api/CustomField/Host/${hostId}`, {
      values: { [field('write').key]: 'libre' },
      updatedAt: '2999-01-01T00:00:00Z',
    })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).not.toContain('cache')
    await admin.call('DELETE', `/api/CustomField/Definition/${hidden.id}?cascade=true`)
  })

  it('the highest of one’s groups counts, a field’s own cell before its group’s, `admin` before all', async () => {
    const { id, key } = field('none')
    const reads = async (who: Caller) =>
      (await who.call('GET', `/api/CustomField/Host/${hostId}`)).body.fields.find(
        (one: Answered) => one.definition.key === key,
      )?.level
    expect(await reads(caller())).toBeUndefined()
    const second = await make('/api/CustomField/PrivilegeGroup', { name: 'Seconds' })
    await join(second.id, 'essai')
    expect(await reads(caller())).toBeUndefined()
    await cell([{ userGroupId: second.id, groupId, definitionId: null, level: 'read' }])
    expect(await reads(caller())).toBe('read')
    await cell([{ userGroupId: second.id, groupId: null, definitionId: id, level: 'none' }])
    expect(await reads(caller())).toBeUndefined()
    await cell([{ userGroupId: second.id, groupId: null, definitionId: id, level: null }])
    expect(await reads(caller())).toBe('read')
    expect((await admin.call('DELETE', `/api/CustomField/PrivilegeGroup/${second.id}`)).status).toBe(200)
    expect(await reads(caller())).toBeUndefined()
    const other = await test.user(['admin'])
    expect(await reads(other)).toBe('write')
  })

  it('an API token has what its owner’s groups have, never more', async () => {
    const made = await caller().call('POST', '/api/ApiToken/Create', { name: 'script', days: 1, claims: [] })
    expect(made.status).toBe(201)
    const script = test.bearing(made.body.token)
    const keys = (await script.call('GET', '/api/CustomField/Definition')).body.map((one: Answered) => one.key)
    expect(keys.toSorted()).toEqual(['n_read', 'n_write', 't_read', 't_write'])
    const values = { [field('read').key]: 'x' }
    expect((await script.call('PUT', `/api/CustomField/Host/${hostId}`, { values })).status).toBe(403)
  })

  it('a new group of fields is read by the groups of then, written by those who fill in records; later groups have nothing', async () => {
    const group = await make('/api/CustomField/Group', { name: 'Nouveau' })
    const later = await make('/api/CustomField/PrivilegeGroup', { name: 'Plus tard' })
    const { userGroups: groups, cells } = (await admin.call('GET', '/api/CustomField/Privilege')).body
    const levelOf = (name: string) => {
      const { id } = groups.find((one: Answered) => one.name === name)
      return cells.find((one: Answered) => one.userGroupId === id && one.groupId === group.id).level
    }
    expect(['Administrateurs', 'Exploitants', 'Lecteurs', 'Essais', 'Plus tard'].map(levelOf)).toEqual([
      'write',
      'write',
      'read',
      'read',
      'none',
    ])
    for (const id of [later.id]) await admin.call('DELETE', `/api/CustomField/PrivilegeGroup/${id}`)
    await admin.call('DELETE', `/api/CustomField/Group/${group.id}`)
  })

  it('a cell that is neither a group’s nor a field’s, or of what does not exist, is refused and nothing changes', async () => {
    const userGroupId = userGroups.get('Essais')
    const before = (await admin.call('GET', '/api/CustomField/Privilege')).body
    const good = { userGroupId, groupId, definitionId: null, level: 'write' }
    for (const wrong of [
      { userGroupId, groupId, definitionId: field('read').id, level: 'read' },
      { userGroupId, groupId: null, definitionId: null, level: 'read' },
      { userGroupId, groupId, definitionId: null, level: null },
      { userGroupId: 999, groupId, definitionId: null, level: 'read' },
      { userGroupId, groupId: 999, definitionId: null, level: 'read' },
      { userGroupId, groupId: null, definitionId: 999, level: 'read' },
    ])
      expect([wrong, (await admin.call('PUT', '/api/CustomField/Privilege', { cells: [good, wrong] })).status]).toEqual(
        [wrong, 400],
      )
    expect((await admin.call('GET', '/api/CustomField/Privilege')).body).toEqual(before)
  })

  it('names of accounts are told to who fills in a field of type user, to nobody else', async () => {
    const none = await test.user([])
    const search = (who: Caller, query: string) => who.call('GET', `/api/CustomField/Select2D/GetUser?${query}`)
    expect((await search(none, 'term=claire')).body.results).toEqual([])
    expect((await search(caller(), 'term=claire')).body.results).toEqual([])
    const { id } = await make('/api/CustomField/Definition', {
      key: 'responsable',
      label: 'Responsable',
      type: 'user',
      scope: 'host',
      groupId,
    })
    const userGroupId = userGroups.get('Essais')
    await cell([{ userGroupId, groupId: null, definitionId: id, level: 'read' }])
    expect((await search(caller(), 'term=claire')).body.results).toEqual([])
    expect((await search(caller(), 'id=1')).body.results).toEqual([{ id: 1, text: 'admin' }])
    await cell([{ userGroupId, groupId: null, definitionId: id, level: 'write' }])
    expect((await search(caller(), 'term=ESSAI')).body.results).toMatchObject([{ text: 'Claire Legoff (essai)' }])
    await admin.call('DELETE', `/api/CustomField/Definition/${id}?cascade=true`)
  })

  it('every change of the matrix, of groups and definitions writes one line of audit with before and after', async () => {
    const lines = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', 'like', 'field-%')
      .orderBy('id')
      .execute()
    expect(lines.map(line => line.action)).toContain('field-group-create')
    expect(lines.map(line => line.action)).toContain('field-definition-create')
    const cells = lines.filter(line => line.object === 'field-privilege').map(line => JSON.parse(line.detail).changes)
    expect(cells[0]).toEqual({ 'Essais / Réseau': { before: 'read', after: 'none' } })
  })
})
