import { WALL_VIEWS, type WallView } from '@narval/contracts'

/** What a wall shows, as its address says it. */
export interface WallChoice {
  readonly views: readonly WallView[]
  /** How long each page stays. */
  readonly seconds: number
  readonly theme: 'dark' | 'light'
}

export const WALL_SECONDS = [10, 20, 30, 60] as const
const SECONDS = { least: 5, most: 600, unasked: 20 }
export const WALL_UNASKED: WallChoice = { views: WALL_VIEWS, seconds: SECONDS.unasked, theme: 'dark' }

/** The choice in an address; what is unknown or out of bounds is left out, so that a wall always shows something. */
export const readWallChoice = (params: URLSearchParams): WallChoice => {
  const named = (params.get('views') ?? '').split(',')
  const views = WALL_VIEWS.filter(view => named.includes(view))
  const asked = params.get('every') ?? ''
  const seconds = /^\d{1,3}$/.test(asked)
    ? Math.min(SECONDS.most, Math.max(SECONDS.least, Number(asked)))
    : SECONDS.unasked
  return {
    views: views.length === 0 ? WALL_VIEWS : views,
    seconds,
    theme: params.get('theme') === 'light' ? 'light' : 'dark',
  }
}

/** The choice as the query of an address, '' when it is the usual one. */
export const wallQuery = ({ views, seconds, theme }: WallChoice): string => {
  const query = new URLSearchParams({
    ...(views.length < WALL_VIEWS.length && { views: views.join(',') }),
    ...(seconds !== SECONDS.unasked && { every: String(seconds) }),
    ...(theme === 'light' && { theme }),
  })
  return query.size === 0 ? '' : `?${query.toString().replaceAll('%2C', ',')}`
}

/** One page of one view: what is on the wall for some seconds. */
export interface WallSlide {
  readonly view: WallView
  /** From 0. */
  readonly page: number
  readonly pages: number
}

/** Everything that a wall shows in turn; each view has a page even when it has nothing to show. */
export const slidesOf = (views: readonly WallView[], pages: Readonly<Record<WallView, number>>): readonly WallSlide[] =>
  views.flatMap(view => {
    const count = Math.max(1, pages[view])
    return Array.from({ length: count }, (_, page) => ({ view, page, pages: count }))
  })

/** The rows of a page. */
export const rowsOfPage = <T>(rows: readonly T[], page: number, perPage: number): readonly T[] =>
  rows.slice(page * perPage, (page + 1) * perPage)

/** Words older than this are said to be; sooner once a question has failed. */
const FROZEN_MS = 7_000
const FROZEN_FAILED_MS = 4_000

/** Whether what the wall shows is no longer what is: within 10 s of the last answer, whatever has stopped. */
export const isFrozen = (silentMs: number, failed: boolean): boolean =>
  silentMs > (failed ? FROZEN_FAILED_MS : FROZEN_MS)
