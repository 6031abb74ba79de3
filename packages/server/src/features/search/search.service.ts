import { grants, SEARCH_KINDS, type SearchKind, type SearchResult, WORD } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import type { Changes } from '../../changes.ts'
import { type Viewer, where } from '../../http/caller.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { seesHost, seesSite, seesSome } from '../../store/visible.ts'
import { type FleetView, searchFleet } from './search-fleet.ts'
import { createRecall } from './search-recall.ts'
import { createSearchRecords, type ProbeIncident, type SearchRecord } from './search-records.ts'
import { byKind, resultsOf, SHOWN } from './search-results.ts'
import { createTop } from './search-top.ts'
import { atMost, better, type Sought, soughtOf } from './sought.ts'

/** Kinds that one finds with a claim only; the others by where they stand. */
const CLAIMS = {
  scanner: 'scanner_read',
  model: 'scanner_read',
  probe: 'probe_write',
  user: 'user_read',
  group: 'user_group_read',
} as const
const RECORD_KINDS = ['probe', 'model', 'user', 'group'] as const

const isClaimed = (kind: SearchKind): kind is keyof typeof CLAIMS => Object.hasOwn(CLAIMS, kind)
const mayFind = ({ claims }: Viewer, kind: SearchKind): boolean => !isClaimed(kind) || grants(claims, CLAIMS[kind])

const PROBE_SEVERITIES = { online: 'ok', offline: 'error', pending: 'warning', revoked: null } as const

const judge = (sought: Sought, { folded, also }: SearchRecord): number =>
  sought.judge(folded, better(sought.in(folded), atMost(sought.inProse(also), WORD)), sought.nowhere)

/** The search of everything: asked at each key, under 50 ms at 10,000 hosts (`bench/search.bench.ts`). */
export const createSearchService = (database: Database, monitoring: Monitoring, changes: Changes) => {
  const { model, presence } = monitoring
  const records = createSearchRecords(database, changes)
  const probeSeverity = (id: number): Severity | null => PROBE_SEVERITIES[presence.state(id)]

  /** Values are looked for in the database, by the whole term; one letter would be in most of them. */
  const viewOf = async (viewer: Viewer, kinds: ReadonlySet<SearchKind>, term: string): Promise<FleetView> => {
    const valued = async (scope: 'site' | 'host') =>
      kinds.has(scope) && term.length > 1 ? records.valued(viewer, term, scope) : new Set<number>()
    const [places, site, host] = await Promise.all([records.places(), valued('site'), valued('host')])
    return {
      ...{ kinds, places, valued: { site, host } },
      seesSite: seesSite(viewer),
      seesSome: seesSome(viewer),
      seesHost: seesHost(viewer),
      seesScanners: seesHost(where(viewer, CLAIMS.scanner)),
    }
  }
  const findRecords = async (kinds: ReadonlySet<SearchKind>, sought: Sought): Promise<SearchResult[]> => {
    const found: SearchResult[] = []
    for (const kind of RECORD_KINDS.filter(one => kinds.has(one))) {
      const top = createTop<SearchRecord>(({ id }) => (kind === 'probe' ? probeSeverity(id) : null))
      for (const one of await records[kind]()) top.offer(one, judge(sought, one))
      found.push(...resultsOf(kind, top.take(), SHOWN.record))
    }
    return found
  }
  const findProbeIncidents = async (viewer: Viewer, sought: Sought): Promise<SearchResult[]> => {
    const top = createTop<ProbeIncident>(({ severity }) => severity)
    for (const one of await records.probeIncidents(viewer)) top.offer(one, judge(sought, one))
    return resultsOf('incident', top.take(), SHOWN.record)
  }
  return {
    /** The best of each kind that one may see; empty where nothing is sought. */
    async find(viewer: Viewer, term: string, only?: SearchKind): Promise<SearchResult[]> {
      const sought = soughtOf(term)
      if (sought.isEmpty) return []
      const kinds = new Set(SEARCH_KINDS.filter(kind => (only ?? kind) === kind && mayFind(viewer, kind)))
      const view = await viewOf(viewer, kinds, term.trim())
      const fleet = await searchFleet(model, sought, view)
      return byKind([
        ...resultsOf('site', fleet.site.take(), site =>
          SHOWN.site(site, view.seesSite(site.id) ? view.places.get(site.id) : undefined),
        ),
        ...resultsOf('host', fleet.host.take(), SHOWN.host),
        ...resultsOf('incident', fleet.incident.take(), SHOWN.incident),
        ...(kinds.has('incident') ? await findProbeIncidents(viewer, sought) : []),
        ...resultsOf('metric', fleet.metric.take(), SHOWN.metric),
        ...resultsOf('scanner', fleet.scanner.take(), SHOWN.scanner),
        ...(await findRecords(kinds, sought)),
      ])
    },
    recall: createRecall({ model, records, probeSeverity, mayFind }),
  }
}
export type SearchService = ReturnType<typeof createSearchService>
