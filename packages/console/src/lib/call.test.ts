import {
  accountRoutes,
  authenticationRoutes,
  hostRoutes,
  notificationRoutes,
  parameterRoutes,
  siteRoutes,
} from '@narval/contracts'
import { describe, expect, test } from 'vitest'
import { callAs } from './call.ts'
import { ApiError, type CallInput, request, type Transport, urlOf } from './http.ts'

interface Seen {
  readonly path: string
  readonly method: string
  readonly headers: Headers
}
type Answer = (seen: Seen) => Response | Promise<Response>

const network = (answer: Answer, cookie = () => 'autre=1; XSRF-TOKEN=n.s') => {
  const seen: Seen[] = []
  const transport: Transport = {
    cookie,
    fetch: async (input, init) => {
      const one = { path: String(input), method: init?.method ?? 'GET', headers: new Headers(init?.headers) }
      seen.push(one)
      return answer(one)
    },
  }
  return { seen, transport }
}
const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status })
const read = { through: 3 }
const unread = { unread: { error: 0, warning: 0, unknown: 0, ok: 0 } }

/** A session whose refresh gives « new » once. */
const holder = (refreshes = true) => {
  let token: string | null = 'old'
  let shared: Promise<boolean> | null = null
  let count = 0
  return {
    count: () => count,
    session: {
      token: () => token,
      refresh: () => {
        shared ??= Promise.resolve().then(() => {
          count += 1
          token = refreshes ? 'new' : null
          return refreshes
        })
        return shared
      },
    },
  }
}
const onlyNew: Answer = ({ headers }) => (headers.get('authorization') === 'Bearer new' ? json(unread) : json({}, 401))

describe('a call as the signed-in account', () => {
  test('carries the bearer token, and on other methods than GET the XSRF header', async () => {
    const { seen, transport } = network(() => json(unread))
    await callAs(holder().session, transport, notificationRoutes.read, { body: read })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer old')
    expect(seen[0]?.headers.get('x-xsrf-token')).toBe('n.s')
  })

  test('a 401 refreshes once for all who got one, and each call is said once again', async () => {
    const { seen, transport } = network(onlyNew)
    const { session, count } = holder()
    const calls = [1, 2, 3].map(() => callAs(session, transport, notificationRoutes.read, { body: read }))
    expect(await Promise.all(calls)).toEqual([unread, unread, unread])
    expect(count()).toBe(1)
    expect(seen).toHaveLength(6)
  })

  test('a second 401 is the answer: no other replay', async () => {
    const { seen, transport } = network(() => json({}, 401))
    const { session, count } = holder()
    await expect(callAs(session, transport, notificationRoutes.read, { body: read })).rejects.toMatchObject({
      status: 401,
    })
    expect(count()).toBe(1)
    expect(seen).toHaveLength(2)
  })

  test('a refresh that fails leaves the 401', async () => {
    const { seen, transport } = network(() => json({}, 401))
    await expect(callAs(holder(false).session, transport, accountRoutes.own, {})).rejects.toMatchObject({ status: 401 })
    expect(seen).toHaveLength(1)
  })

  test('a 401 of logout is not refreshed', async () => {
    const { transport } = network(() => json({}, 401))
    const { session, count } = holder()
    await expect(callAs(session, transport, authenticationRoutes.logout, {})).rejects.toMatchObject({ status: 401 })
    expect(count()).toBe(0)
  })
})

describe('one request', () => {
  test.each([
    ['t', accountRoutes.ownClaims.path],
    [null, parameterRoutes.public.path],
  ])(
    'a missing XSRF cookie is asked for before the call, for the session if there is one (token %s)',
    async (token, asked) => {
      let cookie = ''
      const { seen, transport } = network(
        ({ path }) => {
          if (path === asked) cookie = 'XSRF-TOKEN=fresh'
          return json(unread)
        },
        () => cookie,
      )
      await request(transport, notificationRoutes.read, { body: read }, token)
      expect(seen.map(one => one.path)).toEqual([asked, notificationRoutes.read.path])
      expect(seen[0]?.headers.get('authorization')).toBe(token === null ? null : 'Bearer t')
      expect(seen[1]?.headers.get('x-xsrf-token')).toBe('fresh')
    },
  )

  test('on https the cookie that only this host can have set is the one that is said', async () => {
    const { seen, transport } = network(
      () => json(unread),
      () => 'XSRF-TOKEN=planted; __Host-XSRF-TOKEN=ours',
    )
    await request(transport, notificationRoutes.read, { body: read }, 't')
    expect(seen[0]?.headers.get('x-xsrf-token')).toBe('ours')
  })

  test('a cookie of another session, or of an earlier key of the server, is replaced and the call said again, once', async () => {
    let cookie = 'XSRF-TOKEN=stale'
    const { seen, transport } = network(
      ({ path, headers }) => {
        if (path === accountRoutes.ownClaims.path) cookie = 'XSRF-TOKEN=fresh'
        return headers.get('x-xsrf-token') === 'stale' ? json({}, 403) : json(unread)
      },
      () => cookie,
    )
    expect(await request(transport, notificationRoutes.read, { body: read }, 't')).toEqual(unread)
    expect(seen).toHaveLength(3)
  })

  test('a refusal carries the server’s sentences, joined by spaces', async () => {
    const problem = { status: 400, title: 'Non', detail: 'Refusé', errors: ['Un.', 'Deux.'] }
    const { transport } = network(() => json(problem, 400))
    const failure = await request(transport, accountRoutes.own, {}, 't').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 400, message: 'Un. Deux.' })
  })

  test.each([
    ['html', () => new Response('<html>', { status: 502 }), 502],
    ['another shape', () => json({ surprise: true }), 200],
    ['no answer', () => Promise.reject(new TypeError('network')), 0],
  ] as const)('%s becomes a French sentence, never an unhandled fault', async (_, answer, status) => {
    const { transport } = network(answer)
    const failure = await request(transport, accountRoutes.own, {}, 't').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status })
    expect(failure instanceof ApiError && failure.problem.errors[0]).toMatch(/\.$/)
  })

  test('an abort stays an abort', async () => {
    const controller = new AbortController()
    const input: CallInput<typeof accountRoutes.own> = { signal: controller.signal }
    const { transport } = network(() => {
      controller.abort()
      throw controller.signal.reason
    })
    await expect(request(transport, accountRoutes.own, input, 't')).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('ids and query values are escaped in the address', () => {
    expect(urlOf(siteRoutes.get, { params: { id: 12 } })).toBe('/api/Site/Get/12')
    expect(urlOf(siteRoutes.get, { params: { id: '../x' } })).toBe('/api/Site/Get/..%2Fx')
    expect(urlOf(hostRoutes.list, { query: { site: undefined } })).toBe('/api/Host/Get')
    expect(urlOf(hostRoutes.list, { query: { site: 'a&b' } })).toBe('/api/Host/Get?site=a%26b')
  })
})
