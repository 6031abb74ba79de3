import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

interface Told {
  readonly key: string
  readonly value: unknown
  readonly origin: string
  readonly section: string
  readonly updatedAt: string | null
  readonly updatedBy: string | null
}

describe.each(DIALECTS)('the settings of the platform, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let paul: Caller

  beforeEach(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await test.user(['parameter_write'], { login: 'paul' })
    paul = await test.signIn('paul', PASSWORD)
  })
  afterEach(() => test.close())

  const read = async (key: string): Promise<Told> =>
    (await admin.call('GET', '/api/Parameter/Collect')).body.find((one: Told) => one.key === key)
  const write = (values: object, seen?: string | null, caller = admin) =>
    caller.call('PUT', `/api/Parameter/Collect${seen == null ? '' : `?seen=${encodeURIComponent(seen)}`}`, values)
  const EPOCH = new Date(0).toISOString()

  it('say in which group they stand, who changed them and when, also when they went back to the default', async () => {
    expect(await read('attempts')).toMatchObject({ section: 'validation', updatedAt: null, updatedBy: null })
    await write({ attempts: 5 }, EPOCH, paul)
    const first = await read('attempts')
    expect(first).toMatchObject({ value: 5, origin: 'setting', updatedBy: 'paul' })
    await write({ attempts: null })
    const second = await read('attempts')
    expect(second).toMatchObject({ value: 3, origin: 'default', updatedBy: 'admin' })
    expect((second.updatedAt ?? '') > (first.updatedAt ?? '')).toBe(true)
  })

  it('what somebody else changed after it was read is not overwritten, nor what was given back; the same wish is no conflict', async () => {
    expect((await write({ attempts: 5 }, EPOCH, paul)).status).toBe(200)
    const refused = await write({ attempts: 7, reopenMinutes: 20 }, EPOCH)
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      '«\u202fNombre de tentatives avant validation\u202f»\u202f: changé entre-temps par paul.',
    ])
    expect([(await read('attempts')).value, (await read('reopenMinutes')).value]).toEqual([5, 10])
    expect((await write({ attempts: 5 }, EPOCH)).status).toBe(200)
    expect((await write({ reopenMinutes: 20 }, EPOCH)).status).toBe(200)
    const { updatedAt } = await read('reopenMinutes')
    await write({ attempts: null }, undefined, paul)
    expect((await write({ attempts: 8 }, updatedAt)).status).toBe(409)
    expect((await write({ attempts: 8 })).status).toBe(200)
    expect((await write({ attempts: 8 }, 'hier')).status).toBe(400)
  })

  it('measures are not kept longer than their means, and their store is told at once', async () => {
    expect((await write({ rawDays: 400 })).body.fields).toEqual({
      fiveMinutesDays: 'Les moyennes de 5 minutes ne peuvent être gardées moins longtemps que les mesures',
    })
    expect((await write({ fiveMinutesDays: 300, hourDays: 200 })).status).toBe(400)
    const told: unknown[] = []
    const { retain } = test.samples
    Object.assign(test.samples, {
      retain: (retention: Parameters<typeof retain>[0]) => {
        told.push(retention)
        return retain(retention)
      },
    })
    expect((await write({ rawDays: 30, fiveMinutesDays: 200 })).status).toBe(200)
    expect(told).toEqual([{ rawDays: 30, fiveMinutesDays: 200, hourDays: 1825 }])
  })

  it('addresses that one goes to are of the web, a contact may be a mail address too, and each is one', async () => {
    const set = async (key: string, value: string) =>
      (await admin.call('PUT', '/api/Parameter/Configuration', { [key]: value })).status
    for (const key of ['consoleUrl', 'documentationUrl']) {
      for (const wrong of ['mailto:a@b.fr', 'javascript:alert(1)', 'https://[', 'https://x:99999/', 'http://'])
        expect(await set(key, wrong), `${key} ${wrong}`).toBe(400)
      expect(await set(key, 'https://narval.exemple.fr/doc?page=1'), key).toBe(200)
    }
    expect([await set('contactUrl', 'mailto:a@b.fr'), await set('contactUrl', 'https://[')]).toEqual([200, 400])
  })

  it('of two people who save at once one alone goes through', async () => {
    const answers = await Promise.all([write({ attempts: 6 }, EPOCH), write({ attempts: 9 }, EPOCH, paul)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('are audited with what they were; only who holds the right reads or changes them', async () => {
    await write({ attempts: 5, flapping: false })
    const rows = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'parameter-update')
      .orderBy('id')
      .execute()
    expect(rows.map(({ actor, detail }) => [actor, JSON.parse(detail).changes])).toEqual([
      ['admin', { attempts: { before: 3, after: 5 }, flapping: { before: true, after: false } }],
    ])
    const reader = await test.user(['incident_write'])
    expect((await reader.call('GET', '/api/Parameter/Collect')).status).toBe(403)
    expect((await write({ attempts: 4 }, undefined, reader)).status).toBe(403)
  })
})
