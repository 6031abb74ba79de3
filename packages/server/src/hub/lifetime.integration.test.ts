import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  bearer,
  createAccounts,
  createManualClock,
  HUB,
  invocation,
  negotiate,
  openHub,
  openSocket,
  type RawSocket,
  startServer,
  type TestServer,
} from './hub-test-kit.ts'

let server: TestServer
afterEach(() => server.app.close())

const CLOSE = '{"type":7,"allowReconnect":true}'
const PING = '{"type":6}'

/** Calls a method and waits for its answer: all that was sent before has been taken. */
async function settled(raw: RawSocket): Promise<void> {
  raw.socket.send(invocation('Echo', [], 'settled'))
  while (!(await raw.next()).includes('"settled"'));
}
/** Turns of the loop in which promises of the session check are answered. */
const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
}
/** Time that passes as it does: with turns of the loop in each second. */
const seconds = async (count: number) => {
  for (let second = 0; second < count; second += 1) {
    server.clock.advance(1_000)
    await turns()
  }
}

describe('silence', () => {
  it('the server pings after 15 s without sending, and only then', async () => {
    server = await startServer()
    const raw = await openHub(server)
    server.clock.advance(14_000)
    await settled(raw)
    server.clock.advance(14_000)
    await settled(raw)
    expect(raw.records).not.toContain(PING)
    server.clock.advance(16_000)
    expect(await raw.next()).toBe(PING)
  })

  it('30 s without a message of a client that pings end its connection, with an invitation to come back', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.send('{"type":6}\u001e')
    await settled(raw)
    server.clock.advance(29_000)
    expect(server.hubs.stats().open).toBe(1)
    raw.socket.ping()
    server.clock.advance(2_000)
    expect(await raw.closed).toBe(1000)
    expect(raw.records.filter(record => record !== PING).at(-1)).toBe(CLOSE)
  })

  it('a client that goes on sending, or has never sent a ping, is kept', async () => {
    server = await startServer()
    const [sending, quiet] = [await openHub(server), await openHub(server)]
    sending.socket.send('{"type":6}\u001e')
    for (let round = 0; round < 4; round += 1) {
      await settled(sending)
      server.clock.advance(25_000)
    }
    expect(server.hubs.stats().open).toBe(2)
    await settled(quiet)
  })

  it('S54: no handshake within 15 s: «Handshake was canceled.», then the end', async () => {
    server = await startServer()
    const raw = await openSocket(server)
    await expect.poll(() => server.hubs.stats().webSocket).toBe(1)
    server.clock.advance(16_000)
    expect(await raw.next()).toBe('{"error":"Handshake was canceled."}')
    expect(await raw.closed).toBe(1000)
  })

  it('R24: after a sleep of the machine nobody counts as silent', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.send('{"type":6}\u001e')
    await settled(raw)
    server.clock.sleep(120_000)
    expect(server.hubs.stats().open).toBe(1)
  })

  it('a peer that does not answer the end of its connection is cut within 10 s', async () => {
    server = await startServer()
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `GET ${HUB} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer good\r\n\r\n',
    )
    await expect.poll(() => server.hubs.stats().webSocket).toBe(1)
    server.hubs.endSession(1)
    expect(server.hubs.stats().webSocket).toBe(1)
    server.clock.advance(6_000)
    await expect.poll(() => server.hubs.stats().webSocket).toBe(0)
    socket.destroy()
  })
})

describe('S52: a connection follows its session', () => {
  it('it is closed within 5 s of the end of the session, others stay', async () => {
    server = await startServer()
    server.accounts.issue('other', 2, 2, server.clock.wallMs() + 600_000)
    const [raw, other] = [await openHub(server), await openHub(server, '', bearer('other'))]
    server.accounts.ends.delete(1)
    await seconds(4)
    expect(await raw.next()).toBe(CLOSE)
    expect(await raw.closed).toBe(1000)
    await settled(other)
  })

  it('it is closed within 5 s of the end of its last valid token, not before', async () => {
    server = await startServer()
    const raw = await openHub(server)
    await seconds(599)
    expect(server.hubs.stats().open).toBe(1)
    await seconds(5)
    await raw.closed
    expect(raw.records.at(-1)).toBe(CLOSE)
  })

  it('a token renewed elsewhere, known to the session alone, keeps it', async () => {
    server = await startServer()
    const raw = await openHub(server)
    await seconds(590)
    server.accounts.ends.set(1, server.clock.wallMs() + 60_000)
    await seconds(55)
    expect(server.hubs.stats().open).toBe(1)
    await seconds(10)
    expect(await raw.closed).toBe(1000)
  })

  it('a fresh token of the same user, shown on a poll, keeps it even when sessions can not be checked', async () => {
    server = await startServer({ options: { liveSessions: () => Promise.reject(new Error('away')) } })
    const { accounts, clock, url, hubs } = server
    accounts.issue('short', 1, 1, clock.wallMs() + 10_000)
    const id = await negotiate(server, 'short')
    const poll = (token: string) => fetch(`${url}${HUB}?id=${id}`, { headers: bearer(token) })
    expect((await poll('short')).status).toBe(200)
    accounts.issue('fresh', 1, 1, clock.wallMs() + 20_000)
    const arrived = once(server.app.server, 'request')
    const waiting = poll('fresh')
    await arrived
    await turns()
    await seconds(13)
    expect(hubs.stats().connections).toBe(1)
    hubs.endSession(1)
    expect((await waiting).status).toBe(204)
  })

  it('when sessions can not be checked, or the check hangs, the last known end of the token applies', async () => {
    let answers: () => Promise<ReadonlyMap<number, number>> = () => Promise.reject(new Error('away'))
    server = await startServer({ options: { liveSessions: () => answers() } })
    const raw = await openHub(server)
    server.clock.advance(60_000)
    await turns()
    answers = () => new Promise(() => undefined)
    server.clock.advance(60_000)
    await turns()
    expect(server.hubs.stats().open).toBe(1)
    await seconds(485)
    await raw.closed
    expect(raw.records.at(-1)).toBe(CLOSE)
  })

  it('S10: all connections of a user are closed at once, on each transport and hub', async () => {
    server = await startServer()
    const raw = await openHub(server)
    const id = await negotiate(server)
    expect(server.hubs.endUser(2)).toBe(0)
    expect(server.hubs.endUser(1)).toBe(2)
    expect(await raw.next()).toBe(CLOSE)
    expect((await fetch(`${server.url}${HUB}?id=${id}`, { headers: bearer() })).status).toBe(404)
    expect(server.hubs.stats().sessions).toBe(0)
  })
})

describe('bounds', () => {
  it('S54: 1,000 messages at once end the connection, and those of others answer meanwhile', async () => {
    server = await startServer()
    const [raw, other] = [await openHub(server), await openHub(server)]
    for (let sent = 0; sent < 1_000; sent += 1) raw.socket.send('{"type":6}\u001e')
    expect(JSON.parse(await raw.next())).toEqual({ type: 7, error: 'Too many messages.', allowReconnect: true })
    await settled(other)
  })

  it('S54: among 2,000 connections, some of which flood or never read, each of the others gets each event once', async () => {
    const accounts = createAccounts()
    const clock = createManualClock()
    server = await startServer({ accounts, clock })
    const opened: RawSocket[] = []
    while (opened.length < 2_000) {
      const batch = Array.from({ length: 50 }, async (_, index) => {
        const user = 10 + ((opened.length + index) % 40)
        const token = accounts.issue(`user-${user}`, user, user, clock.wallMs() + 600_000)
        const raw = await openHub(server, '', bearer(token))
        raw.socket.send(invocation('JoinCommunicationStream', ['global'], '1'))
        await raw.next()
        return raw
      })
      opened.push(...(await Promise.all(batch)))
    }
    const [flooding, silent, others] = [opened.slice(0, 20), opened.slice(20, 40), opened.slice(40)]
    for (const raw of silent) raw.socket.pause()
    for (const raw of flooding) for (let sent = 0; sent < 1_000; sent += 1) raw.socket.send('{"type":6}\u001e')
    for (const word of ['un', 'deux', 'trois']) server.hubs.publish(HUB, 'global', 'alert', [word])
    const heard = await Promise.all(others.map(async raw => [await raw.next(), await raw.next(), await raw.next()]))
    expect(new Set(heard.map(records => records.map(record => JSON.parse(record).arguments[0]).join()))).toEqual(
      new Set(['un,deux,trois']),
    )
    await Promise.all(flooding.map(raw => raw.closed))
    const last = await openHub(server, '', bearer('user-10'))
    await settled(last)
    for (const raw of [...opened, last]) raw.socket.terminate()
  })

  it('100 messages a second are fine', async () => {
    server = await startServer()
    const raw = await openHub(server)
    for (let second = 0; second < 20; second += 1) {
      for (let sent = 0; sent < 98; sent += 1) raw.socket.send('{"type":6}\u001e')
      await settled(raw)
      server.clock.advance(1_000)
    }
    expect(server.hubs.stats().open).toBe(1)
  })

  it('a connection follows 512 streams at most, and no unreasonable name', async () => {
    server = await startServer({ methods: { Join: (connection, [stream]) => connection.join(String(stream)) } })
    const raw = await openHub(server)
    const join = async (stream: string) => {
      raw.socket.send(invocation('Join', [stream], 'j'))
      return JSON.parse(await raw.next()).result
    }
    for (let index = 0; index < 512; index += 1) expect(await join(`host:${index}`)).toBe(true)
    expect([await join('host:512'), await join('host:1')]).toEqual([false, true])
    expect(server.hubs.stats().streams).toBe(512)
    server.clock.advance(3_000)
    expect([await join(''), await join('x'.repeat(129))]).toEqual([false, false])
  })

  it('calls that wait behind a slow one are bounded', async () => {
    server = await startServer({
      limits: { pendingCallBytes: 1_000 },
      methods: { Never: () => new Promise(() => undefined) },
    })
    const raw = await openHub(server)
    for (let sent = 0; sent < 50; sent += 1) raw.socket.send(invocation('Never', [], String(sent)))
    expect(JSON.parse(await raw.next())).toMatchObject({ type: 7, error: 'Too many calls are waiting.' })
  })

  it('R22: a reader that stops reading is dropped at 1 MB of backlog; others receive everything', async () => {
    server = await startServer()
    const [slow, healthy] = [await openHub(server), await openHub(server)]
    for (const raw of [slow, healthy]) {
      raw.socket.send(invocation('JoinCommunicationStream', ['global'], '1'))
      await raw.next()
    }
    slow.socket.pause()
    const payload = 'x'.repeat(30_000)
    let sent = 0
    while (server.hubs.stats().open === 2 && sent < 2_000) {
      server.hubs.publish(HUB, 'global', 'alert', [sent, payload])
      sent += 1
      await healthy.next()
    }
    expect(server.hubs.stats().open).toBe(1)
    expect(sent).toBeGreaterThan(30)
    expect(healthy.records).toHaveLength(2 + sent)
    expect(server.logged.filter(line => line.includes('slow reader'))).toHaveLength(1)
  })
})

describe('R27: a graceful stop', () => {
  it('says goodbye to all with an invitation to come back, and is quick', async () => {
    server = await startServer()
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openHub(server)))
    const startMs = performance.now()
    await server.app.close()
    expect(performance.now() - startMs).toBeLessThan(1_000)
    for (const raw of sockets) {
      expect(await raw.closed).toBe(1000)
      expect(raw.records.at(-1)).toBe(CLOSE)
    }
  })

  it('cuts after a second those that do not answer', async () => {
    server = await startServer()
    const raw = await openHub(server)
    raw.socket.pause()
    const closed = server.app.close()
    while (server.hubs.stats().connections > 0) {
      await turns()
      server.clock.advance(100)
    }
    await closed
    raw.socket.terminate()
  })

  it('is not held by a socket that a browser opened and never used', async () => {
    server = await startServer()
    const socket = connect(server.port, '127.0.0.1')
    await new Promise<unknown>(resolve => server.app.server.once('connection', resolve))
    const startMs = performance.now()
    await server.app.close()
    expect(performance.now() - startMs).toBeLessThan(1_000)
    socket.destroy()
  })
})
