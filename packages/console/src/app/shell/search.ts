import {
  ABSENT,
  fold,
  INSIDE,
  MATCH_QUALITIES,
  placeOfWord,
  SEARCH_PER_KIND,
  type SearchKind,
  type SearchResult,
  START,
  searchWords,
  WORD,
} from '@narval/contracts'
import type { Rights } from '../../lib/rights.ts'
import type { PlacedLink } from '../menu.ts'
import { SEARCH_ACTIONS, type SearchAction, type SearchVerb, verbOf } from './search-actions.ts'
import { searchFr as words } from './search-fr.ts'
import { type SearchPage, searchPages } from './search-pages.ts'

/** What one may do, as far as it matters here. */
export type SearchRights = Pick<Rights, 'can' | 'canEverywhere' | 'canOn'>

/** One line of the list. */
export interface SearchOption {
  readonly key: string
  readonly label: string
  readonly detail: string
  readonly shown:
    | { readonly kind: 'page'; readonly page: SearchPage }
    | { readonly kind: 'action'; readonly action: SearchAction }
    | { readonly kind: 'object'; readonly object: SearchResult }
    | { readonly kind: 'act'; readonly verb: SearchVerb; readonly object: SearchResult }
    | { readonly kind: 'more' }
  /** Null: something is done instead. */
  readonly to: string | null
}

export interface SearchGroup {
  readonly key: string
  readonly label: string
  readonly options: readonly SearchOption[]
}

interface Matched<T> {
  readonly one: T
  readonly quality: number
}

const PAGES_MAX = 6
const ACTIONS_MAX = 8
/** Fewer letters than this would offer nearly all actions. */
const ACTION_LETTERS = 2

/** How well a name is found, or what else it is known by; as the server judges its objects. */
const judge = (terms: readonly string[], whole: string, name: string, also: string): number => {
  const [folded, others] = [fold(name), fold(also)]
  let worst = 0
  for (const word of terms) {
    const other = placeOfWord(others, word).quality
    const quality = Math.min(placeOfWord(folded, word).quality, other === INSIDE ? ABSENT : Math.max(other, WORD))
    worst = Math.max(worst, quality)
  }
  if (terms.length === 1 || worst === ABSENT) return worst
  return Math.min(Math.max(worst, WORD), placeOfWord(folded, whole).quality)
}

const matching = <T>(all: readonly T[], term: string, name: (one: T) => string, also: (one: T) => string) => {
  const terms = searchWords(term)
  const whole = terms.join(' ')
  if (terms.length === 0) return []
  return all
    .map((one): Matched<T> => ({ one, quality: judge(terms, whole, name(one), also(one)) }))
    .filter(({ quality }) => quality !== ABSENT)
    .toSorted((a, b) => a.quality - b.quality)
}

const bestOf = (all: readonly Matched<unknown>[]): number => Math.min(ABSENT, ...all.map(({ quality }) => quality))

const mayOpen = ({ claims = [], wide }: SearchPage, rights: SearchRights): boolean =>
  claims.length === 0 || (wide === true ? rights.canEverywhere(...claims) : rights.can(...claims))

const matchedPages = (links: readonly PlacedLink[], term: string, rights: SearchRights): Matched<SearchPage>[] => {
  // What is called just so comes first, then what stands alone in the menu; parts of words where nothing begins so.
  const order = ({ quality, one }: Matched<SearchPage>) => (quality <= START ? 0 : 2) + (one.group === null ? 0 : 1)
  const found = matching(
    searchPages(links).filter(page => mayOpen(page, rights)),
    term,
    page => page.label,
    page => `${page.group ?? ''} ${page.words ?? ''}`,
  )
  const hasBeginning = bestOf(found) <= WORD
  return found
    .filter(({ quality }) => !hasBeginning || quality <= WORD)
    .toSorted((a, b) => order(a) - order(b))
    .slice(0, PAGES_MAX)
}

/** Pages found by their name, the group they stand in, or other words for them. */
export const findPages = (links: readonly PlacedLink[], term: string, rights: SearchRights): SearchPage[] =>
  matchedPages(links, term, rights).map(({ one }) => one)

const matchedActions = (term: string, { can, canEverywhere }: SearchRights): Matched<SearchAction>[] =>
  fold(term).length < ACTION_LETTERS
    ? []
    : matching(
        SEARCH_ACTIONS.filter(({ claims, wide }) =>
          claims.every(claim => (wide === true ? canEverywhere(claim) : can(claim))),
        ),
        term,
        action => action.label,
        action => action.words,
      )
        .filter(({ quality }) => quality !== INSIDE)
        .slice(0, ACTIONS_MAX)

/** Actions that one may take. */
export const findActions = (term: string, rights: SearchRights): SearchAction[] =>
  matchedActions(term, rights).map(({ one }) => one)

