import { CSRF_COOKIE, CSRF_HEADER, LOGO_SIDE } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodePng, encodePng } from '../../picture-png.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

const pngOf = (side: number): Promise<Buffer> =>
  encodePng({ width: side, height: side, rgba: Buffer.alloc(side * side * 4, 120) })

describe.each(DIALECTS)('the picture of the product, on %s', dialect => {
  let test: TestApp
  let admin: Caller

  beforeEach(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
  })
  afterEach(() => test.close())

  const send = (caller: Caller, payload: Buffer) =>
    test.app.http.inject({
      ...{ method: 'PUT', url: '/api/Parameter/Logo', payload },
      headers: {
        ...{ authorization: `Bearer ${caller.token}`, 'content-type': 'application/octet-stream' },
        ...{ [CSRF_HEADER]: caller.csrf, cookie: `${CSRF_COOKIE}=${caller.csrf}` },
      },
    })
  const shown = async (): Promise<string> => (await test.anonymous().call('GET', '/api/Parameter/Public')).body.logo

  it('is Narval’s until another is chosen, which all see before signing in; the log tells it, and it goes again', async () => {
    expect(await shown()).toBe('')
    expect((await send(admin, await pngOf(LOGO_SIDE))).statusCode).toBe(200)
    const address = await shown()
    expect(address).toMatch(/^\/logo\/[0-9a-f]{32}\.png$/)
    const picture = await test.app.http.inject({ method: 'GET', url: address })
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png'])
    expect(picture.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    expect(await decodePng(picture.rawPayload, LOGO_SIDE)).toMatchObject({ width: LOGO_SIDE })
    expect((await test.app.http.inject({ method: 'GET', url: '/logo/autre.png' })).statusCode).toBe(404)
    expect((await admin.call('DELETE', '/api/Parameter/Logo')).body.logo).toBe('')
    expect((await test.app.http.inject({ method: 'GET', url: address })).statusCode).toBe(404)
    const rows = await test.database.db
      .selectFrom('audit')
      .select('detail')
      .where('action', '=', 'parameter-update')
      .orderBy('id')
      .execute()
    expect(rows.map(({ detail }) => JSON.parse(detail).changes.logo)).toEqual([
      { before: '', after: address },
      { before: address, after: '' },
    ])
  })

  it('S46: nothing but a plain PNG of its size is taken, from whoever may set up the platform', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const wrong of [svg, await pngOf(64), Buffer.concat([await pngOf(LOGO_SIDE), svg])])
      expect((await send(admin, wrong)).statusCode).toBe(400)
    const reader = await test.user(['service_read'])
    expect((await send(reader, await pngOf(LOGO_SIDE))).statusCode).toBe(403)
    expect(await shown()).toBe('')
  })
})
