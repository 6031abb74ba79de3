import { notificationRoutes } from '@narval/contracts'
import { NO_COUNTS, type SeverityCounts } from '@narval/engine'
import type { RawBuilder } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Db } from '../../store/database.ts'
import { type AlertSettingsService, wantedRows } from './alert-settings.ts'
import { readGroups, toNotification } from './notification.store.ts'

const PAGE = 50

const throughOf = async (db: Db, viewer: Viewer): Promise<number> =>
  (
    await db
      .selectFrom('account')
      .select('notifications_through as place')
      .where('id', '=', viewer.userId)
      .executeTakeFirst()
  )?.place ?? 0

/** Unread notifications by severity; `ok` counts recoveries. */
const unreadOf = async (db: Db, wanted: RawBuilder<boolean>, through: number): Promise<SeverityCounts> => {
  const rows = await db
    .selectFrom('outbox')
    .select(eb => ['severity_rank', eb.fn.countAll<number>().as('n')])
    .where('id', '>', through)
    .where(wanted)
    .groupBy('severity_rank')
    .execute()
  const counts = { ...NO_COUNTS }
  for (const row of rows) counts[severityOf(row.severity_rank)] = Number(row.n)
  return counts
}

const latestOf = async (db: Db): Promise<number> =>
  (
    await db
      .selectFrom('outbox')
      .select(eb => eb.fn.max('id').as('id'))
      .executeTakeFirst()
  )?.id ?? 0

/** What the hub pushed, kept for those who were away (R21); read up to a place of each account's own. */
export const notificationHandlers = (db: Db, alerts: AlertSettingsService): Mounted[] => [
  on(notificationRoutes.list, async ({ query }, viewer) => {
    const wanted = wantedRows(alerts.get(viewer.userId), viewer)
    const through = await throughOf(db, viewer)
    const from = Math.max(query.after ?? 0, query.unread === 'true' ? through : 0)
    const base = db.selectFrom('outbox').selectAll().where('id', '>', from).where(wanted).limit(PAGE)
    const rows = await (query.after === undefined ? base.orderBy('id', 'desc') : base.orderBy('id', 'asc')).execute()
    const notifications = rows.map(row => toNotification(row, through))
    return { notifications, unread: await unreadOf(db, wanted, through), latest: await latestOf(db) }
  }),
  on(notificationRoutes.groups, async ({ query }, viewer) => {
    const wanted = wantedRows(alerts.get(viewer.userId), viewer)
    const through = await throughOf(db, viewer)
    const page = await readGroups(db, viewer, query, through)
    return { ...page, unread: await unreadOf(db, wanted, through), latest: await latestOf(db) }
  }),
  on(notificationRoutes.read, async ({ body }, viewer) => {
    const through = Math.min(body.through, await latestOf(db))
    const wanted = wantedRows(alerts.get(viewer.userId), viewer)
    const before = await throughOf(db, viewer)
    if (through > before)
      await db.updateTable('account').set({ notifications_through: through }).where('id', '=', viewer.userId).execute()
    return { unread: await unreadOf(db, wanted, Math.max(through, before)) }
  }),
]
