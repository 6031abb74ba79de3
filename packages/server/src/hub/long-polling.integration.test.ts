import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { bearer, HANDSHAKE, HUB, invocation, negotiate, startServer, type TestServer } from './hub-test-kit.ts'

let server: TestServer
afterEach(() => server.app.close())

const call = (method: string, id: string, body?: string) =>
  fetch(`${server.url}${HUB}?id=${id}`, { method, headers: bearer(), ...(body === undefined ? {} : { body }) })
const seen = async (response: Response | Promise<Response>) => {
  const { status, text } = { status: (await response).status, text: await (await response).text() }
  return [status, text]
}
const ECHOED = '{"type":3,"invocationId":"1","result":1}\u001e'

/** A connection past its handshake whose next poll was not asked yet. */
async function connected(): Promise<string> {
  const id = await negotiate(server)
  expect(await seen(call('GET', id))).toEqual([200, ''])
  expect(await seen(call('POST', id, HANDSHAKE))).toEqual([200, ''])
  expect(await seen(call('GET', id))).toEqual([200, '{}\u001e'])
  return id
}

/** Runs a request and waits until the server has it: everything between is done in the same turns of the loop. */
async function received<T>(ask: () => T): Promise<{ answer: T }> {
  const arrived = once(server.app.server, 'request')
  const answer = ask()
  await arrived
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  return { answer }
}
const waitingPoll = (id: string) => received(() => call('GET', id))

it('a poll takes all that is queued at once', async () => {
  server = await startServer()
  const id = await connected()
  await call('POST', id, invocation('Echo', [1], '1') + invocation('Echo', [1], '1'))
  expect(await seen(call('GET', id))).toEqual([200, ECHOED + ECHOED])
})

it('a poll waits for what is published; after 90 s without anything it is an empty 200', async () => {
  server = await startServer()
  const id = await connected()
  await call('POST', id, invocation('JoinCommunicationStream', ['global']))
  const first = await waitingPoll(id)
  server.hubs.publish(HUB, 'global', 'alert', ['x'])
  expect(await seen(first.answer)).toEqual([200, '{"type":1,"target":"alert","arguments":["x"]}\u001e'])
  const second = await waitingPoll(id)
  server.clock.advance(89_000)
  expect(server.hubs.stats().open).toBe(1)
  server.clock.advance(2_000)
  expect(await seen(second.answer)).toEqual([200, ''])
})

it('a new poll ends the one that waits with 204, and takes what comes', async () => {
  server = await startServer()
  const id = await connected()
  const old = await waitingPoll(id)
  const young = await waitingPoll(id)
  expect((await old.answer).status).toBe(204)
  await call('POST', id, invocation('Echo', [1], '1'))
  expect(await seen(young.answer)).toEqual([200, ECHOED])
})

it('an aborted poll loses nothing', async () => {
  server = await startServer()
  const id = await connected()
  const arrived = once(server.app.server, 'request')
  const poll = httpRequest(`${server.url}${HUB}?id=${id}`, { headers: bearer() }).on('error', () => undefined)
  poll.end()
  const [, response] = await arrived
  const lost = once(response, 'close')
  poll.destroy()
  await lost
  await call('POST', id, invocation('Echo', [1], '1'))
  expect(await seen(call('GET', id))).toEqual([200, ECHOED])
})

it('what a poll could not deliver, because its reader is gone without a word, comes with the next one', async () => {
  const big = 'x'.repeat(16_000_000)
  server = await startServer({ limits: { backlogBytes: 64_000_000 }, methods: { Big: () => big } })
  const id = await connected()
  const arrived = once(server.app.server, 'request')
  const reader = connect(server.port, '127.0.0.1').on('error', () => undefined)
  reader.pause()
  reader.write(`GET ${HUB}?id=${id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\n\r\n`)
  const [, response] = await arrived
  await new Promise(setImmediate)
  await call('POST', id, invocation('Big', [], '1') + invocation('Echo', [1], '1'))
  const undelivered = !response.writableFinished
  const lost = once(response, 'close')
  reader.resetAndDestroy()
  await lost
  const [status, text] = await seen(call('GET', id))
  expect([status, undelivered]).toEqual([200, true])
  expect(String(text).endsWith(ECHOED)).toBe(true)
  expect(String(text).length).toBeGreaterThan(16_000_000)
})

it('DELETE ends the waiting poll with 204 and answers 202, then the id is unknown', async () => {
  server = await startServer()
  const id = await connected()
  const poll = await waitingPoll(id)
  expect((await call('DELETE', id)).status).toBe(202)
  expect((await poll.answer).status).toBe(204)
  for (const method of ['GET', 'POST', 'DELETE']) expect((await call(method, id)).status).toBe(404)
  expect(server.hubs.stats().connections).toBe(0)
})

it('a connection that is over is drained with 200, then ends with 204, then is unknown', async () => {
  server = await startServer()
  const id = await connected()
  await call('POST', id, `${invocation('Echo', [1], '1')}bad\u001e`)
  expect((await call('POST', id, '{"type":6}\u001e')).status).toBe(404)
  const [status, text] = await seen(call('GET', id))
  expect([status, String(text).startsWith(`${ECHOED}{"type":7,"error":`)]).toEqual([200, true])
  expect((await call('GET', id)).status).toBe(204)
  expect((await call('GET', id)).status).toBe(404)
})

it('a connection that is not polled for 15 s is forgotten, and is sent no ping', async () => {
  server = await startServer()
  const id = await connected()
  server.clock.advance(14_000)
  expect(server.hubs.stats().open).toBe(1)
  const poll = await waitingPoll(id)
  server.clock.advance(60_000)
  await call('POST', id, invocation('Echo', [1], '1'))
  expect(await seen(poll.answer)).toEqual([200, ECHOED])
  server.clock.advance(16_000)
  expect(server.hubs.stats().connections).toBe(0)
  expect((await call('GET', id)).status).toBe(404)
})

it('R22: what is queued for a client that does not poll is bounded', async () => {
  server = await startServer({ limits: { backlogBytes: 10_000 } })
  const id = await connected()
  await call('POST', id, invocation('JoinCommunicationStream', ['global']))
  for (let sent = 0; sent < 20; sent += 1) server.hubs.publish(HUB, 'global', 'alert', ['x'.repeat(1_000)])
  expect(server.hubs.stats().connections).toBe(0)
  expect((await call('GET', id)).status).toBe(404)
})

it('a body of several messages cut over several POSTs is read in order', async () => {
  server = await startServer()
  const id = await connected()
  const body = Buffer.from(invocation('Echo', ['é'], '1') + invocation('Echo', [2], '2'))
  for (let at = 0; at < body.length; at += 7) {
    const piece = body.subarray(at, at + 7)
    await fetch(`${server.url}${HUB}?id=${id}`, {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/octet-stream' },
      body: piece,
    })
  }
  expect(await seen(call('GET', id))).toEqual([
    200,
    '{"type":3,"invocationId":"1","result":"é"}\u001e{"type":3,"invocationId":"2","result":2}\u001e',
  ])
})

it('S54: a body over the limit is refused with 413', async () => {
  server = await startServer()
  const id = await connected()
  expect((await call('POST', id, 'x'.repeat(300_000))).status).toBe(413)
})
