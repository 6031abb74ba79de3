import { type MaintenanceReport, maintenanceReport, type NotificationMessage } from '@narval/contracts'
import { worst } from '@narval/engine'
import type { Database } from '../../store/database.ts'
import { enqueueDeliveries, type NewDelivery } from '../../store/deliveries.ts'
import type { People, StoredRule } from '../../store/notification-rules.ts'
import { toIso } from '../../store/time.ts'
import type { Model } from '../fleet/model.ts'
import { periodsAt, refusalsOf } from './notification-match.ts'
import { recipientsOf } from './notification-recipients.ts'
import { MAX_NAMED } from './notification-text.ts'
import { subjectOf } from './notifier-facts.ts'

interface ReportDeps {
  readonly database: Database
  readonly model: Model
  readonly onQueued: () => void
}
interface Known {
  readonly rules: readonly StoredRule[]
  readonly people: People
  readonly siteParents: ReadonlyMap<number, number | null>
}

/** A report waits so long for the period of a rule. */
const WAITS_MS = 24 * 3_600_000

/** What maintenances left broken, told once to those whose rules are about it. */
export const createReports = ({ database, model, onQueued }: ReportDeps) => {
  /** Queued since the start, by run and rule; what was queued before it is known by its key. */
  const done = new Set<string>()
  return async ({ rules, people, siteParents }: Known, nowMs: number): Promise<void> => {
    const runs = await database.db
      .selectFrom('maintenance_run')
      .select(['id', 'maintenance_id', 'comment', 'ended_at', 'report'])
      .where('ended_at', '>=', nowMs - WAITS_MS)
      .where('report', 'is not', null)
      .execute()
    const periods = periodsAt(rules, nowMs)
    for (const run of runs) {
      const report = maintenanceReport.safeParse(JSON.parse(run.report ?? 'null'))
      if (!report.success || report.data.brokenCount === 0) continue
      const message = messageOf({ ...run, endedMs: run.ended_at ?? nowMs }, report.data)
      for (const rule of rules) {
        const key = `${run.id}-${rule.id}`
        const period = periods.get(rule.id)
        if (done.has(key) || period === undefined) continue
        const isAbout = report.data.broken.some(({ hostId, metricId, severity }) => {
          const host = model.hosts.get(hostId)
          if (host === undefined) return false
          const subject = subjectOf(host.life?.id === metricId ? 'host' : 'metric', host)
          return refusalsOf(rule, [subject], severity, siteParents, period).length === 0
        })
        if (!isAbout) continue
        await queue(database, deliveriesOf(rule, people, message, run.id, nowMs), nowMs)
        done.add(key)
        onQueued()
      }
    }
  }
}

const queue = (database: Database, deliveries: readonly NewDelivery[], nowMs: number): Promise<void> =>
  database.db.transaction().execute(trx => enqueueDeliveries(trx, deliveries, nowMs))

/** To those of the first step: nobody is to be woken in turn for a report. */
const deliveriesOf = (
  rule: StoredRule,
  people: People,
  message: NotificationMessage,
  runId: number,
  nowMs: number,
): NewDelivery[] => {
  const [first] = rule.steps
  if (first === undefined) return []
  return recipientsOf(first, people)
    .filter(({ told }) => told)
    .map(({ channelId, accountId }) => ({
      // Without the rule: whom two rules name is told once.
      ...{ key: `maintenance-${runId}-${channelId}-${accountId ?? 0}`, incidentId: null, channelId, accountId },
      ...{ ruleId: rule.id, ruleName: rule.name, message, dueMs: nowMs },
      reason: `Pourquoi vous\u202f: règle «\u202f${rule.name}\u202f», bilan d’une maintenance de ce qu’elle concerne.`,
    }))
}

const messageOf = (
  run: { readonly maintenance_id: number | null; readonly comment: string; readonly endedMs: number },
  { broken, brokenCount, stillBrokenCount, back }: MaintenanceReport,
): NotificationMessage => {
  const named = broken.slice(0, MAX_NAMED).map(({ name }) => name)
  const rest = brokenCount - named.length
  const some = (count: number, one: string, more: string): string => `${count} ${count > 1 ? more : one}`
  return {
    kind: 'maintenance-report',
    subject: `[Fin de maintenance] ${run.comment}\u202f: ${some(brokenCount, 'métrique n’est pas revenue', 'métriques ne sont pas revenues')}`,
    severity: worst(broken.map(({ severity }) => severity)),
    at: toIso(run.endedMs),
    link:
      run.maintenance_id === null
        ? '/dashboard/live-view/maintenance'
        : `/dashboard/live-view/maintenance/${run.maintenance_id}`,
    text: [
      `N’ont pas retrouvé leur état d’avant\u202f: ${named.join(', ')}${rest > 0 ? ` et ${rest} de plus` : ''}.`,
      ...(stillBrokenCount > 0 ? [`En panne avant la maintenance, et encore\u202f: ${stillBrokenCount}.`] : []),
      `Tout va bien pour ${some(back, 'autre métrique', 'autres métriques')}.`,
    ],
    incidents: [],
  }
}
