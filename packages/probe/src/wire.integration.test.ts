import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { openBadLine } from './testing/bad-line.ts'
import { createWire, type WireRequest } from './wire.ts'

const NEVER = new AbortController().signal
const asked: WireRequest = { method: 'GET', path: '/', headers: {}, body: null, timeLimitMs: 400 }

it('R34: one call that a dead connection swallowed costs no other: the next goes over a new one', async () => {
  const server = createServer((_, response) => setTimeout(() => response.end('ok'), 50))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const line = await openBadLine(typeof address === 'object' && address !== null ? address.port : 0)
  const wire = createWire(new URL(line.url), null)
  // Several connections are kept alive, as lanes and the long poll leave them.
  await Promise.all([1, 2, 3, 4].map(() => wire.call(asked, NEVER)))
  line.freeze()
  expect(await wire.call(asked, NEVER)).toMatchObject({ kind: 'failed' })
  expect(await wire.call(asked, NEVER)).toMatchObject({ kind: 'answer', status: 200 })
  wire.close()
  await line.close()
  server.close()
})
