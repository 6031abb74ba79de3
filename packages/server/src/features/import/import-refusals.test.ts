import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { csv, importing } from './testing-import.ts'

describe.each(DIALECTS)('what imports refuse on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let steps: ReturnType<typeof importing>
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    steps = importing(test, admin)
    const head = await admin.make('/api/Site/Create', { name: '=Siège', code: 'IMP-1' })
    await admin.make('/api/Site/Create', { name: 'Atelier', code: 'IMP-2', parentId: head.id })
    const host = { address: '192.0.2.10', siteId: head.id }
    const router = await admin.make('/api/Host/Create', { ...host, name: 'imp-rtr' })
    await admin.make('/api/Host/Create', { ...host, name: 'imp-sw', parentIds: [router.id] })
  })
  afterAll(() => test.close())

  const list = async (path: string) => (await admin.call('GET', path)).body
  const faultsOf = (plan: Answered) => plan.errors.map((one: Answered) => `${one.line} ${one.column} ${one.message}`)

  it('each fault is told by line and column, and nothing at all is written', async () => {
    const content = csv(
      ['Code', 'Nom', 'Site parent', 'Latitude', 'Longitude', 'E-mail', 'Fuseau horaire', 'Sonde par défaut'],
      ['ERR-1', 'Bon', '', null, null, '', '', ''],
      ['ERR-2', '', '', null, null, '', '', ''],
      ['ERR 3', 'Code', '', 91, 4, 'pas une adresse', '', ''],
      ['ERR-4', 'Lettres', 'NULLE-PART', 'abc', null, '', 'Mars/Olympus', 'absente'],
      ['err-1', 'Deux fois', '', null, null, '', '', ''],
    )
    const plan = await steps.check('site', content)
    expect(faultsOf(plan)).toEqual([
      '3 Nom Champ requis.',
      '4 Code Lettres, chiffres et . _ - seulement.',
      '4 Latitude La valeur doit être au plus 90.',
      '4 E-mail Une adresse e-mail est attendue.',
      '5 Site parent Le site «\u202fNULLE-PART\u202f» n’existe pas.',
      '5 Latitude Un nombre est attendu.',
      '5 Sonde par défaut La sonde «\u202fabsente\u202f» n’existe pas.',
      '5 Fuseau horaire Fuseau horaire inconnu.',
      expect.stringMatching(/^6 Code La ligne 2 dit déjà/),
    ])
    const ended = await steps.run('site', content)
    expect(ended).toMatchObject({
      state: 'failed',
      result: { errorCount: 9 },
      message: expect.stringContaining('9 erreurs'),
    })
    expect(await list('/api/Site/Get')).not.toContainEqual(expect.objectContaining({ code: 'ERR-1' }))
  })

  it('a row that lost a cell, and cycles of parents among files and what is there, are refused', async () => {
    const short = await steps.check('site', Buffer.from('Code;Nom;Ville\nA;a;x\nB;b\n'))
    expect(faultsOf(short)).toEqual(['3  Cette ligne a 2 cellules, la ligne de titres 3.'])
    const cycle = await steps.check(
      'site',
      csv(
        ['Code', 'Nom', 'Site parent'],
        ['IMP-1', '=Siège', 'CYC-1'],
        ['CYC-1', 'Bas', 'IMP-2'],
        ['CYC-2', 'Ailleurs', ''],
      ),
    )
    expect(cycle.errors.map((one: Answered) => [one.line, one.column])).toEqual([
      [2, 'Site parent'],
      [3, 'Site parent'],
    ])
    const hosts = await steps.check(
      'host',
      csv(['Nom', 'Adresse', 'Site', 'Équipements parents'], ['imp-rtr', '192.0.2.99', 'IMP-1', 'imp-sw']),
    )
    expect(hosts.errors).toEqual([
      {
        line: 2,
        column: 'Équipements parents',
        message: 'Un équipement ne peut être son propre parent, même de loin.',
      },
    ])
  })

  it('each mode refuses what it is not for', async () => {
    const content = csv(['Code', 'Nom'], ['IMP-1', 'Siège'], ['NEW-1', 'Neuf'])
    expect(faultsOf(await steps.check('site', content, { mode: 'create' }))).toEqual([
      '2 Code Un site de ce code existe déjà.',
    ])
    expect(faultsOf(await steps.check('site', content, { mode: 'update' }))).toEqual(['3 Code Aucun site n’a ce code.'])
  })

  it('a failure in the middle of writing undoes everything, names included', async () => {
    const { file, mapping } = await steps.understood(
      'site',
      csv(['Code', 'Nom', 'Type'], ['MID-1', 'Un', 'Type neuf'], ['MID-2', 'Deux', ''], ['IMP-1', 'Autre nom', '']),
    )
    // What the plan saw is changed between the plan and the writing: the very first statement of the transaction.
    const transaction = test.database.db.transaction.bind(test.database.db)
    const spied = Object.assign(test.database.db, {
      transaction: () => {
        Object.assign(spied, { transaction })
        const begun = transaction()
        return {
          execute: async (work: (trx: typeof test.database.db) => Promise<unknown>) =>
            begun.execute(async trx => {
              await trx.updateTable('site').set({ updated_at: 1 }).where('code', '=', 'IMP-1').execute()
              return work(trx)
            }),
        }
      },
    })
    await admin.call('POST', `/api/Import/Run/${file.id}`, { mapping, mode: 'upsert', createTypes: true })
    const end = await steps.ended(file.id)
    expect(end).toMatchObject({ state: 'failed', message: expect.stringContaining('modifiées entre-temps') })
    const sites = await list('/api/Site/Get')
    expect(sites.map((site: Answered) => site.code)).not.toContain('MID-1')
    expect((await list('/api/Site/GetType')).map((type: Answered) => type.name)).not.toContain('Type neuf')
    // The file is still there: it can be checked and run again.
    await admin.call('POST', `/api/Import/Run/${file.id}`, { mapping, mode: 'upsert', createTypes: true })
    expect(await steps.ended(file.id)).toMatchObject({ state: 'done', result: { create: 2, update: 1 } })
  })

  it('every step asks for the right of single creation (S35), and somebody else’s file is not there (404)', async () => {
    const content = csv(['Code', 'Nom'], ['RIGHT-1', 'Droits'])
    const reader = await test.user([])
    const other = await test.user(['site_write'])
    expect((await steps.upload(reader, 'site', content)).status).toBe(403)
    expect((await steps.upload(other, 'host', content)).status).toBe(403)
    expect((await steps.upload(test.anonymous(), 'site', content)).status).toBe(401)
    const { file, mapping } = await steps.understood('site', content)
    const body = { mapping, mode: 'upsert' }
    for (const [method, step, sent] of [
      ['POST', 'Check', body],
      ['POST', 'Run', body],
      ['GET', 'Get', undefined],
      ['DELETE', 'Delete', undefined],
    ] as const) {
      expect([step, (await other.call(method, `/api/Import/${step}/${file.id}`, sent)).status]).toEqual([step, 404])
      expect([step, (await reader.call(method, `/api/Import/${step}/${file.id}`, sent)).status]).toEqual([step, 404])
    }
    // A right that is taken away acts at the next step.
    const own = await steps.understood('site', content, other)
    await test.database.db.deleteFrom('account_claim').where('claim', '=', 'site_write').execute()
    expect((await other.call('POST', `/api/Import/Run/${own.file.id}`, body)).status).toBe(403)
    expect((await admin.call('DELETE', `/api/Import/Delete/${file.id}`)).status).toBe(204)
    expect((await admin.call('GET', `/api/Import/Get/${file.id}`)).status).toBe(404)
  })

  it('mappings that can not be read, other types of content, and hostile names are refused (S38, S42)', async () => {
    const content = csv(['Code', 'Nom'], ["X'; drop table site; --", '__proto__'])
    const { file } = await steps.understood('site', content)
    const asked = (mapping: unknown) => admin.call('POST', `/api/Import/Check/${file.id}`, { mapping, mode: 'upsert' })
    expect((await asked({ 0: 'code', 1: 'code' })).body.errors[0]).toContain('colonne')
    expect((await asked({ 7: 'code' })).status).toBe(400)
    expect((await asked({ 0: 'constructor' })).status).toBe(400)
    expect((await asked({ 0: 'updatedBy' })).status).toBe(400)
    expect((await asked({})).status).toBe(400)
    expect((await asked(JSON.parse('{"__proto__": "code"}'))).status).toBe(400)
    expect((await asked({ 0: 'code', 1: 'name' })).body.errors[0].message).toBe('Lettres, chiffres et . _ - seulement.')
    expect((await steps.upload(admin, 'site', content, 'application/json')).status).toBe(415)
    expect((await steps.upload(admin, 'site', content, 'application/octet-stream')).status).toBe(201)
    expect((await steps.upload(admin, 'site', Buffer.from('a;"b\n'))).body.errors[0]).toMatch(/^Ligne 1/)
  })

  it('of three files of one account the oldest is forgotten', async () => {
    const content = csv(['Code', 'Nom'], ['F-1', 'x'])
    const [first, second, third] = [
      await steps.understood('site', content),
      await steps.understood('site', content),
      await steps.understood('site', content),
    ]
    const statusOf = async (file: Answered) => (await admin.call('GET', `/api/Import/Get/${file.file.id}`)).status
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([404, 200, 200])
  })
})
