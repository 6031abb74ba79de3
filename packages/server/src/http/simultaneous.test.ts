import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, POSTGRES_URL, type TestApp } from '../testing/test-app.ts'

const AT_ONCE = 6

describe.each(DIALECTS)('the same thing created by many at once (%s)', dialect => {
  let test: TestApp
  let admin: Caller
  beforeEach(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
  })
  afterEach(() => test.close())

  const definition = { scanners: [], fields: {} }
  const group = async () => (await admin.call('POST', '/api/CustomField/Group', { name: 'Tous' })).body.id
  const field = async () => ({
    ...{ key: 'debit', label: 'Débit', help: '', type: 'decimal', unit: '', defaultValue: '', required: false },
    ...{ regex: '', min: null, max: null, choices: [], groupId: await group(), scope: 'host', types: [] },
  })
  const CASES: readonly [string, string, string, () => unknown][] = [
    ['a model', '/api/Model/Create', 'name', () => ({ name: 'Routeur', description: '', definition })],
    ['a site', '/api/Site/Create', 'code', () => ({ name: 'Lyon', code: 'LYO' })],
    ['a type of site', '/api/Site/CreateType', 'name', () => ({ name: 'Phare', icon: 'building' })],
    ['a type of host', '/api/Host/CreateType', 'name', () => ({ name: 'Balise', icon: 'router' })],
    ['a hardware model', '/api/Host/CreateModel', 'name', () => ({ name: 'X1', manufacturer: 'Acme' })],
    ['a group of fields', '/api/CustomField/Group', 'name', () => ({ name: 'Réseau' })],
    ['a field', '/api/CustomField/Definition', 'key', field],
    ['a group of users', '/api/CustomField/PrivilegeGroup', 'name', () => ({ name: 'Nuit', description: '' })],
    ['an account', '/api/Account/Create', 'login', () => ({ login: 'marie' })],
    ['a view', '/api/View/Create', 'name', () => ({ list: 'hosts', name: 'Paris', query: '', shared: false })],
  ]
  it.each(CASES)(
    'S38: %s is made once, the others are told which field is taken',
    async (_what, url, taken, bodyOf) => {
      const body = await bodyOf()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => admin.call('POST', url, body)))
      const refused = answers.filter(answer => answer.status === 409)
      expect(answers.map(answer => answer.status).sort()).toEqual([
        201,
        ...Array.from({ length: AT_ONCE - 1 }, () => 409),
      ])
      for (const { body: problem } of refused) {
        expect(Object.keys(problem.fields)).toEqual([taken])
        expect(problem.errors[0]).toMatch(/déjà/)
      }
    },
  )

  it.runIf(dialect === 'postgres')('S38: what was deleted meanwhile is said to be, and nothing is made', async () => {
    const type = await admin.call('POST', '/api/Host/CreateType', { name: 'Balise', icon: 'router' })
    const site = await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(test.database.db)
    const other = new pg.Client({ connectionString: POSTGRES_URL ?? '' })
    await other.connect()
    await other.query(`set search_path to ${rows[0]?.schema}`)
    await other.query('begin')
    await other.query('delete from host_type where id = $1', [type.body.id])
    const asked = admin.call('POST', '/api/Host/Create', {
      ...{ name: 'lyo-r1', address: '10.0.0.1', siteId: site.body.id, typeId: type.body.id },
    })
    const blocked = 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
    while ((await other.query(blocked)).rowCount === 0) await setImmediate()
    await other.query('commit')
    await other.end()
    const answer = await asked
    expect(answer.status).toBe(409)
    expect(answer.body.errors).toEqual(['Le type a été supprimé entre-temps.'])
    expect((await admin.call('GET', '/api/Host/Get')).body).toEqual([])
  })
})
