import { AVAILABILITY_KEY, type DatatableRequest, PROBLEM_VIEWS } from '@narval/contracts'
import { invalid } from '../http/refusal.ts'
import { type FilterValue, flagOf } from '../store/datatable.ts'
import {
  type Held,
  type MemoryColumn,
  type MemoryList,
  type MemoryPage,
  matchedInMemory,
  pageInMemory,
  type Test,
} from '../store/memory-list.ts'
import { rootIncident } from './dependency.ts'
import { METRIC_COLUMNS, METRIC_FILTERS, METRIC_LIVE } from './fleet/metric-memory.ts'
import { type HostEntry, isActive, type MetricEntry, type Model } from './fleet/model.ts'
import { isProblem } from './live.ts'

const isAcknowledged: Test<MetricEntry> = metric => metric.acknowledged && metric.incidentId !== null

/**
 * Its incident is acknowledged, or the one that explains why nothing is known of it: its scanner's, its host's, that of what
 * cuts it off. The last is looked for once a host, for one question: a site that falls has thousands of such metrics.
 */
const takenCareOf = (): Test<MetricEntry> => {
  const cutOffs = new Map<HostEntry, boolean>()
  const isCutCared = (host: HostEntry): boolean => {
    const known = cutOffs.get(host)
    if (known !== undefined) return known
    const isCared = rootIncident(host)?.metric.acknowledged === true
    cutOffs.set(host, isCared)
    return isCared
  }
  return metric => {
    if (isAcknowledged(metric)) return true
    const { state, scanner, incidentId } = metric
    if (incidentId !== null) return false
    const { life } = scanner.host
    if (life !== null && life !== metric && isAcknowledged(life)) return true
    if (state.severity !== 'unknown') return false
    const availability = scanner.metrics.get(AVAILABILITY_KEY)
    if (availability !== undefined && isAcknowledged(availability)) return true
    return state.cause === 'host-unreachable' && isCutCared(scanner.host)
  }
}

const unhandled = (): Test<MetricEntry> => {
  const isTakenCareOf = takenCareOf()
  return metric => isProblem(metric) && metric.maintenance === null && !isTakenCareOf(metric)
}

type View = (typeof PROBLEM_VIEWS)[number]
const VIEWS: ReadonlyMap<string, () => Test<MetricEntry>> = new Map<View, () => Test<MetricEntry>>([
  ['all', () => () => true],
  ['problems', () => isProblem],
  ['unhandled', unhandled],
])

const viewOf = (value: FilterValue): Test<MetricEntry> => {
  const view = VIEWS.get(String(value))
  if (view === undefined) throw invalid([`Vue inconnue ; attendu : ${PROBLEM_VIEWS.join(', ')}.`])
  return view()
}
const acknowledgedOf = (value: FilterValue): Test<MetricEntry> => {
  const wanted = flagOf(value)
  return metric => isAcknowledged(metric) === wanted
}

/** The live view's list: what is wrong changes all the time. */
const PROBLEMS: MemoryList<MetricEntry> = {
  columns: new Map<string, MemoryColumn<MetricEntry>>([
    ...METRIC_COLUMNS,
    ['acknowledgedBy', { sort: metric => Number(isAcknowledged(metric)) }],
  ]),
  filters: new Map<string, (value: FilterValue) => Test<MetricEntry>>([
    ...METRIC_FILTERS,
    ['view', viewOf],
    ['acknowledged', acknowledgedOf],
  ]),
  live: new Set([...METRIC_LIVE, 'acknowledgedBy', 'acknowledged', 'view']),
  /** Worst first, then the newest. */
  order: [
    ['severity', 'asc'],
    ['since', 'desc'],
  ],
}

const heldBy = (model: Model, sees: (host: HostEntry) => boolean): Held<MetricEntry> => ({
  list: PROBLEMS,
  all: model.metrics.values(),
  visible: metric => isActive(metric) && sees(metric.scanner.host),
})

/**
 * One page by DataTables' protocol, over the active metrics that one may see. Some 5 ms at 50,000 metrics.
 * @throws Refusal for columns, filters and views that do not exist.
 */
export const listProblems = (
  model: Model,
  request: DatatableRequest,
  sees: (host: HostEntry) => boolean,
): MemoryPage<MetricEntry> => pageInMemory(heldBy(model, sees), request)

/** All that such a request matches, whatever its page. */
export const matchingProblems = (
  model: Model,
  request: DatatableRequest,
  sees: (host: HostEntry) => boolean,
): readonly MetricEntry[] => matchedInMemory(heldBy(model, sees), request).found
