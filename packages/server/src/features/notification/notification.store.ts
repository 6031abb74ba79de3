import {
  ALERT_TYPES,
  NOTIFICATION_GROUPS,
  NOTIFICATIONS_IN_GROUP,
  type Notification,
  type NotificationGroup,
} from '@narval/contracts'
import { type Severity, severityRank } from '@narval/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { failsSince } from '../../monitoring/incident/incident-reopening.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Db } from '../../store/database.ts'
import { containsFolded } from '../../store/datatable.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { seesAll } from '../../store/visible.ts'
import { seenAlert } from './alert-settings.ts'

/** Words of a search that are looked for. */
const WORDS_MAX = 8

interface AlertRow {
  id: number
  at: number
  severity_rank: number
  type: string
  title: string
  message: string
  link: string
  incident_id: number | null
  /** 1: unread. */
  fresh: number
}

/** Whether this account has not read it: it came after the place up to which all is read, and was not read apart. */
export const unreadAlert = (viewer: Viewer, through: number, table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.id`)} > ${through} and not exists (select 1 from notification_read apart
    where apart.account_id = ${viewer.userId} and apart.outbox_id = ${sql.ref(`${table}.id`)}))`
/** The same of a row of the outbox, as a figure to select or to add up. */
const fresh = (viewer: Viewer, through: number): RawBuilder<number> =>
  sql<number>`case when ${unreadAlert(viewer, through, 'outbox')} then 1 else 0 end`

export const toNotification = (row: AlertRow): Notification => ({
  id: row.id,
  at: toIso(row.at),
  severity: severityOf(row.severity_rank),
  type: ALERT_TYPES.find(type => type === row.type) ?? 'Info',
  title: row.title,
  message: row.message,
  link: row.link,
  read: Number(row.fresh) === 0,
})

export interface GroupFilter {
  /** Only groups whose newest alert is older than this one. */
  readonly before?: number | undefined
  readonly unread?: 'true' | 'false' | undefined
  readonly severity?: Severity | undefined
  readonly site?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly words?: string | undefined
}

/** Everybody's, and one's own. */
const mine = (viewer: Viewer, table: string): RawBuilder<boolean> =>
  seesAll(viewer)
    ? sql<boolean>`(${sql.ref(`${table}.account_id`)} is null or ${sql.ref(`${table}.account_id`)} = ${viewer.userId})`
    : sql<boolean>`(${sql.ref(`${table}.account_id`)} = ${viewer.userId}
        or (${sql.ref(`${table}.account_id`)} is null and ${seenAlert(viewer, table)}))`

const conditionsOf = (viewer: Viewer, filter: GroupFilter, through: number): RawBuilder<boolean>[] => {
  const { unread, severity, site, from, to, words = '' } = filter
  const all: RawBuilder<boolean>[] = []
  if (unread === 'true') all.push(unreadAlert(viewer, through, 'one'))
  if (severity !== undefined) all.push(sql<boolean>`one.severity_rank = ${severityRank(severity)}`)
  if (from !== undefined) all.push(sql<boolean>`one.at >= ${Date.parse(from)}`)
  if (to !== undefined) all.push(sql<boolean>`one.at <= ${Date.parse(to)}`)
  for (const word of words.split(/\s+/).slice(0, WORDS_MAX))
    if (word !== '') all.push(containsFolded(sql`one.text_folded`, word))
  if (site !== undefined)
    all.push(sql<boolean>`one.incident_id in (select incident.id from incident
      left join host on host.id = incident.host_id where coalesce(host.site_id, incident.site_id) = ${site})`)
  return all
}

/** A group is found when one of its alerts is what was asked for. */
const found = (viewer: Viewer, filter: GroupFilter, through: number): RawBuilder<boolean> => {
  const conditions = conditionsOf(viewer, filter, through)
  if (conditions.length === 0) return sql<boolean>`1 = 1`
  return sql<boolean>`exists (select 1 from outbox one where (one.id = newest.id or one.incident_id = newest.incident_id)
    and ${mine(viewer, 'one')} and ${sql.join(conditions, sql` and `)})`
}

/** One page of groups by their newest alert, and whether there are more. */
export const readGroups = async (
  db: Db,
  viewer: Viewer,
  filter: GroupFilter,
  through: number,
): Promise<{ groups: NotificationGroup[]; next: number | null }> => {
  const older = filter.before === undefined ? sql<boolean>`1 = 1` : sql<boolean>`newest.id < ${filter.before}`
  const heads = await sql<{ id: number; incident_id: number | null }>`select newest.id, newest.incident_id
    from outbox newest where ${older} and ${mine(viewer, 'newest')} and not exists (select 1 from outbox later
      where later.incident_id = newest.incident_id and later.id > newest.id and ${mine(viewer, 'later')})
    and ${found(viewer, filter, through)} order by newest.id desc limit ${NOTIFICATION_GROUPS + 1}`.execute(db)
  const page = heads.rows.slice(0, NOTIFICATION_GROUPS)
  const last = heads.rows.length > NOTIFICATION_GROUPS ? (page.at(-1)?.id ?? null) : null
  return { groups: await readAlerts(db, viewer, page, through), next: last }
}

interface NumberedRow extends AlertRow {
  total: number
  unread: number
}

const readAlerts = async (
  db: Db,
  viewer: Viewer,
  heads: readonly { id: number; incident_id: number | null }[],
  through: number,
): Promise<NotificationGroup[]> => {
  if (heads.length === 0) return []
  const incidents = heads.flatMap(({ incident_id }) => incident_id ?? [])
  const inGroups = incidents.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`incident_id in (${sql.join(incidents)})`
  const rows = await sql<NumberedRow>`select * from (select outbox.*, ${fresh(viewer, through)} as fresh,
      count(*) over (partition by coalesce(incident_id, -id)) as total,
      sum(${fresh(viewer, through)}) over (partition by coalesce(incident_id, -id)) as unread,
      row_number() over (partition by coalesce(incident_id, -id) order by id desc) as place
    from outbox where ${mine(viewer, 'outbox')} and (${inGroups} or id in (${sql.join(heads.map(({ id }) => id))}))) alert
    where place <= ${NOTIFICATIONS_IN_GROUP} order by id`.execute(db)
  const states = await readIncidents(db, incidents)
  const byGroup = Map.groupBy(rows.rows, row => row.incident_id ?? -row.id)
  return heads.map(head => {
    const alerts = byGroup.get(head.incident_id ?? -head.id) ?? []
    return {
      place: head.id,
      incident: head.incident_id === null ? null : (states.get(head.incident_id) ?? null),
      total: Number(alerts[0]?.total ?? 0),
      unread: Number(alerts[0]?.unread ?? 0),
      notifications: alerts.map(toNotification),
    }
  })
}

/** Marks what came of one group up to an alert of it as read; what somebody else alone is told stays as it was. */
export const readGroupOf = async (db: Db, viewer: Viewer, place: number, through: number): Promise<void> => {
  await sql`insert into notification_read (account_id, outbox_id) select account.id, one.id from outbox one
    join account on account.id = ${viewer.userId} where one.id <= ${place} and (one.id = ${place}
    or one.incident_id = (select incident_id from outbox where id = ${place})) and ${mine(viewer, 'one')}
    and ${unreadAlert(viewer, through, 'one')} on conflict do nothing`.execute(db)
}

/** Alerts that one answer gives. */
const LIST_PAGE = 50
interface ListQuery {
  readonly wanted: RawBuilder<boolean>
  readonly through: number
  readonly after: number | undefined
  readonly onlyUnread: boolean
}
/** The newest alerts of an account, or those that came after a place, oldest first. */
export const readList = (
  db: Db,
  viewer: Viewer,
  { wanted, through, after, onlyUnread }: ListQuery,
): Promise<AlertRow[]> =>
  db
    .selectFrom('outbox')
    .selectAll()
    .select(fresh(viewer, through).as('fresh'))
    .where(wanted)
    .$if(after !== undefined, query => query.where('id', '>', after ?? 0))
    .$if(onlyUnread, query => query.where(unreadAlert(viewer, through, 'outbox')))
    .orderBy('id', after === undefined ? 'desc' : 'asc')
    .limit(LIST_PAGE)
    .execute()

interface IncidentRow {
  id: number
  severity_rank: number
  opened_at: number
  closed_at: number | null
  reopened: number
  reopened_at: number | null
  site_name: string | null
  acknowledged_by: string | null
}

/** What the incidents are now; those that are gone are left out. */
const readIncidents = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, NonNullable<NotificationGroup['incident']>>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<IncidentRow>`select incident.id, incident.severity_rank, incident.opened_at,
    incident.closed_at, incident.reopened, incident.reopened_at, site.name as site_name, incident.acknowledged_by from incident
    left join host on host.id = incident.host_id left join site on site.id = coalesce(host.site_id, incident.site_id)
    where incident.id in (${sql.join(ids)})`.execute(db)
  return new Map(
    rows.map(row => [
      row.id,
      {
        id: row.id,
        severity: severityOf(row.severity_rank),
        openedAt: toIso(row.opened_at),
        closedAt: toIsoOrNull(row.closed_at),
        failsSince: toIso(failsSince(row)),
        reopened: row.reopened,
        siteName: row.site_name,
        acknowledgedBy: row.acknowledged_by,
      },
    ]),
  )
}
