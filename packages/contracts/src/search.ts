import * as z from 'zod/mini'
import { route } from './route.ts'
import { idValue, nullableId } from './schema.ts'
import { MATCH_QUALITIES, SEARCH_TERM_MAX } from './search-match.ts'
import { severity } from './state.ts'

/** What is found, in the order in which kinds that match as well are shown. */
export const SEARCH_KINDS = [
  'site',
  'host',
  'incident',
  'metric',
  'scanner',
  'probe',
  'model',
  'user',
  'group',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Of each kind, the best so many are answered. */
export const SEARCH_PER_KIND = 8
/** Objects that one call may ask for again. */
export const SEARCH_RECALL_MAX = 20

const kind = z.enum(SEARCH_KINDS)

/** What the search box finds: objects with their state, as far as one may see them; pages and actions are found by the console itself. */
export const searchResult = z.object({
  kind,
  id: idValue,
  name: z.string(),
  /** Where it is, and what tells it from others of its name. */
  detail: z.string(),
  /** Null: it has none. */
  severity: z.nullable(severity),
  /** The site that it is or stands on, where one sees all of it, and the equipment that it is or is of: where rights are asked. */
  siteId: nullableId,
  hostId: nullableId,
  /** How well its worst word was found. */
  match: z.enum(MATCH_QUALITIES),
})
export type SearchResult = z.output<typeof searchResult>

const OBJECT = new RegExp(`^(?:${SEARCH_KINDS.join('|')}):[1-9]\\d{0,9}$`)
const isObjects = (text: string): boolean => {
  const all = text.split(',')
  return all.length <= SEARCH_RECALL_MAX && all.every(one => OBJECT.test(one))
}

export const searchRoutes = {
  search: route({
    method: 'GET',
    path: '/api/Search',
    access: 'user',
    summary: 'Chercher sites, équipements, incidents ouverts, métriques, scanners, sondes, modèles et comptes',
    query: z.object({ term: z.string().check(z.maxLength(SEARCH_TERM_MAX)), kind: z.optional(kind) }),
    reply: z.array(searchResult),
  }),
  recall: route({
    method: 'GET',
    path: '/api/Search/Recall',
    access: 'user',
    summary: 'Relire des objets trouvés auparavant, tels qu’ils sont maintenant',
    query: z.object({
      objects: z
        .string()
        .check(z.maxLength(400), z.refine(isObjects, 'Des objets sont attendus, comme «\u202fhost:4,metric:12\u202f»')),
    }),
    reply: z.array(searchResult),
  }),
} as const
