import type { NotificationGroup, notificationRoutes, QueryInput } from '@narval/contracts'
import { SEVERITIES, type Severity } from '@narval/engine'
import { idOf } from '../../lib/address.ts'

const HOUR_MS = 3_600_000
const PERIODS_MS = { all: null, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const
export type Period = keyof typeof PERIODS_MS
export const PERIODS: readonly Period[] = ['all', '24h', '7d', '30d']

/** Longest search. */
const WORDS_LENGTH = 200

/** What a reader chose, as the address has it. */
export interface NotificationFilters {
  readonly unread: boolean
  readonly severity: Severity | null
  readonly siteId: number | null
  readonly period: Period
  /** Words of titles and texts; '': any. */
  readonly words: string
}

/** What is unknown is left out, so that an old or mistyped link still opens. */
export const readFilters = (params: URLSearchParams): NotificationFilters => ({
  unread: params.get('unread') === 'true',
  severity: SEVERITIES.find(one => one === params.get('severity')) ?? null,
  siteId: idOf(params.get('site')),
  period: PERIODS.find(one => one === params.get('period')) ?? 'all',
  words: (params.get('words') ?? '').slice(0, WORDS_LENGTH),
})
export const isFiltered = ({ severity, siteId, period, words }: NotificationFilters): boolean =>
  severity !== null || siteId !== null || period !== 'all' || words !== ''

/** The filters as the server takes them. */
export const filterQuery = (
  { unread, severity, siteId, period, words }: NotificationFilters,
  nowMs: number,
): QueryInput<typeof notificationRoutes.groups> => {
  const ms = PERIODS_MS[period]
  return {
    ...(unread ? { unread: 'true' } : {}),
    ...(severity === null ? {} : { severity }),
    ...(siteId === null ? {} : { site: String(siteId) }),
    ...(words === '' ? {} : { words }),
    ...(ms === null ? {} : { from: new Date(nowMs - ms).toISOString() }),
  }
}

/** Pages overlap where a group went up since the first was asked for: each incident is shown once, where it is newest. */
export const joinPages = (pages: readonly { readonly groups: readonly NotificationGroup[] }[]): NotificationGroup[] => {
  const seen = new Set<number>()
  return pages
    .flatMap(page => page.groups)
    .filter(group => {
      const key = group.incident?.id ?? -group.place
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
}
