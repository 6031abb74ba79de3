import { MATCH_QUALITIES, SEARCH_KINDS, SEARCH_PER_KIND, type SearchKind, type SearchResult } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import type { HostEntry, MetricEntry, ScannerEntry, SiteEntry } from '../../monitoring/fleet/model.ts'
import type { SearchRecord, SitePlace } from './search-records.ts'
import type { Hit } from './search-top.ts'

type Shown = Pick<SearchResult, 'id' | 'name' | 'detail' | 'siteId' | 'hostId'>

const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(Boolean).join(' · ')

const placed = ({ id, site }: HostEntry) => ({ siteId: site.id, hostId: id })

/** What is said of each kind of object beside its state. */
export const SHOWN = {
  /** `place` is left out of a site of which one sees some equipment only. */
  site: ({ id, name }: SiteEntry, place: SitePlace | undefined): Shown => ({
    ...{ id, name, detail: place?.shown ?? '', siteId: place === undefined ? null : id, hostId: null },
  }),
  host: (host: HostEntry): Shown => ({
    ...{ id: host.id, name: host.name, ...placed(host) },
    detail: joined(
      !host.enabled && 'désactivé',
      host.maintenance !== null && 'en maintenance',
      host.facts.address,
      host.site.name,
    ),
  }),
  metric: ({ id, name, scanner: { host } }: MetricEntry): Shown => ({
    ...{ id, name, detail: joined(host.name, host.site.name), ...placed(host) },
  }),
  /** An incident bears the name of what it is about. */
  incident: ({ incidentId, name, scanner: { host }, acknowledged }: MetricEntry): Shown => ({
    id: incidentId ?? 0,
    name: `${host.name}\u202f: ${name}`,
    detail: joined(acknowledged && 'acquitté', host.site.name),
    ...placed(host),
  }),
  scanner: ({ id, name, host, enabled }: ScannerEntry): Shown => ({
    ...{ id, name, detail: joined(!enabled && 'désactivé', host.name, host.site.name), ...placed(host) },
  }),
  record: ({ id, name, detail }: SearchRecord): Shown => ({ id, name, detail, siteId: null, hostId: null }),
} as const

/** What is answered of one. `quality`: place in `MATCH_QUALITIES`. */
export const resultOf = (
  kind: SearchKind,
  shown: Shown,
  severity: SearchResult['severity'],
  quality: number,
): SearchResult => ({ kind, ...shown, severity, match: MATCH_QUALITIES[quality] ?? 'close' })

export const resultsOf = <T>(kind: SearchKind, hits: readonly Hit<T>[], show: (one: T) => Shown): SearchResult[] =>
  hits.map(({ one, quality, severity }) => resultOf(kind, show(one), severity, quality))

const qualityOf = ({ match }: SearchResult): number => MATCH_QUALITIES.indexOf(match)
const rankOf = ({ severity }: SearchResult): number =>
  severity === null ? Number.POSITIVE_INFINITY : severityRank(severity)

/** By kinds, the one with the best match first; of each the best, those in the worst state first among them. */
export const byKind = (results: readonly SearchResult[]): SearchResult[] =>
  [...Map.groupBy(results, one => one.kind)]
    .map(([kind, of]) => {
      const sorted = of.toSorted(
        (a, b) => qualityOf(a) - qualityOf(b) || (rankOf(a) < rankOf(b) ? -1 : rankOf(a) > rankOf(b) ? 1 : 0),
      )
      return { place: SEARCH_KINDS.indexOf(kind), best: Math.min(...sorted.map(qualityOf)), sorted }
    })
    .toSorted((a, b) => a.best - b.best || a.place - b.place)
    .flatMap(({ sorted }) => sorted.slice(0, SEARCH_PER_KIND))
