import { notificationRoutes } from '@narval/contracts'
import { NO_COUNTS, type SeverityCounts } from '@narval/engine'
import type { RawBuilder } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { type AlertSettingsService, wantedRows } from './alert-settings.ts'
import { readGroupOf, readGroups, readList, toNotification, unreadAlert } from './notification.store.ts'

const throughOf = async (db: Db, viewer: Viewer): Promise<number> =>
  (
    await db
      .selectFrom('account')
      .select('notifications_through as place')
      .where('id', '=', viewer.userId)
      .executeTakeFirst()
  )?.place ?? 0

/** Unread notifications by severity; `ok` counts recoveries. */
const unreadOf = async (
  db: Db,
  viewer: Viewer,
  wanted: RawBuilder<boolean>,
  through: number,
): Promise<SeverityCounts> => {
  const rows = await db
    .selectFrom('outbox')
    .select(eb => ['severity_rank', eb.fn.countAll<number>().as('n')])
    .where(unreadAlert(viewer, through, 'outbox'))
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
    const { after, unread } = query
    const rows = await readList(db, viewer, { wanted, through, after, onlyUnread: unread === 'true' })
    const notifications = rows.map(toNotification)
    return { notifications, unread: await unreadOf(db, viewer, wanted, through), latest: await latestOf(db) }
  }),
  on(notificationRoutes.groups, async ({ query }, viewer) => {
    const wanted = wantedRows(alerts.get(viewer.userId), viewer)
    const through = await throughOf(db, viewer)
    const page = await readGroups(db, viewer, query, through)
    return { ...page, unread: await unreadOf(db, viewer, wanted, through), latest: await latestOf(db) }
  }),
  on(notificationRoutes.read, async ({ body }, viewer) => {
    const through = Math.min(body.through, await latestOf(db))
    const wanted = wantedRows(alerts.get(viewer.userId), viewer)
    const before = await throughOf(db, viewer)
    if (through > before)
      await transaction(db, async trx => {
        await trx
          .updateTable('account')
          .set({ notifications_through: through })
          .where('id', '=', viewer.userId)
          .execute()
        // All before the place is read: what was read apart need not be known any more.
        await trx
          .deleteFrom('notification_read')
          .where('account_id', '=', viewer.userId)
          .where('outbox_id', '<=', through)
          .execute()
      })
    return { unread: await unreadOf(db, viewer, wanted, Math.max(through, before)) }
  }),
  on(notificationRoutes.readGroup, async ({ body }, viewer) => {
    const through = await throughOf(db, viewer)
    await readGroupOf(db, viewer, body.place, through)
    return { unread: await unreadOf(db, viewer, wantedRows(alerts.get(viewer.userId), viewer), through) }
  }),
]
