import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { ProbeCheck } from '@narval/contracts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestServers } from './testing/check-kit.ts'
import { type ProbeProcesses, prepareProbeProcesses } from './testing/probe-process.ts'
import type { WireServer } from './testing/wire-server.ts'

const CANARY = 'canari-9b27e4'
const BASIC = Buffer.from(`supervision:${CANARY}`).toString('base64')

let probes: ProbeProcesses
let folder: string
let server: WireServer
let heard: (string | undefined)[]
let port = 0
const targets = createTestServers()
const waiting = new Set<() => void>()
const start = () => probes.start({ NARVAL_LOG: 'trace' })

beforeEach(async () => {
  probes = await prepareProbeProcesses()
  folder = probes.folder
  server = probes.server
  heard = []
  port = await targets.listen(
    createServer((request, response) => {
      heard.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === `Basic ${BASIC}` ? 200 : 401).end()
      for (const tell of waiting) tell()
    }),
  )
})
afterEach(async () => {
  await probes.end()
  await targets.close()
})

const check = (scanner: number, more: Partial<ProbeCheck> = {}): ProbeCheck => ({
  scanner,
  kind: 'http',
  address: '127.0.0.1',
  intervalMs: 300,
  retryIntervalMs: 300,
  attempts: 3,
  timeoutMs: 250,
  parameters: { url: `http://{address}:${port}/`, authentication: 'host' },
  loopback: true,
  ...more,
})
const WITH = { credential: { kind: 'http', username: 'supervision', password: CANARY } } as const
/** Settles when the target was asked so often. */
const asked = (times: number): Promise<void> =>
  new Promise(resolve => {
    const look = (): void => {
      if (heard.length < times) return
      waiting.delete(look)
      resolve()
    }
    waiting.add(look)
    look()
  })
const onDisk = (): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

it('S59: a probe shows credentials to the equipment, and keeps them in none of its files, logs or results', async () => {
  const anonymous = { url: `http://{address}:${port}/`, status: '401' }
  server.configure([check(1, WITH), check(2, { parameters: anonymous })])
  const first = start()
  await server.until(() => server.committed.flatMap(batch => batch.results).length > 6)
  const results = server.committed.flatMap(batch => batch.results)
  expect(results.every(result => result.failure === null)).toBe(true)
  expect(new Set(heard)).toEqual(new Set([`Basic ${BASIC}`, undefined]))
  for (const text of [onDisk(), first.said(), JSON.stringify(server.posted)])
    for (const secret of [CANARY, BASIC]) expect(text).not.toContain(secret)
  expect(onDisk()).toContain('"scanner":2')

  // While the server is away, a probe that starts again goes on with what was sealed for it.
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await server.down()
  heard.length = 0
  const second = start()
  await asked(4)
  expect(new Set(heard)).toEqual(new Set([`Basic ${BASIC}`, undefined]))
  expect(onDisk()).not.toContain(CANARY)

  // Somebody who copies the configuration without the probe's own key has nothing: its checks say so, nothing is shown.
  second.child.kill('SIGKILL')
  await once(second.child, 'exit')
  const file = join(folder, 'identity.json')
  const { sealKey: _, ...others }: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(others))
  heard.length = 0
  start()
  await asked(3)
  expect(new Set(heard)).toEqual(new Set([undefined]))
  // The server seals again for its new key.
  await server.listen()
  await server.until(() => server.posted.some(({ text }) => text.includes('Identifiants illisibles')))
})
