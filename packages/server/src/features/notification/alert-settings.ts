import {
  type AlertSettings,
  alertSettingsRoutes,
  DEFAULT_ALERT_SETTINGS,
  isQuiet,
  type QuietHours,
} from '@narval/contracts'
import { SEVERITIES, type Severity, severityRank } from '@narval/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Place, Viewer } from '../../http/caller.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { invalidField } from '../../http/refusal.ts'
import type { Wanted } from '../../hub/hubs.ts'
import type { Alert } from '../../monitoring/monitoring.store.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { seesAll, visibleIncident, visibleSite, within } from '../../store/visible.ts'

/** The severities of problems: what may be told before a recovery is. */
const PROBLEMS = ['error', 'warning', 'unknown'] as const satisfies readonly Severity[]

/** What an account wants, with its login, by which incidents name whoever acts on them. */
interface Asked {
  readonly settings: AlertSettings
  readonly sites: ReadonlySet<number> | null
  readonly login: string
}

/** What is known of an alert beside its words. */
interface Facts {
  readonly severity: Severity
  /** Of its incident: what was told of it before; null: there is none. */
  readonly told: readonly Severity[] | null
  readonly siteId: number | null
  /** Of its host, folded; '': it is about none. */
  readonly tags: string
  readonly people: readonly (string | null)[]
}

export interface AlertSettingsService {
  /** Reads what all accounts want; to be called at the start. */
  load(): Promise<void>
  get(userId: number): AlertSettings
  update(viewer: Viewer, settings: AlertSettings): Promise<AlertSettings>
  /** Who is to be sent each of these alerts, by the alert's id. */
  audience(alerts: readonly Alert[]): Promise<ReadonlyMap<number, Wanted>>
  /** Whether an account wants to hear what others do. */
  wantsActs: Wanted
  /** Whether nothing of this severity is to appear on an account's screen now: these are its quiet hours. */
  quietNow(userId: number, severity: Severity): boolean
}

/** The alerts that each account asks for; few differ from the defaults, so that all of them are held in memory. */
export const createAlertSettings = (
  { db }: Database,
  changes: Changes,
  onFault: (error: unknown) => void,
  limited: () => ReadonlyMap<number, Place> = () => new Map(),
  now: () => number = Date.now,
): AlertSettingsService => {
  const held = new Map<number, Asked>()
  const quietNow = (userId: number, severity: Severity): boolean =>
    isQuiet(held.get(userId)?.settings.quiet ?? null, severity, now())

  const load = async (): Promise<void> => {
    const rows = await db
      .selectFrom('alert_setting')
      .innerJoin('account', 'account.id', 'alert_setting.account_id')
      .selectAll('alert_setting')
      .select('account.login')
      .execute()
    held.clear()
    for (const row of rows) {
      const settings = settingsOf(row)
      held.set(row.account_id, { settings, sites: setOf(settings), login: row.login })
    }
  }
  changes.on(({ entity }) => {
    if (entity === 'account') void load().catch(onFault)
  })

  return {
    load,
    quietNow,
    get: userId => held.get(userId)?.settings ?? DEFAULT_ALERT_SETTINGS,
    async update(viewer, settings) {
      await transaction(db, async trx => {
        await requireSites(trx, viewer, settings.sites ?? [])
        const row = columnsOf(settings)
        await trx
          .insertInto('alert_setting')
          .values({ account_id: viewer.userId, ...row })
          .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
          .execute()
      })
      held.set(viewer.userId, { settings, sites: setOf(settings), login: viewer.login })
      return settings
    },
    async audience(alerts) {
      const facts = await factsOf(db, alerts)
      return new Map(
        alerts.map(({ id }) => {
          const known = facts.get(id)
          const byDefault = known === undefined || wants(DEFAULT, known)
          return [
            id,
            userId => {
              if (!reaches(limited().get(userId), known)) return false
              if (known !== undefined && quietNow(userId, known.severity)) return false
              const asked = held.get(userId)
              return asked === undefined || known === undefined ? byDefault : wants(asked, known)
            },
          ]
        }),
      )
    },
    // Whose sites an act is about is not known here: who does not see all is not told.
    wantsActs: userId =>
      !limited().has(userId) &&
      !quietNow(userId, 'ok') &&
      (held.get(userId)?.settings.acts ?? DEFAULT_ALERT_SETTINGS.acts),
  }
}

export const alertSettingsHandlers = (service: AlertSettingsService): Mounted[] => [
  on(alertSettingsRoutes.get, (_, viewer) => service.get(viewer.userId)),
  on(alertSettingsRoutes.update, ({ body }, viewer) => service.update(viewer, body)),
]

const setOf = ({ sites }: AlertSettings): ReadonlySet<number> | null => (sites === null ? null : new Set(sites))
const DEFAULT: Asked = { settings: DEFAULT_ALERT_SETTINGS, sites: null, login: '' }

/** Whether who is limited to this place may hear of it; undefined: he is not limited. */
const reaches = (place: Place | undefined, facts: Facts | undefined): boolean =>
  place === undefined ||
  (facts?.siteId != null && within(place)({ site: { id: facts.siteId }, facts: { tags: facts.tags } }))

const wants = ({ settings, sites, login }: Asked, { severity, told, siteId, people }: Facts): boolean => {
  if (sites !== null && siteId !== null && !sites.has(siteId)) return false
  if (settings.mine && !people.includes(login)) return false
  if (severity !== 'ok') return settings[severity]
  return settings.recovery && (told === null || told.some(one => one !== 'ok' && settings[one]))
}

