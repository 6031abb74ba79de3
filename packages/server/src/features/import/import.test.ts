import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { csv, headersOf, importing } from './testing-import.ts'

describe.each(DIALECTS)('imports on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let steps: ReturnType<typeof importing>
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    steps = importing(test, admin)
  })
  afterAll(() => test.close())

  const list = async (path: string) => (await admin.call('GET', path)).body
  const faultsOf = (plan: Answered) => plan.errors.map((one: Answered) => `${one.line} ${one.column} ${one.message}`)

  it('a Windows-1252 file with semicolons is understood: encoding, delimiter, titles, samples, fields', async () => {
    const { body } = await steps.upload(
      admin,
      'site',
      Buffer.from('Code;Nom;Ville;Pays;Remarque\r\nSI-1;Siège;Orléans;France;x\r\n', 'latin1'),
    )
    expect(body).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      rows: 1,
      name: 'essai.csv',
      remembered: false,
    })
    expect(body.columns).toEqual([
      { header: 'Code', sample: ['SI-1'], field: 'code' },
      { header: 'Nom', sample: ['Siège'], field: 'name' },
      { header: 'Ville', sample: ['Orléans'], field: 'city' },
      { header: 'Pays', sample: ['France'], field: 'country' },
      { header: 'Remarque', sample: ['x'], field: null },
    ])
    expect(body.fields[0]).toMatchObject({ field: 'code', label: 'Code', required: true })
  })

  it('sites come with parents of the same file, types that are missing, coordinates with a comma; the mapping is remembered', async () => {
    const content = csv(
      ['Code', 'Nom', 'Type', 'Site parent', 'Latitude', 'Longitude', 'Consigne'],
      ['IMP-2', 'Atelier', 'Usine à gaz', 'IMP-1', 45.76, -4.5, 'Appeler\nle gardien ; "vite"'],
      ['IMP-1', '=Siège', 'Usine à gaz', '', null, null, ''],
    )
    const refused = await steps.check('site', content)
    expect(faultsOf(refused)[0]).toBe('2 Type Le type de site «\u202fUsine à gaz\u202f» n’existe pas.')
    const plan = await steps.check('site', content, { createTypes: true })
    expect(plan).toMatchObject({ create: 2, update: 0, unchanged: 0, errorCount: 0, newTypes: ['Usine à gaz'] })
    expect(await list('/api/Site/Get')).not.toContainEqual(expect.objectContaining({ code: 'IMP-1' }))
    const done = await steps.run('site', content, { createTypes: true })
    expect(done).toMatchObject({ state: 'done', done: 4, total: 4, result: { create: 2 } })
    const sites = await list('/api/Site/Get')
    const parent = sites.find((site: Answered) => site.code === 'IMP-1')
    expect(parent).toMatchObject({
      name: '=Siège',
      typeName: 'Usine à gaz',
      country: 'France',
      timeZone: 'Europe/Paris',
      updatedBy: 'admin',
    })
    expect(sites.find((site: Answered) => site.code === 'IMP-2')).toMatchObject({
      parentId: parent.id,
      latitude: 45.76,
      longitude: -4.5,
      instruction: 'Appeler\nle gardien ; "vite"',
    })
    expect((await steps.upload(admin, 'site', content)).body.remembered).toBe(true)
    const audit = await test.database.db.selectFrom('audit').selectAll().where('action', '=', 'import').execute()
    expect(audit.map(line => [line.actor, line.object, JSON.parse(line.detail).create])).toEqual([['admin', 'site', 2]])
    const each = await test.database.db.selectFrom('audit').selectAll().where('action', '=', 'site-create').execute()
    const names = each.map(line => JSON.parse(line.detail).changes.name)
    expect(names).toContainEqual({ before: null, after: expect.any(String) })
    expect(each.slice(-2).every(line => /^site [1-9]\d*$/.test(line.object))).toBe(true)
  })

  it('service hours are written and read back; a wrong one, and half a place, are told by line', async () => {
    const header = ['Code', 'Nom', 'Heures de service', 'Latitude', 'Longitude']
    const wrong = csv(
      header,
      ['H-1', 'Gare', 'toujours', null, null],
      ['H-2', 'Port', 'lun. 08:00–12:00 ; lun. 11:00–13:00', null, null],
      ['H-3', 'Phare', '', 48.5, null],
    )
    expect(faultsOf(await steps.check('site', wrong)).map((fault: string) => fault.slice(0, 30))).toEqual([
      '2 Heures de service Des heures',
      '3 Heures de service Deux plage',
      '4 Longitude La latitude ne va ',
    ])
    const text = 'lun.–ven. 08:00–12:00, 14:00–18:00 ; sam. 09:00–12:00'
    const right = csv(header, ['H-1', 'Gare', text, 48.5, -4.5], ['H-2', 'Port', '', null, null])
    expect(await steps.run('site', right)).toMatchObject({ state: 'done', result: { create: 2 } })
    const sites = await list('/api/Site/Get')
    const hoursOf = (code: string) => sites.find((site: Answered) => site.code === code).openingHours
    expect([hoursOf('H-1').length, hoursOf('H-2')]).toEqual([3, []])
    const exported = await admin.file('/api/SiteDatatable', 'text/csv', { search: { value: 'H-1' } })
    expect(exported.text).toContain(text)
    expect(await steps.check('site', Buffer.from(exported.text))).toMatchObject({
      create: 0,
      update: 0,
      unchanged: 1,
      errorCount: 0,
    })
  })

  it('hosts come with a ping, as one created alone, with parents of the same file, tags, models; again it changes nothing', async () => {
    const content = csv(
      ['Nom', 'Adresse', 'Site', 'Fabricant', 'Modèle', 'Étiquettes', 'Supervision active', 'Équipements parents'],
      ['imp-sw', '192.0.2.11', 'IMP-1', 'Cisco', 'C9300 "24"', 'cœur, "a, b"', 'oui', 'imp-rtr'],
      ['imp-rtr', '192.0.2.10', '=Siège', '', '', '', 'non', ''],
    )
    expect(await steps.run('host', content, { createTypes: true })).toMatchObject({
      state: 'done',
      message: '',
      result: { create: 2 },
    })
    const hosts = (await list('/api/Host/Get')).filter((host: Answered) => host.name.startsWith('imp-'))
    expect(hosts.map((host: Answered) => [host.name, host.scanners, host.enabled, host.modelName, host.tags])).toEqual([
      ['imp-rtr', 1, false, null, []],
      ['imp-sw', 1, true, 'C9300 "24"', ['cœur', 'a, b']],
    ])
    const metrics = await list(`/api/Metric/Get?host=${hosts[1].id}`)
    expect(metrics.map((metric: Answered) => metric.key).toSorted()).toEqual([
      'availability',
      'jitter',
      'loss_ratio',
      'rtt_avg',
      'rtt_max',
      'rtt_min',
    ])
    const links = await test.database.db
      .selectFrom('host_parent')
      .selectAll()
      .where('host_id', '=', hosts[1].id)
      .execute()
    expect(links).toEqual([{ host_id: hosts[1].id, parent_id: hosts[0].id }])
    expect(await steps.check('host', content)).toMatchObject({ create: 0, update: 0, unchanged: 2, errorCount: 0 })
  })

  it('an update writes what differs only, and says before and after', async () => {
    const content = csv(
      ['Nom', 'Site', 'Adresse', 'Description'],
      ['imp-rtr', 'IMP-1', '192.0.2.99', 'routeur'],
      ['imp-sw', 'IMP-1', '192.0.2.11', ''],
    )
    const plan = await steps.check('host', content)
    expect(plan).toMatchObject({ create: 0, update: 1, unchanged: 1 })
    expect(plan.sample[0]).toMatchObject({
      line: 2,
      action: 'update',
      name: 'imp-rtr',
      changes: [
        { label: 'Adresse', before: '192.0.2.10', after: '192.0.2.99' },
        { label: 'Description', before: '', after: 'routeur' },
      ],
    })
    const before = await list('/api/Host/Get')
    expect(await steps.run('host', content)).toMatchObject({ state: 'done' })
    const after = await list('/api/Host/Get')
    const versions = (hosts: Answered, name: string) => hosts.find((host: Answered) => host.name === name).updatedAt
    expect(versions(after, 'imp-rtr')).not.toBe(versions(before, 'imp-rtr'))
    expect(versions(after, 'imp-sw')).toBe(versions(before, 'imp-sw'))
    expect(after.find((host: Answered) => host.name === 'imp-rtr')).toMatchObject({
      address: '192.0.2.99',
      enabled: false,
    })
  })

  it('metrics are changed by id, or by host, scanner and key; what they are given is their own', async () => {
    const host = (await list('/api/Host/Get')).find((one: Answered) => one.name === 'imp-sw')
    const metrics = await list(`/api/Metric/Get?host=${host.id}`)
    const rtt = metrics.find((metric: Answered) => metric.key === 'rtt_avg')
    const formulas = JSON.stringify({ warningHigh: 'champ.debit * 2' })
    await test.database.db.updateTable('metric').set({ formulas }).where('id', '=', rtt.id).execute()
    const content = csv(
      [
        'Identifiant',
        'Équipement',
        'Scanner',
        'Clé',
        "Seuil d'alerte haut",
        'Seuil d’erreur haut',
        'Tentatives',
        'Sans donnée',
      ],
      [rtt.id, '', '', '', 100.5, 200, 5, 'gardé'],
      ['', 'IMP-SW', 'ping', 'loss_ratio', 0.2, 0.5, null, 'inconnu'],
    )
    expect(await steps.run('metric', content)).toMatchObject({ state: 'done', result: { update: 2, create: 0 } })
    expect(await list(`/api/Metric/Get/${rtt.id}`)).toMatchObject({
      thresholds: { warningHigh: 100.5, errorHigh: 200, warningLow: null },
      attempts: 5,
      noData: 'keep',
    })
    const row = await test.database.db
      .selectFrom('metric')
      .select(['overrides', 'formulas'])
      .where('id', '=', rtt.id)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.overrides)).toEqual(['thresholds', 'attempts', 'noData'])
    expect(row.formulas).toBe('{}')
    expect(await steps.check('metric', content)).toMatchObject({ unchanged: 2, update: 0 })
    const wrong = csv(
      ['Équipement', 'Scanner', 'Clé', "Seuil d'alerte haut", 'Seuil d’erreur haut', 'Tentatives'],
      ['imp-sw', 'Ping', 'rtt_avg', 300, 200, 5],
      ['imp-sw', 'Ping', 'rtt_max', 'beaucoup', null, 21],
      ['imp-sw', 'Ping', 'absente', 1, 2, 3],
    )
    const plan = await steps.check('metric', wrong)
    expect(plan.errors.map((one: Answered) => [one.line, one.column])).toEqual([
      [2, expect.stringContaining('Seuil d')],
      [3, "Seuil d'alerte haut"],
      [3, 'Tentatives'],
      [4, 'Équipement'],
    ])
  })

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

  it('what the lists export comes back and changes nothing', async () => {
    await test.database.db
      .updateTable('host')
      .set({ description: '\'=2+2 ; "x"' })
      .where('name', '=', 'imp-sw')
      .execute()
    for (const [entity, list] of [
      ['site', '/api/SiteDatatable'],
      ['host', '/api/HostDatatable'],
      ['metric', '/api/MetricDatatable'],
    ] as const) {
      const exported = await test.app.http.inject({
        method: 'PUT',
        url: list,
        headers: { ...headersOf(admin), 'content-type': 'application/json', accept: 'text/csv' },
        payload: '{}',
      })
      expect([list, exported.statusCode, exported.headers['content-type']]).toEqual([
        list,
        200,
        'text/csv; charset=utf-8',
      ])
      const plan = await steps.check(entity, exported.rawPayload)
      expect([entity, plan.errors, plan.create, plan.update, plan.newTypes]).toEqual([entity, [], 0, 0, []])
      expect(plan.unchanged).toBeGreaterThan(1)
    }
  })
})
