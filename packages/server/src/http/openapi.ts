import { readFileSync } from 'node:fs'
import {
  ALL_ROUTES,
  CLAIM_TEXTS,
  CLAIMS,
  type Claim,
  CSRF_HEADER,
  PROBE_HEADERS,
  PROBLEM_TYPE,
  type Route,
  type Schema,
} from '@narval/contracts'
import { exampleOf } from './openapi-example.ts'
import { asParameter, createSchemaCollector, type SchemaCollector } from './openapi-schema.ts'
import { french, PARAMETER_WORDS, TAG_TEXTS } from './openapi-words.ts'
import { RAW_TYPES } from './raw-body.ts'

/** The package's version, the one of the whole API. */
export const VERSION = (() => {
  const made: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof made === 'object' && made !== null && 'version' in made ? String(made.version) : '0'
})()

const INTRODUCTION = french(`API de la console de supervision Narval.

- Authentification : « Authorization: Bearer … » avec le jeton d'accès que donne /api/Authentication/Login, ou un jeton d'API.
- Un appel autre que GET fait avec une session porte l'en-tête X-XSRF-TOKEN, égal au cookie de même nom que pose tout GET ; un jeton d'API s'en passe.
- Refus et erreurs sont en application/problem+json (RFC 9457).
- Les dates sont en UTC (ISO 8601, suffixe Z).
- Une réponse peut gagner des champs d'une version à l'autre : un client ignore ceux qu'il ne connaît pas.`)

const isClaim = (access: Route['access']): access is Claim => CLAIMS.some(claim => claim === access)

const accessText = (route: Route): string => {
  const { access } = route
  const session = route.sessionOnly ? " Un jeton d'API ne suffit pas : il faut une session." : ''
  if (access === 'open') return "Ouvert : n'exige pas d'être connecté."
  if (access === 'probe') return "Appelé par les sondes, et signé par leur clé : pas d'autre client."
  if (access === 'self') return `Tout compte connecté, même à sa première connexion.${session}`
  if (access === 'user') return `Tout compte connecté.${session}`
  if (access === 'display') return "Tout compte connecté, ou un écran mural par son jeton d'affichage."
  return `Demande le droit « ${access} » (${CLAIM_TEXTS[access].label}).${session}`
}

const tagOf = (route: Route): string =>
  route.path === '/api/openapi.json' ? 'Reference' : (route.path.split('/')[2] ?? '')

