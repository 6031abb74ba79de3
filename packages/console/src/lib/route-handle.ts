import { CLAIMS, type Claim } from '@narval/contracts'

/** What a route says of itself in its `handle`. */
export interface RouteHandle {
  /** Name in the breadcrumb; of the last level also the page's and the tab's title. A function gets the loader's data. */
  readonly title?: string | ((data: unknown) => string)
  /** The page opens to accounts that hold one of these, or `admin` (spec §6). */
  readonly claim?: Claim | readonly Claim[]
  /** The claim must be held without limit: what the page shows is everybody's. */
  readonly wide?: true
  /** False for a level that is no page of its own: its name is no link. */
  readonly link?: boolean
}

/** What is used of React Router's matches. */
export interface HandledMatch {
  readonly pathname: string
  readonly handle: unknown
  readonly loaderData?: unknown
}

export interface Crumb {
  readonly name: string
  readonly path: string
  readonly link: boolean
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isTitle = (value: unknown): value is (data: unknown) => string => typeof value === 'function'
const isClaim = (value: unknown): value is Claim => CLAIMS.some(claim => claim === value)

/** The levels of the current page that have a name. */
export const crumbsOf = (matches: readonly HandledMatch[]): Crumb[] =>
  matches.flatMap(({ handle, pathname, loaderData }) => {
    if (!isRecord(handle)) return []
    const { title } = handle
    const name = typeof title === 'string' ? title : isTitle(title) ? title(loaderData) : null
    return name === null ? [] : [{ name, path: pathname, link: handle.link !== false }]
  })

/** The claims that each level asks: one of each list must be held; with `wide`, of the levels alone where without limit. */
export const claimsOf = (matches: readonly HandledMatch[], wide = false): (readonly Claim[])[] =>
  matches.flatMap(({ handle }) => {
    if (!isRecord(handle) || (wide && handle.wide !== true)) return []
    const wanted = [handle.claim].flat().filter(isClaim)
    return wanted.length === 0 ? [] : [wanted]
  })
