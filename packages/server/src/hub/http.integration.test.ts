import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import {
  bearer,
  HANDSHAKE,
  HUB,
  invocation,
  negotiate,
  OTHER_HUB,
  startServer,
  type TestServer,
} from './hub-test-kit.ts'

let server: TestServer
afterEach(() => server.app.close())

const call = (method: string, query = '', init: RequestInit = {}) =>
  fetch(`${server.url}${HUB}${query}`, { method, headers: bearer(), ...init })
const post = (id: string, body: string) => call('POST', `?id=${id}`, { body })

describe('negotiate', () => {
  it('gives two different ids, random, unescaped, and no way elsewhere', async () => {
    server = await startServer()
    const answers = await Promise.all(
      [1, 2].map(async () => (await call('POST', '/negotiate?negotiateVersion=1&useStatefulReconnect=true')).json()),
    )
    const ids = answers.flatMap(({ connectionId, connectionToken }) => [connectionId, connectionToken])
    expect(new Set(ids).size).toBe(4)
    expect(ids.join('')).toMatch(/^[\w-]+$/)
    expect(Buffer.from(answers[0].connectionToken, 'base64url').length).toBeGreaterThanOrEqual(16)
    expect(Object.keys(answers[0]).sort()).toEqual([
      'availableTransports',
      'connectionId',
      'connectionToken',
      'negotiateVersion',
    ])
  })

  it('without a version gives one id, which works; with a bad version says so in a 200', async () => {
    server = await startServer()
    const answer = await (await call('POST', '/negotiate')).json()
    expect(answer).toMatchObject({ negotiateVersion: 0 })
    expect(answer).not.toHaveProperty('connectionToken')
    expect((await call('GET', `?id=${answer.connectionId}`)).status).toBe(200)
    const bad = await call('POST', '/negotiate?negotiateVersion=x')
    expect([bad.status, Object.keys(await bad.json())]).toEqual([200, ['error']])
  })

  it.each(['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'x/y; charset=z'])(
    'takes a body of %s without reading it',
    async type => {
      server = await startServer()
      const init = { body: '{', headers: { ...bearer(), 'content-type': type } }
      expect((await call('POST', '/negotiate?negotiateVersion=1', init)).status).toBe(200)
    },
  )

  it('S51: asks for a token everywhere: 401 without, unknown or expired; OPTIONS is open', async () => {
    server = await startServer()
    server.accounts.issue('old', 1, 3, server.clock.wallMs())
    for (const headers of [{}, bearer('unknown'), bearer('old'), { authorization: 'Basic good' }]) {
      for (const [method, path] of [
        ['POST', '/negotiate'],
        ['GET', '?id=x'],
        ['POST', '?id=x'],
        ['DELETE', '?id=x'],
        ['PUT', ''],
        ['GET', '/elsewhere'],
      ] as const) {
        const response = await call(method, path, { headers })
        expect([method, path, response.status]).toEqual([method, path, 401])
      }
    }
    expect((await call('OPTIONS', '/negotiate', { headers: {} })).status).toBe(204)
  })

  it('S51: a foreign page gets 403, a listed one its own origin echoed, on a 401 and a poll too', async () => {
    server = await startServer()
    const from = (origin: string) => ({ headers: { ...bearer(), origin } })
    expect((await call('POST', '/negotiate', from('https://evil.example'))).status).toBe(403)
    const listed = 'https://console.example'
    const id = await negotiate(server)
    for (const response of [
      await call('POST', '/negotiate', from(listed)),
      await call('POST', '/negotiate', { headers: { origin: listed } }),
      await call('OPTIONS', '/negotiate', { headers: { origin: listed } }),
      await call('GET', `?id=${id}`, from(listed)),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe(listed)
      expect(response.headers.get('access-control-allow-credentials')).toBe('true')
      expect(response.headers.get('vary')).toBe('Origin')
    }
    expect((await call('POST', '/negotiate', from(server.url))).headers.has('access-control-allow-origin')).toBe(false)
  })

  it('answers 503 when the token can not be checked, and says nothing of why', async () => {
    server = await startServer({ options: { authenticate: () => Promise.reject(new Error('database is away')) } })
    const response = await call('POST', '/negotiate')
    expect([response.status, await response.text()]).toEqual([503, ''])
  })

  it('answers 503 after 5 s when the check of the token hangs', async () => {
    const asked = Promise.withResolvers<void>()
    const authenticate = () => {
      asked.resolve()
      return new Promise<null>(() => undefined)
    }
    server = await startServer({ options: { authenticate } })
    const response = call('POST', '/negotiate')
    await asked.promise
    server.clock.advance(5_000)
    expect((await response).status).toBe(503)
  })

  it('S54: bounds the connections of a user (429) and of all (503), until some go', async () => {
    server = await startServer({ limits: { connectionsPerUser: 2, connections: 3 } })
    server.accounts.issue('other', 2, 2, server.clock.wallMs() + 600_000)
    const status = async (token: string) =>
      (await call('POST', '/negotiate?negotiateVersion=1', { headers: bearer(token) })).status
    expect([await status('good'), await status('good'), await status('good')]).toEqual([200, 200, 429])
    expect([await status('other'), await status('other')]).toEqual([200, 503])
    server.clock.advance(16_000)
    expect(await status('good')).toBe(200)
  })

  it('an id that is not used within 15 s is forgotten', async () => {
    server = await startServer()
    const id = await negotiate(server)
    server.clock.advance(14_000)
    expect(server.hubs.stats().connections).toBe(1)
    server.clock.advance(2_000)
    expect(server.hubs.stats()).toMatchObject({ connections: 0, sessions: 0 })
    expect((await call('GET', `?id=${id}`)).status).toBe(404)
  })
})

describe('status of requests', () => {
  it('400 without id, 404 for an unknown one, of another hub or another user, 405 for another method', async () => {
    server = await startServer()
    server.accounts.issue('other', 2, 2, server.clock.wallMs() + 600_000)
    const [id, ofOtherHub] = [await negotiate(server), await negotiate(server, 'good', OTHER_HUB)]
    for (const method of ['GET', 'POST', 'DELETE']) {
      const status = async (query: string, headers = bearer()) => (await call(method, query, { headers })).status
      expect([await status(''), await status('?id=')]).toEqual([400, 400])
      expect([await status('?id=unknown'), await status(`?id=${ofOtherHub}`)]).toEqual([404, 404])
      expect(await status(`?id=${id}`, bearer('other'))).toBe(404)
    }
    for (const method of ['PUT', 'PATCH', 'HEAD']) expect((await call(method, `?id=${id}`)).status).toBe(405)
    expect((await call('GET', '/negotiate')).status).toBe(405)
    expect((await call('GET', '/elsewhere')).status).toBe(404)
    expect((await call('POST', `?id=${id}`)).status).toBe(409)
  })
})

/** A GET whose response stays open. */
async function open(query: string, headers: Record<string, string> = {}): Promise<[ClientRequest, IncomingMessage]> {
  const request = httpRequest(`${server.url}${HUB}${query}`, { headers: { ...bearer(), ...headers } })
  request.on('error', () => undefined)
  request.end()
  const [response] = await once(request, 'response')
  return [request, response]
}

describe('server-sent events', () => {
  const EVENTS = { accept: 'text/event-stream' }

  it('opens at once with a comment, then sends each record as one unnamed event', async () => {
    server = await startServer()
    const id = await negotiate(server)
    const [, response] = await open(`?id=${id}`, EVENTS)
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'x-content-type-options': 'nosniff',
    })
    const events = response.setEncoding('utf8')[Symbol.asyncIterator]()
    expect((await events.next()).value).toBe(':\n\n')
    const accepted = await post(id, HANDSHAKE)
    expect([accepted.status, await accepted.text()]).toEqual([200, ''])
    expect((await events.next()).value).toBe('data: {}\u001e\n\n')
    const message = invocation('Echo', ['a\nb'], '1')
    await post(id, message.slice(0, 10))
    await post(id, message.slice(10))
    expect((await events.next()).value).toBe('data: {"type":3,"invocationId":"1","result":"a\\nb"}\u001e\n\n')
  })

  it('a second stream on the id gets 409, DELETE 400; a dropped stream ends the connection: 404', async () => {
    server = await startServer()
    const id = await negotiate(server)
    const [request] = await open(`?id=${id}`, EVENTS)
    expect((await call('GET', `?id=${id}`, { headers: { ...bearer(), ...EVENTS } })).status).toBe(409)
    expect((await call('GET', `?id=${id}`)).status).toBe(409)
    expect((await call('DELETE', `?id=${id}`)).status).toBe(400)
    request.destroy()
    await expect.poll(() => server.hubs.stats().connections).toBe(0)
    expect((await post(id, HANDSHAKE)).status).toBe(404)
  })

  it('pings after 15 s without sending', async () => {
    server = await startServer()
    const id = await negotiate(server)
    const [, response] = await open(`?id=${id}`, EVENTS)
    await post(id, HANDSHAKE)
    server.clock.advance(16_000)
    let received = ''
    for await (const chunk of response) {
      received += String(chunk)
      if (received.includes('{"type":6}')) break
    }
    expect(received).toBe(':\n\ndata: {}\u001e\n\ndata: {"type":6}\u001e\n\n')
  })
})
