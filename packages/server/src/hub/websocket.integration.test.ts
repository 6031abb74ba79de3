import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  bearer,
  HANDSHAKE,
  HUB,
  invocation,
  negotiate,
  OTHER_HUB,
  openHub,
  openSocket,
  startServer,
  type TestServer,
} from './hub-test-kit.ts'

let server: TestServer
afterEach(() => server.app.close())

/** Sends bytes as they are and returns the status line of the answer. */
async function rawStatus(request: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  socket.end(request)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text.split('\r\n')[0] ?? ''
}

const upgrade = (path: string, ...headers: string[]) =>
  rawStatus(
    [
      `GET ${path} HTTP/1.1`,
      'host: narval.example',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
      '\r\n',
    ].join('\r\n'),
  )

const AUTH = 'authorization: Bearer good'

describe('upgrade', () => {
  it('S51: is refused before the handshake without token, with a bad one, or from a foreign page', async () => {
    server = await startServer()
    expect(await upgrade(HUB)).toBe('HTTP/1.1 401 Unauthorized')
    expect(await upgrade(HUB, 'authorization: Bearer unknown')).toBe('HTTP/1.1 401 Unauthorized')
    expect(await upgrade(`${HUB}?access_token=unknown`)).toBe('HTTP/1.1 401 Unauthorized')
    expect(await upgrade(HUB, AUTH, 'origin: https://evil.example')).toBe('HTTP/1.1 403 Forbidden')
    expect(await upgrade(HUB, AUTH, 'origin: null')).toBe('HTTP/1.1 403 Forbidden')
    expect(server.hubs.stats().connections).toBe(0)
  })

  it('is accepted from our own pages and listed ones, with the token in the header or the query', async () => {
    server = await startServer()
    for (const origin of [server.url, 'https://console.example']) {
      await openHub(server, '', { ...bearer(), origin })
    }
    await openHub(server, '?access_token=good', {})
    expect(server.hubs.stats().open).toBe(3)
  })

  it('is answered 404 on any other path, at once', async () => {
    server = await startServer()
    for (const path of ['/', '/hub/communication', `${HUB}/`, `${HUB}/negotiate`, '/Hub/Nothing', '/__proto__', '*']) {
      expect(await upgrade(path, AUTH)).toBe('HTTP/1.1 404 Not Found')
    }
  })

  it('is answered 404 for an unknown id, one of another hub or user; 409 for one in use', async () => {
    server = await startServer()
    server.accounts.issue('other', 2, 2, server.clock.wallMs() + 600_000)
    const [id, ofOtherHub] = [await negotiate(server), await negotiate(server, 'good', OTHER_HUB)]
    expect(await upgrade(`${HUB}?id=unknown`, AUTH)).toBe('HTTP/1.1 404 Not Found')
    expect(await upgrade(`${HUB}?id=`, AUTH)).toBe('HTTP/1.1 404 Not Found')
    expect(await upgrade(`${HUB}?id=${ofOtherHub}`, AUTH)).toBe('HTTP/1.1 404 Not Found')
    expect(await upgrade(`${HUB}?id=${id}`, 'authorization: Bearer other')).toBe('HTTP/1.1 404 Not Found')
    const raw = await openHub(server, `?id=${id}`)
    expect(await upgrade(`${HUB}?id=${id}`, AUTH)).toBe('HTTP/1.1 409 Conflict')
    raw.socket.close()
    await raw.closed
    await expect.poll(() => upgrade(`${HUB}?id=${id}`, AUTH)).toBe('HTTP/1.1 404 Not Found')
  })

  it('a connection of WebSocket takes no POST (405), no DELETE (400) and no GET (409)', async () => {
    server = await startServer()
    const id = await negotiate(server)
    await openHub(server, `?id=${id}`)
    const status = async (method: string) =>
      (await fetch(`${server.url}${HUB}?id=${id}`, { method, headers: bearer() })).status
    expect([await status('POST'), await status('DELETE'), await status('GET')]).toEqual([405, 400, 409])
  })

  it('a broken upgrade does no harm', async () => {
    server = await startServer()
    expect(
      await rawStatus(`GET ${HUB} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n${AUTH}\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 4/)
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET ${HUB} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n${AUTH}\r\n\r\n`)
    socket.resetAndDestroy()
    await openHub(server)
  })

  it('a client that is gone before its token was checked does no harm', async () => {
    const asked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<null>()
    const authenticate = () => {
      asked.resolve()
      return gate.promise
    }
    server = await startServer({ options: { authenticate } })
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    socket.write(`GET ${HUB} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n${AUTH}\r\n\r\n`)
    const [, serverSide] = await once(server.app.server, 'upgrade')
    await asked.promise
    const ended = new Promise(resolve => serverSide.on('close', resolve))
    socket.resetAndDestroy()
    await new Promise(resolve => socket.on('close', resolve))
    gate.resolve(null)
    await ended
    expect(server.hubs.stats().connections).toBe(0)
  })
})

describe('frames', () => {
  it('a handshake and messages split over frames, joined in one, or cut within a character, are read', async () => {
    server = await startServer()
    const raw = await openSocket(server)
    const bytes = Buffer.from(`${HANDSHAKE}${invocation('Echo', ['é🐋'], '1')}${invocation('Echo', [2], '2')}`)
    for (const byte of bytes) raw.socket.send(Buffer.of(byte), { binary: false })
    expect(await raw.next()).toBe('{}')
    expect(JSON.parse(await raw.next())).toEqual({ type: 3, invocationId: '1', result: 'é🐋' })
    raw.socket.send(invocation('Echo', [3], '3') + invocation('Echo', [4], '4'))
    expect([await raw.next(), await raw.next(), await raw.next()].map(text => JSON.parse(text).result)).toEqual([
      2, 3, 4,
    ])
  })

  it.each([
    ['no JSON', 'x\u001e'],
    ['another protocol', '{"protocol":"messagepack","version":1}\u001e'],
    ['another first message', '{"type":6}\u001e'],
    ['too much', 'x'.repeat(33_000)],
  ])('a handshake that is %s is answered {error}, then closed', async (_name, sent) => {
    server = await startServer()
    const raw = await openSocket(server)
    raw.socket.send(sent)
    expect(Object.keys(JSON.parse(await raw.next()))).toEqual(['error'])
    expect(await raw.closed).toBe(1000)
    expect(raw.records).toHaveLength(1)
  })

  it.each([
    ['bad JSON', '{\u001e'],
    ['no object', '[]\u001e'],
    ['no type', '{}\u001e'],
    ['no target', '{"type":1,"arguments":[]}\u001e'],
    ['arguments that are no array', '{"type":1,"target":"Echo","arguments":{}}\u001e'],
    ['bytes that are no UTF-8', Buffer.of(0x22, 0xff, 0x22, 0x1e)],
    ['S54: 33 KB in a message', `{"type":6,"x":"${'x'.repeat(33_000)}"}\u001e`],
    ['S54: 33 KB without an end', 'x'.repeat(33_000)],
  ])('%s ends the connection with Close {error, allowReconnect}, and no other connection', async (_name, sent) => {
    server = await startServer()
    const [raw, other] = [await openHub(server), await openHub(server)]
    raw.socket.send(sent, { binary: false })
    expect(JSON.parse(await raw.next())).toEqual({ type: 7, error: expect.any(String), allowReconnect: true })
    expect(await raw.closed).toBe(1000)
    other.socket.send(invocation('Echo', ['still here'], '1'))
    expect(await other.next()).toContain('still here')
  })

  it('unknown types and properties, and messages that only a server sends, are ignored', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.send('{"type":99}\u001e{"type":2,"invocationId":"1","item":1}\u001e{"type":3,"invocationId":"1"}\u001e')
    raw.socket.send('{"type":5,"invocationId":"1"}\u001e{"type":8,"sequenceId":1}\u001e{"type":6,"x":1}\u001e')
    raw.socket.send(invocation('Echo', ['ok'], 'last'))
    expect(JSON.parse(await raw.next())).toEqual({ type: 3, invocationId: 'last', result: 'ok' })
  })

  it('answers each call that has an id once, in order, and never one without', async () => {
    const gate = Promise.withResolvers<string>()
    server = await startServer({ methods: { Wait: () => gate.promise } })
    const raw = await openHub(server)
    raw.socket.send(invocation('Wait', [], 'a') + invocation('Echo', [1]) + invocation('Echo', [2], 'b'))
    raw.socket.send(
      '{"type":1,"invocationId":"","target":"Echo","arguments":[3]}\u001e{"type":4,"invocationId":"c","target":"Echo","arguments":[]}\u001e',
    )
    raw.socket.send('{"type":6}\u001e')
    gate.resolve('opened')
    expect([await raw.next(), await raw.next(), await raw.next()].map(text => JSON.parse(text))).toEqual([
      { type: 3, invocationId: 'a', result: 'opened' },
      { type: 3, invocationId: 'b', result: 2 },
      { type: 3, invocationId: 'c', error: 'This hub streams no results.' },
    ])
  })

  it('a method that fails, refuses, or returns what JSON can not hold shows no detail, and is logged when it failed', async () => {
    server = await startServer({ methods: { Big: () => 1n, Reject: () => Promise.reject(new Error('secret detail')) } })
    const raw = await openHub(server)
    for (const target of ['Throw', 'Reject', 'Big']) raw.socket.send(invocation(target, [], target))
    raw.socket.send(invocation('JoinCommunicationStream', [5], 'Join'))
    for (const id of ['Throw', 'Reject', 'Big', 'Join']) {
      expect(JSON.parse(await raw.next())).toEqual({
        type: 3,
        invocationId: id,
        error: 'The call was refused or failed.',
      })
    }
    expect(server.logged.filter(line => line.startsWith('hub: a method failed'))).toHaveLength(3)
  })

  it('a call that never ends is given up after 10 s, and the next ones are served', async () => {
    server = await startServer({ methods: { Never: () => new Promise(() => undefined) } })
    const raw = await openHub(server)
    raw.socket.send(invocation('Never', [], '1') + invocation('Echo', ['next'], '2') + invocation('Echo', [0], '3'))
    await expect.poll(() => server.hubs.stats().open).toBe(1)
    const answers = [raw.next(), raw.next()]
    while (raw.records.length < 2) {
      server.clock.advance(1_000)
      await new Promise(setImmediate)
    }
    expect(JSON.parse((await answers[0]) ?? '')).toMatchObject({ invocationId: '1', error: expect.any(String) })
    expect(JSON.parse((await answers[1]) ?? '')).toMatchObject({ invocationId: '2', result: 'next' })
  })

  it('what a call answers after it was given up is not sent', async () => {
    const gate = Promise.withResolvers<string>()
    server = await startServer({ methods: { Slow: () => gate.promise } })
    const raw = await openHub(server)
    raw.socket.send(invocation('Slow', [], '1') + invocation('Echo', ['next'], '2'))
    while (raw.records.length < 3) {
      server.clock.advance(1_000)
      await new Promise(setImmediate)
    }
    gate.resolve('late')
    raw.socket.send(invocation('Echo', ['last'], '3'))
    await expect.poll(() => raw.records.at(-1)).toContain('last')
    expect(raw.records.filter(record => record.includes('"invocationId":"1"'))).toHaveLength(1)
  })

  it('a Close of the client ends the connection without a word', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.send('{"type":7}\u001e')
    expect(await raw.closed).toBe(1000)
    expect(raw.records).toEqual(['{}'])
  })

  it('a stream is published to those who follow it, until they leave it', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.send(invocation('JoinCommunicationStream', ['host:12'], '1'))
    await raw.next()
    expect(server.hubs.publish(HUB, 'host:13', 'alert', [])).toBe(0)
    expect(server.hubs.publish(OTHER_HUB, 'host:12', 'alert', [])).toBe(0)
    expect(server.hubs.publish(HUB, 'host:12', 'alert', [1])).toBe(1)
    expect(await raw.next()).toBe('{"type":1,"target":"alert","arguments":[1]}')
    raw.socket.send(invocation('LeaveCommunicationStream', ['host:12'], '2'))
    await raw.next()
    expect(server.hubs.publish(HUB, 'host:12', 'alert', [])).toBe(0)
    expect(server.hubs.stats().streams).toBe(0)
    expect(() => server.hubs.publish('/Hub/Nothing', 'x', 'alert', [])).toThrow('No hub')
  })

  it('nothing of a connection is left when its socket is destroyed', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.send(invocation('JoinCommunicationStream', ['global'], '1'))
    await raw.next()
    raw.socket.terminate()
    await expect.poll(() => server.hubs.stats()).toMatchObject({ connections: 0, streams: 0, sessions: 0 })
  })
})

it('S54: the token is in no log, wherever it was put', async () => {
  server = await startServer()
  server.accounts.issue('SECRET', 1, 9, server.clock.wallMs() + 600_000)
  const query = 'access_token=SECRET'
  const raw = await openHub(server, `?${query}`, {})
  raw.socket.send(invocation('Throw', [], '1'))
  await raw.next()
  raw.socket.send('bad\u001e')
  await raw.closed
  for (const path of [HUB, `${HUB}/negotiate`, `${HUB}/elsewhere`, `${HUB}/`]) {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']) {
      await fetch(`${server.url}${path}?${query}&id=x`, { method })
    }
  }
  const lost = new WebSocket(`ws://127.0.0.1:${server.port}/nowhere?${query}`).on('error', () => undefined)
  await new Promise(resolve => lost.on('close', resolve))
  expect(server.logged.length).toBeGreaterThan(0)
  expect(server.logged.filter(line => line.includes('SECRET'))).toEqual([])
})
