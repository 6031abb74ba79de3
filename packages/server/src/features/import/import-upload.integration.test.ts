import { request } from 'node:http'
import { importRoutes } from '@narval/contracts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let test: TestApp
let port = 0
beforeAll(async () => {
  test = await createTestApp()
  await test.app.http.listen({ host: '127.0.0.1', port: 0 })
  const address = test.app.http.addresses()[0]
  port = typeof address === 'object' ? address.port : 0
})
afterAll(() => test.close())

it('S35: a file is refused to who may not import its entity before its bytes are read', async () => {
  const { token } = (
    await (
      await test.admin()
    ).call('POST', '/api/ApiToken/Create', {
      ...{ name: 'x', claims: [{ claim: 'site_write' }] },
    })
  ).body
  const announced = async (entity: string) => {
    const answered = Promise.withResolvers<number>()
    const sent = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: `${importRoutes.file.path}?entity=${entity}&name=x.csv` },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'content-length': '1000000' },
    })
    sent.on('response', response => answered.resolve(response.statusCode ?? 0)).on('error', () => answered.resolve(0))
    // The rest of the file never comes: only what is refused at once is answered.
    sent.write('Code;Nom\n')
    const status = await answered.promise
    sent.destroy()
    return status
  }
  expect(await announced('host')).toBe(403)
  expect(await announced('metric')).toBe(403)
  expect(await announced('nothing')).toBe(400)
})
