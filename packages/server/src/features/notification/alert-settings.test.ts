import { DEFAULT_ALERT_SETTINGS } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChanges } from '../../changes.ts'
import type { Alert } from '../../monitoring/monitoring.store.ts'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { createAlertSettings } from './alert-settings.ts'

describe.each(DIALECTS)('the alerts that an account asks for, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let marie: Caller
  let marieId: number
  let sites: number[]

  beforeEach(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await test.user([], { login: 'marie' })
    marie = await test.signIn('marie', PASSWORD)
    marieId = (await marie.call('GET', '/api/Account/Get')).body.idUser
    sites = [
      (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id,
      (await admin.make('/api/Site/Create', { name: 'Brest', code: 'BRE' })).id,
    ]
  })
  afterEach(() => test.close())

  let keys = 0
  const incident = async (siteId: number | null, owner: string | null = null): Promise<number> => {
    const row = await test.database.db
      .insertInto('incident')
      .values({
        ...{ event_key: `i${keys++}`, metric_id: null, host_id: null, site_id: siteId, severity_rank: 0, owner },
        ...{ information: '', opened_at: 1, closed_at: null },
        ...{ acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const alert = async (severity: Alert['severity'], incidentId: number | null): Promise<Alert> => {
    const key = `a${keys++}`
    const entry = { type: 'Info', title: key, message: severity, link: '/' } as const
    const row = await test.database.db
      .insertInto('outbox')
      .values({
        event_key: key,
        at: keys,
        severity_rank: severityRank(severity),
        ...entry,
        incident_id: incidentId,
        account_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...entry, id: row.id, eventKey: key, atMs: keys, severity, incidentId }
  }
  const listed = async (): Promise<number[]> =>
    (await marie.call('GET', '/api/Notification/Get?after=0')).body.notifications.map((one: { id: number }) => one.id)
  /** What the hub would send and what the list gives: the same. */
  const told = async (alerts: readonly Alert[]): Promise<string[]> => {
    const service = createAlertSettings(test.database, createChanges(), error => {
      throw error
    })
    await service.load()
    const audience = await service.audience(alerts)
    const pushed = alerts.filter(({ id }) => audience.get(id)?.(marieId)).map(({ id }) => id)
    expect(await listed()).toEqual(pushed)
    return alerts.filter(({ id }) => pushed.includes(id)).map(({ message }) => message)
  }
  const want = async (settings: object) => {
    const body = { ...DEFAULT_ALERT_SETTINGS, ...settings }
    expect((await marie.call('PUT', '/api/Notification/Update/Settings', body)).body).toEqual(body)
  }

  it('by default: errors, warnings, and the end of what was told; never of what was unknown only', async () => {
    expect((await marie.call('GET', '/api/Notification/Get/Settings')).body).toEqual(DEFAULT_ALERT_SETTINGS)
    const [one, two] = [await incident(sites[0] ?? 0), await incident(sites[0] ?? 0)]
    const alerts = [
      await alert('error', one),
      await alert('unknown', two),
      await alert('ok', one),
      await alert('ok', two),
      await alert('warning', null),
    ]
    expect(await told(alerts)).toEqual(['error', 'ok', 'warning'])
    expect((await marie.call('GET', '/api/Notification/Get')).body.unread).toEqual({
      error: 1,
      warning: 1,
      unknown: 0,
      ok: 1,
    })
  })

  it('only some sites; what stands on none is told all the same', async () => {
    await want({ sites: [sites[1]] })
    const alerts = [
      await alert('error', await incident(sites[0] ?? 0)),
      await alert('warning', await incident(sites[1] ?? 0)),
      await alert('error', null),
    ]
    expect(await told(alerts)).toEqual(['warning', 'error'])
  })

  it('only what one takes care of, and no recovery', async () => {
    await want({ mine: true, recovery: false, unknown: true })
    const own = await incident(sites[0] ?? 0, 'marie')
    const alerts = [
      await alert('error', await incident(sites[0] ?? 0, 'admin')),
      await alert('unknown', own),
      await alert('ok', own),
    ]
    expect(await told(alerts)).toEqual(['unknown'])
  })

  it('nothing at all, while others get everything of theirs', async () => {
    await want({ error: false, warning: false, recovery: false })
    expect(await told([await alert('error', await incident(sites[0] ?? 0))])).toEqual([])
    expect((await admin.call('GET', '/api/Notification/Get')).body.notifications).toHaveLength(1)
  })

  it('refuses a site that is not, and keeps what was', async () => {
    const body = { ...DEFAULT_ALERT_SETTINGS, sites: [999_999] }
    expect((await marie.call('PUT', '/api/Notification/Update/Settings', body)).status).toBe(400)
    expect((await marie.call('GET', '/api/Notification/Get/Settings')).body).toEqual(DEFAULT_ALERT_SETTINGS)
  })

  it('in its quiet hours nothing is sent to an account but errors; what was told waits unread', async () => {
    const quiet = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00', timeZone: 'UTC', exceptErrors: true }
    const wanted = { ...DEFAULT_ALERT_SETTINGS, quiet }
    const saved = await marie.call('PUT', '/api/Notification/Update/Settings', wanted)
    expect([saved.status, saved.body.quiet]).toEqual([200, quiet])
    const told = [await alert('warning', null), await alert('error', null)]
    const sentAt = async (time: string): Promise<boolean[]> => {
      const now = () => Date.parse(`2026-11-23T${time}:00Z`)
      const service = createAlertSettings(
        test.database,
        createChanges(),
        () => {},
        () => new Map(),
        now,
      )
      await service.load()
      const audience = await service.audience(told)
      return [...told.map(({ id }) => audience.get(id)?.(marieId) === true), service.wantsActs(marieId)]
    }
    expect(await sentAt('12:00')).toEqual([true, true, true])
    expect(await sentAt('23:00')).toEqual([false, true, false])
    expect(await listed()).toEqual(expect.arrayContaining(told.map(({ id }) => id)))
    const wrong = { ...wanted, quiet: { ...quiet, to: '25:00', days: [] } }
    const refused = await marie.call('PUT', '/api/Notification/Update/Settings', wrong)
    expect([refused.status, Object.keys(refused.body.fields).toSorted()]).toEqual([400, ['quiet.days', 'quiet.to']])
  })
})
