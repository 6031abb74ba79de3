import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { CSRF_COOKIE } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, type TestApp } from '../testing/test-app.ts'

let test: TestApp
let admin: Caller
beforeAll(async () => {
  test = await createTestApp()
  admin = await test.admin()
  await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
})
afterAll(() => test.close())

const signedHeaders = () => ({
  authorization: `Bearer ${admin.token}`,
  cookie: `${CSRF_COOKIE}=${admin.csrf}`,
  'x-xsrf-token': admin.csrf,
})

describe('S43: the type of a body', () => {
  it('tabs, spaces, capitals, a charset: read and checked all the same; anything else is refused, never skipped', async () => {
    const headers = signedHeaders()
    const statusOf = async (type: string | null, payload: string) =>
      (
        await test.app.http.inject({
          method: 'POST',
          url: '/api/Site/Create',
          headers: { ...headers, ...(type === null ? {} : { 'content-type': type }) },
          payload,
        })
      ).statusCode
    for (const type of [
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json ;charset=UTF-8',
      'application/json\t; charset=utf-8',
    ])
      expect([type, await statusOf(type, '{"name":1}')]).toEqual([type, 400])
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/ json',
      '\tapplication/json\ttext/plain',
      '',
      'application/json, text/plain',
      null,
    ])
      expect([type, [400, 415].includes(await statusOf(type, '{"name":1}'))]).toEqual([type, true])
    expect((await admin.call('GET', '/api/Site/Get')).body.map((site: { name: unknown }) => site.name)).toEqual([
      'Lyon',
    ])
  })
})

describe('S44: more than is reasonable', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  /**
   * What is still held once the garbage is gone, in MB. A collection that was under way keeps what it has already marked
   * (100 MB after 10,000 calls), so it is done again until it frees no more: what lasts stays however often.
   */
  const heldMb = async (): Promise<number> => {
    let held = Number.POSITIVE_INFINITY
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, 50))
      collect()
      const left = process.memoryUsage().heapUsed / 2 ** 20
      if (left > held - 0.5) return left
      held = left
    }
  }

  it('a body over the limit, deep nesting, a giant page, a compressed bomb: 4xx, and memory stays', async () => {
    const headers = { ...signedHeaders(), 'content-type': 'application/json' }
    const post = async (payload: string | Buffer, more: Record<string, string> = {}) =>
      (
        await test.app.http.inject({
          method: 'PUT',
          url: '/api/HostDatatable',
          headers: { ...headers, ...more },
          payload,
        })
      ).statusCode
    const before = await heldMb()
    expect(await post(`{"search":{"value":"${'x'.repeat(300_000)}"}}`)).toBe(413)
    expect(await post('['.repeat(10_000) + ']'.repeat(10_000))).toBe(400)
    expect(await post(`${'{"filters":'.repeat(5_000)}1${'}'.repeat(5_000)}`)).toBe(400)
    // The page is capped at 1,000 rows, as the protocol of lists says.
    expect(await post('{"length":1e9}')).toBe(200)
    expect(await post('{"start":1e308}')).toBe(400)
    const bomb = gzipSync(Buffer.alloc(20_000_000, 32))
    expect([400, 413, 415]).toContain(await post(bomb, { 'content-encoding': 'gzip' }))
    expect((await heldMb()) - before).toBeLessThan(5)
  })

  it('10,000 addresses that do not exist cost nothing that lasts', async () => {
    const ask = async (times: number) => {
      for (let index = 0; index < times; index++)
        await test.app.http.inject({ method: 'GET', url: `/assets/avatar/${index}.svg` })
    }
    // The first ones bring the heap to its working size.
    await ask(1_000)
    const before = await heldMb()
    await ask(10_000)
    expect((await heldMb()) - before).toBeLessThan(5)
  }, 60_000)

  it('headers that never end are cut off, and others are answered meanwhile', async () => {
    await test.app.http.listen({ host: '127.0.0.1', port: 0 })
    const address = test.app.http.addresses()[0]
    const port = typeof address === 'object' ? address.port : 0
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write('GET /api/Parameter/Public HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      return socket
    })
    const answer = await fetch(`http://127.0.0.1:${port}/api/Parameter/Public`)
    expect(answer.status).toBe(200)
    const flood = connect(port, '127.0.0.1')
    flood.on('error', () => undefined)
    const said = new Promise<string>(resolve => flood.on('data', chunk => resolve(String(chunk))))
    flood.write(`GET /api/Parameter/Public HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`)
    expect(await said).toContain(' 431 ')
    expect(test.app.http.server.headersTimeout).toBeLessThanOrEqual(60_000)
    for (const socket of [...sockets, flood]) socket.destroy()
  })
})
