import { expect } from 'vitest'
import { type Answered, type Caller, createTestApp, type DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

export const ping = (over: object = {}) => ({ item: 'p', name: 'Ping', kind: 'ping', ...over })

/** An application with a site and a probe, and what tests of what hosts inherit do again and again. */
export const inheritanceKit = () => {
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let siteId: number
  let nowMs = Date.parse('2026-11-20T08:00:00Z')
  let made = 0
  const model = (scanners: object[], fields: object = {}): Promise<Answered> =>
    admin.make('/api/Model/Create', { name: `Modèle ${++made}`, definition: { scanners, fields } })
  const host = (...models: Answered[]): Promise<Answered> =>
    admin.make('/api/Host/Create', {
      name: `h-${++made}`,
      address: '192.0.2.1',
      siteId,
      withPing: false,
      monitoringModelIds: models.map(one => one.id),
    })
  const change = async (of: Answered, scanners: object[], fields: object = {}): Promise<Answered> => {
    const { name, updatedAt } = (await admin.call('GET', `/api/Model/Get/${of.id}`)).body
    const answer = await admin.call('PUT', `/api/Model/Update/${of.id}`, {
      name,
      updatedAt,
      definition: { scanners, fields },
    })
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body
  }
  const scannersOf = async (of: Answered) => (await admin.call('GET', `/api/Scanner/Get?host=${of.id}`)).body
  const metricOf = async (of: Answered, key: string): Promise<Answered> =>
    (await admin.call('GET', `/api/Metric/Get?host=${of.id}`)).body.find((one: Answered) => one.key === key)
  const put = async (kind: 'Scanner' | 'Metric', before: Answered, over: object): Promise<Answered> => {
    const { overrides: _, ...body } = before
    return admin.call('PUT', `/api/${kind}/Update/${before.id}`, { ...body, ...over })
  }
  const saved = async (kind: 'Scanner' | 'Metric', before: Answered, over: object): Promise<Answered> => {
    const answer = await put(kind, before, over)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body
  }
  const fieldsOf = async (of: Answered): Promise<Answered> =>
    (await admin.call('GET', `/api/CustomField/Host/${of.id}`)).body.fields.find(
      (one: Answered) => one.updatedAt !== null,
    )

  return {
    async open(dialect: (typeof DIALECTS)[number]): Promise<void> {
      const now = () => ++nowMs
      test = await createTestApp({ dialect, now })
      admin = await test.admin()
      probe = await enrolTestProbe(test, now)
      siteId = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    },
    get test() {
      return test
    },
    get admin() {
      return admin
    },
    get probe() {
      return probe
    },
    get siteId() {
      return siteId
    },
    /** A number that no name has yet; `made`: the last one. */
    next: () => ++made,
    get made() {
      return made
    },
    model,
    host,
    change,
    scannersOf,
    metricOf,
    put,
    saved,
    fieldsOf,
  }
}