/** What the words of a route's own fields are looked for under: its address without `/api/` and parameters. */
const scopeOf = (route: Route): string => route.path.replace(/^\/api\//, '').replace(/\/:\w+/g, '')

const parameters = (route: Route, schemas: SchemaCollector): unknown[] => {
  const of = (schema: Schema | null, place: 'path' | 'query') => {
    if (schema === null) return []
    const object = schemas.of(schema, 'input', place)
    return Object.entries(object.properties ?? {}).map(([name, one]) => {
      const word = PARAMETER_WORDS[`${tagOf(route)}.${name}`] ?? PARAMETER_WORDS[name]
      const { description: _, examples: __, ...schemaOfOne } = typeof one === 'object' ? one : {}
      return {
        name,
        in: place,
        required: place === 'path' || (object.required?.includes(name) ?? false),
        ...(word === undefined ? {} : { description: french(word.text) }),
        ...(word?.example === undefined ? {} : { example: word.example }),
        schema: asParameter(schemaOfOne),
      }
    })
  }
  return [...of(route.params, 'path'), ...of(route.query, 'query')]
}

const BINARY = { schema: { type: 'string', format: 'binary' } }

const body = (route: Route, schemas: SchemaCollector): object => {
  if (route.body === null) return {}
  if (route.rawLimit !== null)
    return { requestBody: { required: true, content: Object.fromEntries(RAW_TYPES.map(type => [type, BINARY])) } }
  const schema = schemas.of(route.body, 'input', scopeOf(route))
  const example = exampleOf(schema, schemas.components)
  return { requestBody: { required: true, content: { 'application/json': { schema, example } } } }
}

/** The refusals of every call, by their name under `components/responses`. */
const REFUSALS = {
  400: ['Invalid', 'La demande est incorrecte : « errors » dit pourquoi, « fields » champ par champ.'],
  401: ['Unauthenticated', 'Il faut se connecter : jeton absent, expiré ou révoqué, ou identifiants refusés.'],
  403: ['Forbidden', 'Droit absent, première connexion à terminer, ou jeton XSRF absent ou incorrect.'],
  404: ['NotFound', "L'objet n'existe pas, ou n'est pas visible."],
  409: [
    'Conflict',
    'Conflit : valeur déjà prise, fiche modifiée entre-temps (« current » la donne), ou objet encore utilisé.',
  ],
  413: ['TooLarge', 'Le corps de la demande est trop grand.'],
  415: ['UnsupportedType', "Le corps de la demande n'est pas du JSON (application/json)."],
  429: ['TooMany', 'Trop de demandes : réessayer après le délai de « Retry-After ».'],
} as const
type RefusalStatus = keyof typeof REFUSALS

const refusalsOf = (route: Route): RefusalStatus[] => {
  const { access, method } = route
  const signedIn = access !== 'open' && access !== 'probe'
  const given = route.params !== null || route.query !== null || route.body !== null
  const changes = signedIn && method !== 'GET' && route.rate !== 'read'
  const when: Readonly<Record<RefusalStatus, boolean>> = {
    400: given,
    // Those that are open but look at a secret belong to the class of authentication.
    401: access !== 'open' || route.rate === 'authentication',
    403: access !== 'open' && access !== 'self' ? true : route.csrf || route.sessionOnly,
    404: route.params !== null,
    409: changes && (route.body !== null || method === 'DELETE' || route.params !== null),
    413: route.body !== null,
    415: route.body !== null,
    429: true,
  }
  return ([400, 401, 403, 404, 409, 413, 415, 429] as const).filter(status => when[status])
}

const STATUS_TEXTS = { 200: 'Réponse.', 201: 'Créé.', 204: 'Fait ; sans contenu.' } as const

const answers = (route: Route, schemas: SchemaCollector): unknown => ({
  [route.status]: {
    description: french(STATUS_TEXTS[route.status]),
    ...(route.reply === null
      ? {}
      : { content: { 'application/json': { schema: schemas.of(route.reply, 'output', scopeOf(route)) } } }),
  },
  ...Object.fromEntries(
    refusalsOf(route).map(status => [status, { $ref: `#/components/responses/${REFUSALS[status][0]}` }]),
  ),
  default: { $ref: '#/components/responses/Fault' },
})

/** Who may call, in OpenAPI's own words: any one of the alternatives. */
const security = (route: Route): unknown[] => {
  if (route.access === 'probe') return [{ probe: [] }]
  const xsrf = route.csrf ? { xsrf: [] } : {}
  if (route.access === 'open') return route.csrf ? [xsrf] : []
  const display = route.access === 'display' ? [{ displayToken: [] }] : []
  return [{ session: [], ...xsrf }, ...(route.sessionOnly ? [] : [{ apiToken: [] }]), ...display]
}

const operation = (route: Route, schemas: SchemaCollector): unknown => ({
  operationId: `${route.method.toLowerCase()}${route.path.slice(4).replace(/[/:.]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  tags: [tagOf(route)],
  summary: french(route.summary),
  description: french(accessText(route)),
  parameters: parameters(route, schemas),
  ...body(route, schemas),
  security: security(route),
  responses: answers(route, schemas),
  'x-access': isClaim(route.access) ? 'claim' : route.access,
  ...(isClaim(route.access) ? { 'x-claim': route.access } : {}),
  'x-session-only': route.sessionOnly,
  'x-rate-class': route.rate,
})

const SECURITY_SCHEMES = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: french("Jeton d'accès d'une session (Login, puis Refresh)."),
  },
  apiToken: { type: 'http', scheme: 'bearer', description: french("Jeton d'API, pour les scripts : « narval_… ».") },
  displayToken: {
    type: 'http',
    scheme: 'bearer',
    description: french("Jeton d'affichage d'un écran mural : « narvalmur_… »."),
  },
  xsrf: {
    type: 'apiKey',
    in: 'header',
    name: CSRF_HEADER.toUpperCase(),
    description: french('Valeur du cookie XSRF-TOKEN (__Host-XSRF-TOKEN en https), que pose tout GET.'),
  },
  probe: {
    type: 'apiKey',
    in: 'header',
    name: PROBE_HEADERS.signature,
    description: french('Signature Ed25519 de la demande par la clé de la sonde.'),
  },
} as const

const refusal = (description: string, headers: object = {}) => ({
  description: french(description),
  ...headers,
  content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
})
const RETRY_AFTER = {
  headers: { 'Retry-After': { description: 'Secondes à attendre.', schema: { type: 'integer', minimum: 1 } } },
}

const componentsOf = (schemas: SchemaCollector) => ({
  securitySchemes: SECURITY_SCHEMES,
  responses: {
    ...Object.fromEntries(
      Object.entries(REFUSALS).map(([status, [name, text]]) => [
        name,
        refusal(text, status === '429' ? RETRY_AFTER : {}),
      ]),
    ),
    Fault: refusal(
      'Toute autre erreur : 503 quand le service est momentanément indisponible (« Retry-After »), 500 avec sa « reference » dans le journal du serveur.',
    ),
  },
  schemas: Object.fromEntries([...schemas.components].toSorted(([a], [b]) => a.localeCompare(b))),
})

const describe = (problem: Schema): Record<string, unknown> => {
  const schemas = createSchemaCollector()
  schemas.of(problem, 'output', 'Problem')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of ALL_ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) }
  }
  const tags = [...new Set(ALL_ROUTES.map(tagOf))].toSorted()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Narval',
      version: VERSION,
      summary: french('API de la console de supervision Narval.'),
      description: INTRODUCTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tags.map(name => ({ name, description: french(TAG_TEXTS[name] ?? name) })),
    paths,
    components: componentsOf(schemas),
  }
}

let made: Record<string, unknown> | null = null
/** OpenAPI 3.1 of every route, made once from the very constants that are mounted. */
export const openApiDocument = (problem: Schema): Record<string, unknown> => {
  made ??= describe(problem)
  return made
}