/**
 * The same of what is kept in the outbox, for what one reads: what concerns one alone, and what was asked for. The row is
 * named `outbox`.
 */
export const wantedRows = (settings: AlertSettings, viewer: Viewer): RawBuilder<boolean> => {
  const ranks = PROBLEMS.filter(severity => settings[severity]).map(severityRank)
  const chosen = ranks.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`outbox.severity_rank in (${sql.join(ranks)})`
  const told =
    ranks.length === 0
      ? sql<boolean>`1 = 0`
      : sql<boolean>`exists (select 1 from outbox told where told.incident_id = outbox.incident_id and told.id < outbox.id
          and told.severity_rank in (${sql.join(ranks)}))`
  const recovery = settings.recovery
    ? sql<boolean>`(outbox.severity_rank = ${severityRank('ok')} and (outbox.incident_id is null or ${told}))`
    : sql<boolean>`1 = 0`
  const conditions = [sql<boolean>`(${chosen} or ${recovery})`]
  if (settings.mine)
    conditions.push(sql<boolean>`exists (select 1 from incident where incident.id = outbox.incident_id
      and ${viewer.login} in (incident.owner, incident.acknowledged_by))`)
  if (settings.sites !== null)
    conditions.push(sql<boolean>`not exists (select 1 from incident left join host on host.id = incident.host_id
      where incident.id = outbox.incident_id and coalesce(host.site_id, incident.site_id) not in (${sql.join(settings.sites)}))`)
  if (!seesAll(viewer)) conditions.push(seenAlert(viewer, 'outbox'))
  return sql<boolean>`(outbox.account_id = ${viewer.userId} or (outbox.account_id is null and ${sql.join(conditions, sql` and `)}))`
}

/** Of a row of the outbox: what its incident is about may be seen. */
export const seenAlert = (viewer: Viewer, table: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from incident left join host on host.id = incident.host_id
    where incident.id = ${sql.ref(`${table}.incident_id`)} and ${visibleIncident(viewer)})`

const factsOf = async (db: Db, alerts: readonly Alert[]): Promise<Map<number, Facts>> => {
  const incidents = [...new Set(alerts.flatMap(({ incidentId }) => incidentId ?? []))]
  const about = new Map<
    number,
    { siteId: number | null; tags: string; people: (string | null)[]; told: { id: number; rank: number }[] }
  >()
  for (const ids of batches(incidents)) {
    const rows = await db
      .selectFrom('incident')
      .leftJoin('host', 'host.id', 'incident.host_id')
      .select([
        'incident.id',
        'incident.owner',
        'incident.acknowledged_by',
        'incident.site_id',
        'host.site_id as host_site',
        'host.tags_folded as host_tags',
      ])
      .where('incident.id', 'in', ids)
      .execute()
    for (const row of rows)
      about.set(row.id, {
        ...{ siteId: row.host_site ?? row.site_id, tags: row.host_tags ?? '' },
        ...{ people: [row.owner, row.acknowledged_by], told: [] },
      })
  }
  const ended = alerts.flatMap(({ severity, incidentId }) =>
    severity === 'ok' && incidentId !== null ? incidentId : [],
  )
  for (const ids of batches(ended)) {
    const rows = await db
      .selectFrom('outbox')
      .select(eb => ['incident_id', 'severity_rank', eb.fn.min('id').as('id')])
      .where('incident_id', 'in', ids)
      .groupBy(['incident_id', 'severity_rank'])
      .execute()
    for (const row of rows) about.get(row.incident_id ?? 0)?.told.push({ id: Number(row.id), rank: row.severity_rank })
  }
  return new Map(
    alerts.map(({ id, severity, incidentId }) => {
      const known = incidentId === null ? undefined : about.get(incidentId)
      const told = known?.told.flatMap(one => (one.id < id ? (SEVERITIES[one.rank] ?? []) : [])) ?? null
      return [
        id,
        { severity, told, siteId: known?.siteId ?? null, tags: known?.tags ?? '', people: known?.people ?? [] },
      ]
    }),
  )
}

interface SettingRow {
  readonly error: 0 | 1
  readonly warning: 0 | 1
  readonly unknown: 0 | 1
  readonly recovery: 0 | 1
  readonly mine: 0 | 1
  readonly acts: 0 | 1
  readonly sites: string | null
  readonly quiet: string | null
}
const bit = (value: boolean): 0 | 1 => (value ? 1 : 0)
const columnsOf = (settings: AlertSettings): SettingRow => ({
  error: bit(settings.error),
  warning: bit(settings.warning),
  unknown: bit(settings.unknown),
  recovery: bit(settings.recovery),
  mine: bit(settings.mine),
  acts: bit(settings.acts),
  sites: settings.sites === null ? null : JSON.stringify(settings.sites),
  quiet: settings.quiet === null ? null : JSON.stringify(settings.quiet),
})
const settingsOf = (row: SettingRow): AlertSettings => {
  const sites: number[] | null = row.sites === null ? null : JSON.parse(row.sites)
  const quiet: QuietHours | null = row.quiet === null ? null : JSON.parse(row.quiet)
  return {
    error: row.error === 1,
    warning: row.warning === 1,
    unknown: row.unknown === 1,
    recovery: row.recovery === 1,
    mine: row.mine === 1,
    acts: row.acts === 1,
    quiet,
    sites,
  }
}

const requireSites = async (db: Db, viewer: Viewer, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  const seen = visibleSite(viewer, sql`site.id`)
  const rows = await db.selectFrom('site').select('id').where('id', 'in', ids).where(seen).execute()
  if (rows.length < new Set(ids).size) throw invalidField('sites', 'L’un de ces sites n’existe pas.')
}
