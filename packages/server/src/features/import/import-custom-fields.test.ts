import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { csv, importing } from './testing-import.ts'

describe.each(DIALECTS)('imports of custom fields on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let steps: ReturnType<typeof importing>
  let groupId = 0
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    steps = importing(test, admin)
    groupId = (await make('/api/CustomField/Group', { name: 'Réseau' })).id
    await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    await define({ key: 'debit', label: 'Débit', type: 'decimal', min: 0 })
    await define({ key: 'garantie', label: 'Garantie', type: 'date' })
    await define({ key: 'reseaux', label: 'Réseaux', type: 'multiple-choice', choices: ['nord', 'sud', 'est'] })
    await define({ key: 'secours', label: 'Secours', type: 'host' })
    await define({ key: 'note', label: 'Note', type: 'text' })
    await define({ key: 'code', label: 'Mot de passe', type: 'secret' })
  })
  afterAll(() => test.close())

  const make = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  const define = (over: object): Promise<Answered> =>
    make('/api/CustomField/Definition', { type: 'text', scope: 'host', groupId, ...over })
  const valuesOf = async (name: string): Promise<Record<string, string>> => {
    const hosts = (await admin.call('GET', '/api/Host/Get')).body
    const id = hosts.find((host: Answered) => host.name === name).id
    const { fields } = (await admin.call('GET', `/api/CustomField/Host/${id}`)).body
    return Object.fromEntries(fields.map((field: Answered) => [field.definition.key, field.text]))
  }

  it('values come by label or by key, checked as one by one, with their history; again they change nothing', async () => {
    await steps.run('host', csv(['Nom', 'Adresse', 'Site'], ['secours', '192.0.2.2', 'LYO']))
    const titles = ['Nom', 'Adresse', 'Site', 'champ.debit', 'Garantie', 'Réseaux', 'champ.secours', 'Note']
    const content = csv(
      titles,
      ['cf-1', '192.0.2.3', 'LYO', 12.5, '31/12/2027', 'sud, nord', 'secours', '["x"]'],
      ['cf-2', '192.0.2.4', 'LYO', null, '', '', '', ''],
    )
    const plan = await steps.check('host', content)
    expect([plan.errors, plan.create]).toEqual([[], 2])
    expect(plan.sample[0].changes).toContainEqual({ label: 'Réseaux', before: '', after: 'nord, sud' })
    expect(plan.sample[0].changes).toContainEqual({ label: 'Secours', before: '', after: 'secours' })
    expect(await steps.run('host', content)).toMatchObject({ state: 'done', message: '' })
    expect(await valuesOf('cf-1')).toMatchObject({
      debit: '12,5',
      garantie: '31/12/2027',
      reseaux: 'nord, sud',
      secours: 'secours',
      note: '["x"]',
    })
    expect(await valuesOf('cf-2')).toMatchObject({ debit: '', note: '' })
    expect(await steps.check('host', content)).toMatchObject({ create: 0, update: 0, unchanged: 2 })
    const history = await test.database.db.selectFrom('field_history').selectAll().execute()
    expect(history.length).toBe(5)
    // One that is emptied, one that changes.
    const changed = csv(titles, ['cf-1', '192.0.2.3', 'LYO', '', '31/12/2027', 'sud, nord', 'secours', 'autre'])
    expect(await steps.run('host', changed)).toMatchObject({ state: 'done', result: { update: 1 } })
    expect(await valuesOf('cf-1')).toMatchObject({ debit: '', note: 'autre' })
  })

  it('what a field does not take is told by line and column, and nothing is written', async () => {
    const plan = await steps.check(
      'host',
      csv(
        ['Nom', 'Adresse', 'Site', 'Débit', 'Réseaux', 'Secours'],
        ['cf-3', '192.0.2.5', 'LYO', '-1', 'ouest', 'personne'],
      ),
    )
    expect(plan.errors).toEqual([
      { line: 2, column: 'Débit', message: 'Au moins 0.' },
      { line: 2, column: 'Réseaux', message: 'Un de ces choix n’existe pas.' },
      { line: 2, column: 'Secours', message: '«\u202fpersonne\u202f» n’existe pas, ou plusieurs fois.' },
    ])
  })

  it('a required field left empty is an error of the check, not of the writing', async () => {
    const { id } = await define({ key: 'baie', label: 'Baie', required: true })
    const plan = await steps.check('host', csv(['Nom', 'Adresse', 'Site', 'Note'], ['cf-4', '192.0.2.6', 'LYO', 'x']))
    expect(plan.errors).toEqual([{ line: 2, column: 'Baie', message: 'Champ requis.' }])
    expect((await admin.call('DELETE', `/api/CustomField/Definition/${id}?cascade=true`)).status).toBe(200)
  })

  it('fields that one may not write, and secrets, do not exist for the import (S35)', async () => {
    const { body } = await steps.upload(admin, 'host', csv(['Nom', 'Mot de passe'], ['x', 'y']))
    expect(body.columns[1].field).toBe(null)
    expect(body.fields.map((one: Answered) => one.field)).toEqual(expect.arrayContaining(['champ.debit']))
    expect(body.fields.map((one: Answered) => one.field)).not.toContain('champ.code')
    const other = await test.user(['host_write'])
    const file = await steps.upload(other, 'host', csv(['Nom', 'Débit'], ['cf-1', '3']))
    expect(file.body.columns[1].field).toBe(null)
    const asked = await other.call('POST', `/api/Import/Check/${file.body.id}`, {
      mapping: { 0: 'name', 1: 'champ.debit' },
      mode: 'update',
    })
    expect([asked.status, asked.body.errors]).toEqual([400, [expect.stringContaining('champ.debit')]])
  })
})