const LINKS: Readonly<Record<SearchKind, string>> = {
  site: '/site',
  host: '/host',
  incident: '/dashboard/live-view/incident',
  metric: '/metric',
  scanner: '/scanner/edit',
  probe: '/probe/edit',
  model: '/host/model',
  user: '/user/edit',
  group: '/user/group',
}

/** Where a found object is shown. */
export const objectLink = ({ kind, id }: Pick<SearchResult, 'kind' | 'id'>): string => `${LINKS[kind]}/${id}`

/** The object that a page is about, as the server knows it again; null for any other page. */
export const objectOfPath = (pathname: string): string | null => {
  const [, base = '', id = ''] = /^(\/.+)\/(\d{1,10})$/.exec(pathname) ?? []
  const kind = Object.entries(LINKS).find(([, link]) => link === base)?.[0]
  return kind === undefined || Number(id) < 1 ? null : `${kind}:${Number(id)}`
}

const objectOption = (object: SearchResult): SearchOption => ({
  ...{ key: `${object.kind}:${object.id}`, label: object.name, detail: object.detail, to: objectLink(object) },
  shown: { kind: 'object', object },
})
const pageOption = (page: SearchPage): SearchOption => ({
  ...{ key: `page:${page.to}`, label: page.label, detail: page.group ?? page.under ?? '', to: page.to },
  shown: { kind: 'page', page },
})
const actionOption = (action: SearchAction): SearchOption => ({
  ...{ key: `action:${action.label}`, label: action.label, detail: '', to: 'to' in action ? action.to : null },
  shown: { kind: 'action', action },
})

const actOption = (verb: SearchVerb, object: SearchResult): SearchOption => ({
  ...{
    key: `${verb}:${object.kind}:${object.id}`,
    label: words.verbs[verb](object.name),
    detail: object.detail,
    to: null,
  },
  shown: { kind: 'act', verb, object },
})

const ACTS_MAX = 6
const mayAct = ({ kind, siteId, hostId }: SearchResult, { canOn }: SearchRights): boolean =>
  canOn({ siteId, hostId, partial: kind === 'site' && siteId === null }, 'incident_write')

/** What a term that begins with a verb does about each object that the rest of it finds, where one may. */
export const actGroup = (term: string, objects: readonly SearchResult[], rights: SearchRights): SearchGroup[] => {
  const said = verbOf(term)
  if (said === null) return []
  const about = objects.filter(object => said.kinds.includes(object.kind) && mayAct(object, rights)).slice(0, ACTS_MAX)
  const options = about.map(object => actOption(said.verb, object))
  return options.length === 0 ? [] : [{ key: 'act', label: words.acts, options }]
}

const hasMore = (kind: SearchKind): kind is keyof typeof words.more => Object.hasOwn(words.more, kind)
/** The list of a kind with the same search, where more may match than is shown: it forgives no fault. */
const moreOption = (kind: SearchKind, objects: readonly SearchResult[], term: string): readonly SearchOption[] => {
  const isWhole = objects.length < SEARCH_PER_KIND || objects.some(({ match }) => match === 'close')
  if (isWhole || !hasMore(kind) || searchWords(term).length > 1) return []
  const to = `${LINKS[kind]}?q=${encodeURIComponent(term.trim())}`
  return [{ key: `more:${kind}`, label: words.more[kind], detail: '', to, shown: { kind: 'more' } }]
}

/** Exact first; then names and words that begin so; then the rest. Within each, the order of `groupsOf`. */
const tierOf = (quality: number): number => (quality === 0 ? 0 : quality <= WORD ? 1 : 2)

/** What is shown for a term: pages, objects as the server found them by kind, actions; the kind with the best match first. */
export const groupsOf = (
  term: string,
  links: readonly PlacedLink[],
  rights: SearchRights,
  objects: readonly SearchResult[],
): SearchGroup[] => {
  const [pages, actions] = [matchedPages(links, term, rights), matchedActions(term, rights)]
  const kinds = [...Map.groupBy(objects, one => one.kind)].map(([kind, of]) => ({
    tier: tierOf(Math.min(...of.map(({ match }) => MATCH_QUALITIES.indexOf(match)))),
    group: {
      ...{ key: kind, label: words.kinds[kind] },
      options: [...of.map(objectOption), ...moreOption(kind, of, term)],
    },
  }))
  return [
    {
      tier: tierOf(bestOf(pages)),
      group: { key: 'page', label: words.pages, options: pages.map(({ one }) => pageOption(one)) },
    },
    ...kinds,
    {
      tier: tierOf(bestOf(actions)),
      group: { key: 'action', label: words.actions, options: actions.map(({ one }) => actionOption(one)) },
    },
  ]
    .toSorted((a, b) => a.tier - b.tier)
    .map(({ group }) => group)
    .filter(({ options }) => options.length > 0)
}

/** Objects that one has looked at lately. */
export const recentGroup = (objects: readonly SearchResult[]): SearchGroup[] =>
  objects.length === 0 ? [] : [{ key: 'recent', label: words.recent, options: objects.map(objectOption) }]
