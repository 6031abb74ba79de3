import { AVAILABILITY_KEY, type NotificationMessage, type NotificationRuleInput } from '@narval/contracts'
import { type Severity, severityRank } from '@narval/engine'
import type { Dialect } from '../store/dialect.ts'
import { createTestClock } from './clock.ts'
import { type Answered, type Caller, createTestApp, type TestApp } from './test-app.ts'

const MINUTE_MS = 60_000

export interface Sent {
  readonly kind: string
  readonly subject: string
  readonly to: string
  readonly reason: string
  readonly message: NotificationMessage
  readonly key: string
}

/** An application whose clock a test moves, with a way to reach people, and incidents that open and close as it says. */
export const createTestNotifier = async (dialect: Dialect, startsAt = '2026-06-10T10:00:00Z') => {
  const clock = createTestClock(Date.parse(startsAt))
  const test = await createTestApp({ dialect, now: clock.now, delivering: { pollMs: 3_600_000 } })
  const admin = await test.admin()
  const { db } = test.database
  const mail = await admin.make('/api/NotificationChannel/Create', {
    ...{ kind: 'email', name: 'Courriel', settings: { host: '127.0.0.1', port: 9, from: 'narval@exemple.fr' } },
  })
  const chat = await admin.make('/api/NotificationChannel/Create', {
    ...{ kind: 'ntfy', name: 'Salle', settings: { server: 'http://127.0.0.1:9', topic: 'alertes' } },
  })
  const people = new Map<number, string>()
  const person = async (login: string, more: { email?: string; enabled?: 0 | 1 } = {}): Promise<number> => {
    // Nobody signs in as one: no password is made, which takes long.
    const { email = `${login}@exemple.fr`, enabled = 1 } = more
    const stamps = { created_at: clock.now(), updated_at: clock.now(), updated_by: null }
    const { id } = await db
      .insertInto('account')
      .values({
        ...{ login, login_folded: login, first_name: login, last_name: '', name_folded: login, email, enabled },
        ...{ avatar: 'narval', password_hash: '-', first_connection: 0, theme: 'light', home_page: '/' },
        ...{ last_login_at: null, password_changed_at: null, password_expires_at: null, notifications_through: 0 },
        ...stamps,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    people.set(id, login)
    test.app.notifier.forget()
    return id
  }
  const rule = async (more: Partial<NotificationRuleInput> = {}): Promise<Answered> =>
    admin.make('/api/NotificationRule/Create', { ...ruleOf(mail.id, [...people.keys()].slice(0, 1)), ...more })
  /** Moves the clock on, looking every 10 s as the server does each second; more rarely where it is for hours. */
  const pass = async (ms: number): Promise<void> => {
    const everyMs = ms > 180 * MINUTE_MS ? 10 * MINUTE_MS : ms > 30 * MINUTE_MS ? MINUTE_MS : 10_000
    for (let left = ms; left > 0; left -= everyMs) {
      clock.forward(Math.min(everyMs, left))
      await test.app.notifier.pass()
    }
  }
  let seen = 0
  /** What was queued since the last time. */
  const sent = async (): Promise<Sent[]> => {
    const rows = await db.selectFrom('delivery').selectAll().where('id', '>', seen).orderBy('id').execute()
    seen = rows.at(-1)?.id ?? seen
    return rows.map(row => ({
      ...{ kind: row.kind, subject: row.subject, reason: row.reason, key: row.delivery_key },
      to: row.account_id === null ? 'salle' : (people.get(row.account_id) ?? String(row.account_id)),
      message: JSON.parse(row.message),
    }))
  }
  return { test, admin, clock, db, mail, chat, person, rule, pass, sent, ...createFleetOf(test, admin, clock.now) }
}
export type TestNotifier = Awaited<ReturnType<typeof createTestNotifier>>

export const ruleOf = (channelId: number, accountIds: number[]): NotificationRuleInput => ({
  ...{ name: 'Règle', enabled: true, severities: ['error', 'warning'], kinds: ['host', 'metric', 'probe', 'link'] },
  ...{ siteIds: [], hostTypeIds: [], tags: [] },
  period: { timeZone: 'Europe/Paris', hours: [], holidays: 'ordinary', region: 'metropole' },
  steps: [{ afterMinutes: 0, untilMinutes: null, accountIds, groupIds: [], channelIds: [channelId] }],
  ...{ waitSeconds: null, newsMinutes: null, reminderMinutes: null, tellRecovery: true, tellBrief: false, stop: false },
})

const createFleetOf = (test: TestApp, admin: Caller, now: () => number) => {
  const { db } = test.database
  let opened = 0
  const site = (name: string, parentId: number | null = null): Promise<{ id: number }> =>
    admin.make('/api/Site/Create', {
      name,
      code: name.toUpperCase(),
      timeZone: 'Europe/Paris',
      parentId,
      instruction: `Appeler ${name}`,
    })
  /** Equipment with a ping: the id of the metric that says whether it is there. */
  const host = async (name: string, siteId: number, more: object = {}): Promise<{ id: number; metricId: number }> => {
    const { id } = await admin.make('/api/Host/Create', { name, address: '192.0.2.1', siteId, ...more })
    const metric = await db
      .selectFrom('metric')
      .select('id')
      .where('host_id', '=', id)
      .where('key', '=', AVAILABILITY_KEY)
      .executeTakeFirstOrThrow()
    return { id, metricId: metric.id }
  }
  const open = async (
    of: { id: number; metricId: number },
    { severity = 'error', parentId = null }: { severity?: Severity; parentId?: number | null } = {},
  ): Promise<number> => {
    const rank = severityRank(severity)
    const row = await db
      .insertInto('incident')
      .values({
        ...{
          event_key: `test-${++opened}`,
          metric_id: of.metricId,
          host_id: of.id,
          site_id: null,
          information: 'délai dépassé',
        },
        ...{ severity_rank: rank, worst_rank: rank, opened_at: now(), closed_at: null, parent_id: parentId },
        ...{ acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const change = (
    id: number,
    set: {
      closed_at?: number
      severity_rank?: number
      acknowledged_at?: number | null
      parent_id?: number | null
      flapping?: 0 | 1
    },
  ) => db.updateTable('incident').set(set).where('id', '=', id).execute()
  return {
    ...{ site, host, open, change },
    close: (id: number) => change(id, { closed_at: now() }),
    /** As it is when the problem comes back: `incident-reopening.ts` has its test. */
    reopen: (id: number) =>
      db
        .updateTable('incident')
        .set(({ eb }) => ({ closed_at: null, reopened: eb('reopened', '+', 1), reopened_at: now() }))
        .where('id', '=', id)
        .execute(),
    acknowledge: (id: number) => change(id, { acknowledged_at: now() }),
    minutes: (count: number) => count * MINUTE_MS,
  }
}
