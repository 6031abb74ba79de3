import {
  type DatatableReply,
  type DatatableRequest,
  fold,
  SERVICE_KINDS,
  SERVICE_STATES,
  type Service,
  type ServiceDetail,
  type ServiceStorage,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import type { Forms, KnownService, ServiceRegistry } from '../../services/service-registry.ts'
import type { Storage } from '../../services/storage.ts'
import type { FilterValue } from '../../store/datatable.ts'
import { amongWords } from '../../store/memory-filters.ts'
import { type MemoryColumn, type MemoryList, pageInMemory, type Test, textColumn } from '../../store/memory-list.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { seesAll, seesSite } from '../../store/visible.ts'

export interface ServiceDeps {
  readonly registry: Pick<ServiceRegistry, 'all'>
  readonly storage: Pick<Storage, 'told'>
}

/** The gravest first. */
const RANKS = { error: 0, warning: 1, unknown: 2, ok: 3, off: 4 } as const
const kindOf = (one: KnownService) => (one.probe === null ? 'internal' : 'probe')

const LIST: MemoryList<KnownService> = {
  columns: new Map<string, MemoryColumn<KnownService>>([
    ['id', { sort: one => one.id }],
    ['name', textColumn(one => fold(one.name))],
    ['kind', { sort: kindOf }],
    ['state', { sort: one => RANKS[one.status.state] }],
    ['reason', textColumn(one => fold(one.status.reason))],
    ['since', { sort: one => one.sinceMs }],
    ['version', { sort: one => one.version }],
    ['rate', { sort: one => one.status.rate ?? null }],
    ['queue', { sort: one => one.status.queue ?? null }],
    ['lastError', { sort: one => one.errors[0]?.atMs ?? null, search: one => fold(one.errors[0]?.text ?? '') }],
  ]),
  filters: new Map<string, (value: FilterValue) => Test<KnownService>>([
    ['kind', amongWords(SERVICE_KINDS, kindOf)],
    ['state', amongWords(SERVICE_STATES, one => one.status.state)],
  ]),
  order: [['state', 'asc']],
  live: new Set(),
}

/** What is known of the server's own parts and of probes; of these, those that one may see. */
export const createServiceService = ({ registry, storage }: ServiceDeps) => {
  const seen = (viewer: Viewer): Test<KnownService> => {
    const [all, sees] = [seesAll(viewer), seesSite(viewer)]
    return ({ probe }) => probe === null || (probe.siteId === null ? all : sees(probe.siteId))
  }
  return {
    list: (viewer: Viewer): Service[] => registry.all().filter(seen(viewer)).map(shown),
    get(viewer: Viewer, id: number): ServiceDetail {
      const found = registry.all().find(one => one.id === id)
      if (found === undefined || !seen(viewer)(found)) throw notFound('Ce service n’existe pas.')
      return {
        ...shown(found),
        figures: [...(found.status.figures ?? [])],
        errors: found.errors.map(({ atMs, text, count }) => ({ at: toIso(atMs), text, count })),
      }
    },
    datatable(viewer: Viewer, request: DatatableRequest): DatatableReply<Service> {
      const held = { list: LIST, all: registry.all(), visible: seen(viewer) }
      const { total, filtered, page } = pageInMemory(held, request)
      return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data: page.map(shown) }
    },
    storage: (): ServiceStorage => storage.told(),
  }
}
export type ServiceService = ReturnType<typeof createServiceService>

/** As French counts: several from two on. */
const agreed = ([one, many]: Forms, count: number | null | undefined): string => ((count ?? 0) >= 2 ? many : one)

const shown = (one: KnownService): Service => {
  const { status, errors, probe } = one
  const [error] = errors
  return {
    ...{ id: one.id, name: one.name, kind: kindOf(one), role: one.role, state: status.state, reason: status.reason },
    ...{ since: toIsoOrNull(one.sinceMs), version: one.version },
    ...{ rate: status.rate ?? null, rateOf: agreed(one.rateOf, status.rate) },
    ...{ queue: status.queue ?? null, queueOf: agreed(one.queueOf, status.queue) },
    lastError: error === undefined ? null : { at: toIso(error.atMs), text: error.text, count: error.count },
    probeId: probe?.id ?? null,
  }
}
