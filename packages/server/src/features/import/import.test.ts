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
    const audit = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'import')
      .orderBy('id')
      .execute()
    expect(audit.map(line => [line.actor, line.object, JSON.parse(line.detail).create])).toEqual([['admin', 'site', 2]])
    const each = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'site-create')
      .orderBy('id')
      .execute()
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

  it('public holidays are written and read back: as on any day, closed, or open at some hours', async () => {
    const header = ['Code', 'Nom', 'Jours fériés']
    const wrong = csv(header, ['F-1', 'Gare', 'parfois'], ['F-2', 'Port', '09:00–12:00, 11:00–13:00'])
    expect(faultsOf(await steps.check('site', wrong)).map((fault: string) => fault.slice(0, 32))).toEqual([
      '2 Jours fériés Pour les jours fé',
      '3 Jours fériés Deux plages se ch',
    ])
    const text = '09:00–12:00, 14:00–16:00'
    const right = csv(header, ['F-1', 'Gare', text], ['F-2', 'Port', 'Fermé'], ['F-3', 'Phare', ''])
    expect(await steps.run('site', right)).toMatchObject({ state: 'done', result: { create: 3 } })
    const exported = await admin.file('/api/SiteDatatable', 'text/csv', { search: { value: 'F-' } })
    expect([text, ';fermé;'].filter(part => !exported.text.includes(part))).toEqual([])
    expect(await steps.check('site', Buffer.from(exported.text))).toMatchObject({ update: 0, errorCount: 0 })
    const told = (await list('/api/Site/Get')).filter((site: Answered) => site.code.startsWith('F-'))
    expect(Object.fromEntries(told.map((site: Answered) => [site.code, site.holidays?.length ?? null]))).toEqual({
      ...{ 'F-1': 2, 'F-2': 0, 'F-3': null },
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
