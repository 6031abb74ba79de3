import type { RuleKind } from '@narval/contracts'
import type { IncidentView, Severity } from '@narval/engine'
import type { HostEntry, MetricEntry, Model } from '../fleet/model.ts'
import { failsSince } from '../incident/incident-reopening.ts'
import { severityOf } from '../monitoring.store.ts'
import { PROBE_TITLES } from '../texts.ts'
import type { Subject } from './notification-match.ts'
import type { IncidentRow } from './notifier.store.ts'

/** An incident with what rules and messages ask of it. */
export interface Facts {
  readonly id: number
  readonly row: IncidentRow
  readonly kind: RuleKind
  readonly severity: Severity
  readonly title: string
  readonly siteId: number | null
  readonly siteName: string | null
  readonly host: HostEntry | null
  readonly metric: MetricEntry | null
  /** Itself, and all that it explains. */
  readonly subjects: readonly Subject[]
  /** Merged, in maintenance, or so young that its rule tells nobody yet. */
  readonly muted: boolean
  readonly unreachable: number
  /** Since when it fails without a break, epoch ms. */
  readonly failingMs: number
}

export type InMaintenance = (metric: MetricEntry | null, host: HostEntry | null) => boolean

/** What is known of these incidents: those that another one explains count among what it is about. */
export const factsOf = (
  model: Model,
  rows: readonly IncidentRow[],
  effects: ReadonlyMap<number, readonly number[]>,
  inMaintenance: InMaintenance,
  nowMs: number,
): Map<number, Facts> => {
  const children = Map.groupBy(
    rows.filter(row => row.parent_id !== null && row.closed_at === null),
    row => row.parent_id ?? 0,
  )
  return new Map(
    rows.map(row => {
      const own = placeOf(model, row)
      const cut = (effects.get(row.id) ?? []).flatMap(id => model.hosts.get(id) ?? [])
      const merged = (children.get(row.id) ?? []).map(child => placeOf(model, child).subject)
      const facts: Facts = {
        ...{ id: row.id, row, kind: own.subject.kind, severity: severityOf(row.severity_rank), title: own.title },
        ...{ siteId: own.subject.siteId, host: own.host, metric: own.metric, unreachable: cut.length },
        failingMs: failsSince(row),
        siteName: model.sites.get(own.subject.siteId ?? 0)?.name ?? null,
        subjects: [own.subject, ...merged, ...cut.map(host => subjectOf('host', host))],
        muted:
          row.parent_id !== null ||
          isTooYoung(row, own.metric, nowMs) ||
          (row.kind === 'metric' && inMaintenance(own.metric, own.host)),
      }
      return [row.id, facts]
    }),
  )
}

/** True while the rule of its metric (`firstNotificationMinutes`) still waits whether it ends by itself. */
const isTooYoung = (row: IncidentRow, metric: MetricEntry | null, nowMs: number): boolean =>
  metric !== null && nowMs - failsSince(row) < metric.rules.firstNotificationMinutes * 60_000

export const subjectOf = (kind: RuleKind, { site, facts }: HostEntry): Subject => ({
  ...{ kind, siteId: site.id, hostTypeId: facts.typeId, tags: facts.tags },
})

const placeOf = (model: Model, row: IncidentRow) => {
  if (row.kind === 'probe' || row.kind === 'link') {
    const title =
      row.kind === 'probe' ? PROBE_TITLES.offline(row.probe_name ?? '') : PROBE_TITLES.linkBlamed(row.probe_name ?? '')
    const subject: Subject = { kind: row.kind, siteId: row.probe_site_id, hostTypeId: null, tags: '' }
    return { title, subject, host: null, metric: null }
  }
  const metric = model.metrics.get(row.metric_id ?? 0) ?? null
  const host = metric?.scanner.host ?? model.hosts.get(row.host_id ?? 0) ?? null
  if (host === null) {
    const subject: Subject = { kind: 'metric', siteId: row.site_id, hostTypeId: null, tags: '' }
    return { title: 'Équipement supprimé', subject, host: null, metric }
  }
  const isLife = metric !== null && metric === host.life
  return {
    title: failureTitle(host, metric, isLife),
    ...{ subject: subjectOf(isLife ? 'host' : 'metric', host), host, metric },
  }
}

/** « routeur-1 indisponible », « routeur-1 : Charge CPU ». */
export const failureTitle = (host: HostEntry, metric: MetricEntry | null, isLife: boolean): string =>
  metric === null || isLife ? `${host.name} indisponible` : `${host.name}\u202f: ${metric.name}`

/** As the planner sees it; `covered`: what the rule is about, now. */
export const viewOf = ({ id, row, severity, muted, failingMs }: Facts, covered: boolean): IncidentView => ({
  id,
  severity,
  closed: row.closed_at !== null,
  acknowledged: row.acknowledged_at !== null,
  muted: muted || (!covered && row.closed_at === null),
  flapping: row.flapping === 1,
  failingMs,
})
