import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('user groups as those who define fields see them, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await test.user(['host_write', 'metric_write'], { login: 'essai' })
  })
  afterAll(() => test.close())

  it('a group that gives claims is changed only by who holds each of them and manages groups', async () => {
    const editor = await test.user(['custom_field_write', 'user_group_write', 'site_write'])
    const fieldsOnly = await test.user(['custom_field_write'])
    const groups = (await admin.call('GET', '/api/CustomField/PrivilegeGroup')).body
    const id = (name: string) => groups.find((one: Answered) => one.name === name).id
    const account = await test.database.db
      .selectFrom('account')
      .select('id')
      .where('login', '=', 'essai')
      .executeTakeFirstOrThrow()
    for (const name of ['Administrateurs', 'Exploitants'])
      for (const who of [editor, fieldsOnly]) {
        const path = `/api/CustomField/PrivilegeGroup/${id(name)}`
        expect([name, (await who.call('PUT', `${path}/User`, { users: [account.id] })).status]).toEqual([name, 403])
        expect([name, (await who.call('DELETE', path)).status]).toEqual([name, 403])
        const { updatedAt } = groups.find((one: Answered) => one.name === name)
        expect([name, (await who.call('PUT', path, { name: 'Pris', updatedAt })).status]).toEqual([name, 403])
      }
    const free = `/api/CustomField/PrivilegeGroup/${id('Lecteurs')}/User`
    expect((await fieldsOnly.call('PUT', free, { users: [account.id] })).body).toEqual([
      { idUser: account.id, login: 'essai', name: 'Claire Legoff' },
    ])
    expect((await fieldsOnly.call('PUT', free, { users: [account.id, 999_999] })).status).toBe(400)
    expect((await fieldsOnly.call('GET', free)).body.length).toBe(1)
    expect((await fieldsOnly.call('PUT', free, { users: [] })).status).toBe(200)
  })

  it('the last administrator can not be taken out of his group', async () => {
    const holders = await test.database.db
      .selectFrom('account_claim')
      .selectAll()
      .where('claim', '=', 'admin')
      .execute()
    await test.database.db.deleteFrom('account_claim').where('claim', '=', 'admin').execute()
    const groups = (await admin.call('GET', '/api/CustomField/PrivilegeGroup')).body
    const { id } = groups.find((one: Answered) => one.admin)
    const path = `/api/CustomField/PrivilegeGroup/${id}`
    expect((await admin.call('PUT', `${path}/User`, { users: [] })).status).toBe(409)
    expect((await admin.call('DELETE', path)).status).toBe(409)
    expect((await admin.call('GET', `${path}/User`)).body.length).toBe(1)
    if (holders.length > 0) await test.database.db.insertInto('account_claim').values(holders).execute()
  })
})
