import { type DatatableRequest, fold, PROBLEM_VIEWS } from '@narval/contracts'
import { SEVERITIES, severityRank } from '@narval/engine'
import { invalid } from '../http/refusal.ts'
import { type FilterValue, flagOf, idsOf, lengthOf, wordsOf } from '../store/datatable.ts'
import { firstOf } from './first-of.ts'
import { isActive, type MetricEntry, type Model } from './model.ts'

/**
 * The live view's list, from memory: what is wrong changes all the time, and a search of every metric in the database
 * held the event loop for 100 ms at 50,000 of them.
 */
export interface ProblemPage {
  readonly total: number
  readonly filtered: number
  readonly page: readonly MetricEntry[]
}

type Test = (metric: MetricEntry) => boolean
type Order = (a: MetricEntry, b: MetricEntry) => number
interface Column {
  readonly sort: (metric: MetricEntry) => string | number
  /** Text that is searched, without case and accents. */
  readonly search?: (metric: MetricEntry) => string
}

const text = (search: (metric: MetricEntry) => string): Column => ({ sort: search, search })
const COLUMNS: ReadonlyMap<string, Column> = new Map<string, Column>([
  ['id', { sort: metric => metric.id }],
  ['name', text(metric => metric.folded)],
  ['key', text(metric => metric.key)],
  ['unit', { sort: metric => metric.unit }],
  ['type', { sort: metric => metric.type }],
  ['hostName', text(metric => metric.scanner.host.folded)],
  ['siteName', text(metric => metric.scanner.host.site.folded)],
  ['scannerName', text(metric => metric.scanner.folded)],
  ['severity', { sort: metric => severityRank(metric.state.severity) }],
  ['since', { sort: metric => metric.state.sinceMs }],
  ['attempt', { sort: metric => metric.state.attempt }],
  ['information', text(metric => (metric.information === '' ? '' : fold(metric.information)))],
  ['acknowledgedBy', { sort: metric => Number(isAcknowledged(metric)) }],
])

/** What awaits its first result is no problem. */
const isProblem: Test = ({ state }) => state.severity !== 'ok' && state.cause !== 'pending'
const isAcknowledged: Test = metric => metric.acknowledged && metric.incidentId !== null

const VIEWS: ReadonlyMap<string, Test> = new Map<(typeof PROBLEM_VIEWS)[number], Test>([
  ['all', () => true],
  ['problems', isProblem],
  ['unhandled', metric => isProblem(metric) && !isAcknowledged(metric)],
])
const SEVERITY_WORDS = new Map(SEVERITIES.map(severity => [severity, severity]))

const oneOf = (value: FilterValue, idOf: (metric: MetricEntry) => number): Test => {
  const ids = new Set(idsOf(value))
  return metric => ids.has(idOf(metric))
}
const FILTERS: ReadonlyMap<string, (value: FilterValue) => Test> = new Map<string, (value: FilterValue) => Test>([
  ['id', value => oneOf(value, metric => metric.id)],
  ['hostId', value => oneOf(value, metric => metric.scanner.host.id)],
  ['siteId', value => oneOf(value, metric => metric.scanner.host.site.id)],
  ['scannerId', value => oneOf(value, metric => metric.scanner.id)],
  [
    'severity',
    value => {
      const wanted = new Set(wordsOf(value, SEVERITY_WORDS))
      return metric => wanted.has(metric.state.severity)
    },
  ],
  [
    'view',
    value => {
      const view = VIEWS.get(String(value))
      if (view === undefined) throw invalid([`Vue inconnue ; attendu : ${PROBLEM_VIEWS.join(', ')}.`])
      return view
    },
  ],
  [
    'acknowledged',
    value => {
      const wanted = flagOf(value)
      return metric => isAcknowledged(metric) === wanted
    },
  ],
])

const columnOf = (name: string): Column => {
  const column = COLUMNS.get(name)
  if (column === undefined) throw invalid([`La colonne « ${name.slice(0, 64)} » n'existe pas.`])
  return column
}

const contains = (columns: readonly string[], typed: string): Test => {
  const term = fold(typed)
  const targets = columns.flatMap(name => columnOf(name).search ?? [])
  return metric => targets.some(textOf => textOf(metric).includes(term))
}

const testsOf = (request: DatatableRequest): Test[] => {
  const tests: Test[] = []
  for (const [name, value] of Object.entries(request.filters)) {
    const filter = FILTERS.get(name)
    if (filter === undefined) throw invalid([`Le filtre « ${name} » n'existe pas.`])
    tests.push(filter(value))
  }
  for (const { data, search } of request.columns) {
    const column = columnOf(data)
    if (search.value.trim() !== '' && column.search !== undefined) tests.push(contains([data], search.value.trim()))
  }
  const searched =
    request.columns.length === 0
      ? [...COLUMNS.keys()]
      : request.columns.filter(column => column.searchable).map(column => column.data)
  const term = request.search.value.trim()
  return term === '' ? tests : [...tests, contains(searched, term)]
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)
/** Worst first, then the newest. */
const DEFAULT_ORDER: Order = (a, b) =>
  severityRank(a.state.severity) - severityRank(b.state.severity) || b.state.sinceMs - a.state.sinceMs

const orderOf = (request: DatatableRequest): Order => {
  const parts = request.order.map(({ column, dir }): Order => {
    const asked = request.columns[column]
    if (asked === undefined) throw invalid([`La colonne de tri n° ${column} n'existe pas.`])
    const { sort } = columnOf(asked.data)
    return dir === 'asc' ? (a, b) => compare(sort(a), sort(b)) : (a, b) => compare(sort(b), sort(a))
  })
  const orders = parts.length === 0 ? [DEFAULT_ORDER] : parts
  // The id last, so that pages neither repeat nor skip rows.
  return (a, b) => {
    for (const order of orders) {
      const by = order(a, b)
      if (by !== 0) return by
    }
    return a.id - b.id
  }
}

/**
 * One page by DataTables' protocol, over the active metrics of the sites that one may see. Some 5 ms at 50,000 metrics.
 * @throws Refusal for columns, filters and views that do not exist.
 */
export const listProblems = (
  model: Model,
  request: DatatableRequest,
  sees: (siteId: number) => boolean,
): ProblemPage => {
  const tests = testsOf(request)
  const length = lengthOf(request)
  const first = firstOf(request.start + length, orderOf(request))
  let [total, filtered] = [0, 0]
  for (const metric of model.metrics.values()) {
    if (!isActive(metric) || !sees(metric.scanner.host.site.id)) continue
    total += 1
    if (!tests.every(test => test(metric))) continue
    filtered += 1
    first.offer(metric)
  }
  return { total, filtered, page: first.take().slice(request.start, request.start + length) }
}
