import { randomUUID } from 'node:crypto'
import {
  accountRoutes,
  authenticationRoutes,
  type BodyInput,
  type Claim,
  CSRF_COOKIE,
  CSRF_HEADER,
  type ParamsInput,
  parameterRoutes,
  type QueryInput,
  type ReplyOf,
  type Route,
} from '@narval/contracts'
import { ADMIN } from './server.ts'

export interface CallInput<R extends Route> {
  readonly params?: ParamsInput<R>
  readonly query?: QueryInput<R>
  readonly body?: BodyInput<R>
}

/** A client of the API over real HTTP, typed by the contracts' routes. */
export interface ApiClient {
  readonly token: () => string
  /** Throws with the answer when it is not a success. */
  call<R extends Route>(route: R, input?: CallInput<R>): Promise<ReplyOf<R>>
}

const pathOf = (route: Route, params: unknown, query: unknown): string => {
  const values = Object.entries(typeof params === 'object' && params !== null ? params : {})
  const path = values.reduce<string>(
    (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(String(value))),
    route.path,
  )
  const search = new URLSearchParams(
    Object.entries(typeof query === 'object' && query !== null ? query : {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()
  return search === '' ? path : `${path}?${search}`
}

/** The reply was parsed by the route's own schema. */
const parsed = <R extends Route>(route: R, text: string): ReplyOf<R> => {
  const value: unknown = text === '' || route.reply === null ? undefined : route.reply.parse(JSON.parse(text))
  return value as ReplyOf<R>
}

/** Signs in; the administrator passes his first connection on the way. */
export const signIn = async (
  url: string,
  login: string = ADMIN.login,
  password: string = ADMIN.password,
): Promise<ApiClient> => {
  let token = ''
  let csrf = ''
  const call: ApiClient['call'] = async (route, input = {}) => {
    const response = await fetch(`${url}${pathOf(route, input.params, input.query)}`, {
      method: route.method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(route.method === 'GET' ? {} : { [CSRF_HEADER]: csrf, cookie: `${CSRF_COOKIE}=${csrf}` }),
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      signal: AbortSignal.timeout(20_000),
    })
    const cookie = response.headers.getSetCookie().find(one => one.startsWith(`${CSRF_COOKIE}=`))
    if (cookie !== undefined) csrf = cookie.slice(CSRF_COOKIE.length + 1).split(';')[0] ?? ''
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${route.method} ${route.path} answered ${response.status}: ${text.slice(0, 500)}`)
    return parsed(route, text)
  }
  await call(parameterRoutes.public)
  const enter = async (secret: string) => {
    token = (await call(authenticationRoutes.login, { body: { login, password: secret, uuid: randomUUID() } })).token
  }
  if (login === ADMIN.login) {
    await enter(password).catch(() => enter(ADMIN.first))
    if ((await call(accountRoutes.own)).firstConnection) {
      await call(authenticationRoutes.passwordUpdate, { body: { password, passwordConfirmation: password } })
      await enter(password)
    }
  } else await enter(password)
  return { token: () => token, call }
}

export interface Person {
  readonly login: string
  readonly password: string
}
const FIRST_PASSWORD = 'Premier-2026!'

/** An account with these claims: past its first connection, or (`fresh`) still before it. */
export const createPerson = async (
  url: string,
  api: ApiClient,
  login: string,
  options: { claims?: readonly Claim[]; fresh?: true } = {},
): Promise<Person> => {
  const claims = (options.claims ?? []).map(claim => ({ claim }))
  await api.call(accountRoutes.create, { body: { login, password: FIRST_PASSWORD, claims } })
  if (options.fresh) return { login, password: FIRST_PASSWORD }
  const own = await signIn(url, login, FIRST_PASSWORD)
  const password = 'Personne-2026!'
  await own.call(authenticationRoutes.passwordUpdate, { body: { password, passwordConfirmation: password } })
  return { login, password }
}
