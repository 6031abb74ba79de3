import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

let test: TestApp
let probe: TestProbe
beforeAll(async () => {
  test = await createTestApp()
  const admin = await test.admin()
  const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
  await admin.make('/api/Host/Create', { name: 'sw-1', address: '192.0.2.1', siteId: site.id })
  probe = await enrolTestProbe(test)
})
afterAll(() => test.close())

const result = {
  scanner: 1,
  at: Date.now(),
  durationMs: 1,
  failure: { code: 'timeout', message: 'délai dépassé' },
  values: { rtt_avg: 1, 'disk_free[/]': 2 },
  labels: { '/': 'racine' },
  events: [{ at: Date.now(), severity: 'error', source: 's', text: 't' }],
}
const health = {
  version: '1',
  backlog: 0,
  lagMs: 0,
  checksPerSecond: 1,
  late: 0,
  dropped: 0,
  cpuRatio: 0,
  memoryBytes: 1,
}
const batch = { bootId: 'a'.repeat(32), lane: 'live', sequence: 1, sentAt: Date.now(), health, results: [result] }
const outcome = { kind: 'test', at: 1, durationMs: 1, failure: null, values: {}, details: [{ label: 'a', text: 'b' }] }
const calls = [
  ['/api/Probe/Results', batch],
  ['/api/Probe/Answer', { order: 'x', outcome }],
  ['/api/Probe/Answer', { order: 'x', outcome: { kind: 'refused', message: 'non' } }],
  ['/api/Probe/Rotate', { publicKey: 'AAAA', proof: 'AAAA' }],
] as const

/** A value with one of its places, however deep, given another content, or taken away. */
const mutated = (value: unknown, path: readonly number[], replacement: unknown): unknown => {
  if (typeof value !== 'object' || value === null || path.length === 0) return replacement
  const entries = Object.entries(value)
  const at = (path[0] ?? 0) % Math.max(1, entries.length)
  const changed = entries.flatMap(([key, one], index): [string, unknown][] => {
    if (index !== at) return [[key, one]]
    return replacement === undefined && path.length === 1 ? [] : [[key, mutated(one, path.slice(1), replacement)]]
  })
  return Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed)
}

/** As a URL writes it: what is signed is what is sent. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(undefined, null, -1, 1e308, 2 ** 53, '', '\u0000', '__proto__', 'x'.repeat(100_000), [], {}, [[[]]]),
)

it('R35: whatever a probe signs and sends, it is taken or refused in words: never a 500, and the server goes on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.array(fc.nat(20), { maxLength: 6 }),
      odd,
      async (call, path, one) => {
        const answer = await probe.call('POST', call[0], mutated(call[1], path, one) ?? null)
        expect([200, 204, 400, 403, 404, 409, 413, 422]).toContain(answer.status)
        if (answer.status >= 400) expect(answer.body.errors.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 1_500 },
  )
  expect((await probe.call('GET', '/api/Probe/Orders?after=0&revision=&wait=0')).status).toBe(200)
})

it('R35: whatever the query of its long poll says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 50 }), fc.string({ maxLength: 200 }), async (name, value) => {
      const query = `${encoded(name)}=${encoded(value)}&revision=${encoded(value)}&wait=0`
      const { status } = await probe.call('GET', `/api/Probe/Orders?${query}`)
      expect([200, 400]).toContain(status)
    }),
    { numRuns: 300 },
  )
})
