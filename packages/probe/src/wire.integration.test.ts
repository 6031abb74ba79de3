import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { expect, it } from 'vitest'
import { openBadLine } from './testing/bad-line.ts'
import { createAuthority, type TestAuthority } from './testing/certificates.ts'
import { createTestServers } from './testing/check-kit.ts'
import { createWire, type WireRequest } from './wire.ts'

const servers = createTestServers()
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

it('S58: a server with another certificate than the one that was given is told nothing, and that is said', async () => {
  const ours = createAuthority()
  const theirs = createAuthority()
  const heard: string[] = []
  const listen = async (authority: TestAuthority): Promise<string> => {
    const { key, cert } = authority.issue('IP:127.0.0.1', 30)
    const server = createSecureServer({ key, cert }, (request, response) => {
      heard.push(`${request.method} ${request.url}`)
      response.end('ok')
    })
    return `https://127.0.0.1:${await servers.listen(server)}`
  }
  const ca = readFileSync(ours.caFile, 'utf8')
  const secret: WireRequest = {
    ...asked,
    method: 'POST',
    path: '/secret',
    body: Buffer.from('secret'),
    timeLimitMs: 5_000,
  }
  const right = createWire(new URL(await listen(ours)), ca)
  expect(await right.call(secret, NEVER)).toMatchObject({ kind: 'answer', status: 200 })
  heard.length = 0
  const wrong = createWire(new URL(await listen(theirs)), ca)
  const answer = await wrong.call(secret, NEVER)
  expect(answer.kind === 'failed' && answer.reason).toMatch(/certificat/)
  expect(heard).toEqual([])
  for (const one of [right, wrong]) one.close()
  for (const one of [ours, theirs]) one.remove()
  await servers.close()
})
