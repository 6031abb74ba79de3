import { createServer, type RequestListener } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import type { ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestServers, runCheck } from '../testing/check-kit.ts'
import { itSurvives } from '../testing/hostile.ts'
import { freePort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { createTestService, type TestService } from '../testing/service.ts'

const CANARY = 'canari-44ab'
const LOGIN = { credential: { kind: 'http', username: 'supervision', password: CANARY } } as const
const run = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
  runCheck('openmetrics', parameters, { timeoutMs: 10_000, ...more })
const one = (selector: string, more: object = {}) => ({ name: 'x', selector, ...more })
const servers = createTestServers()
afterEach(() => servers.close())
const exporter = async (handler: RequestListener): Promise<string> =>
  `http://{address}:${await servers.listen(createServer(handler))}/metrics`
const saying = (text: string | Buffer, headers: Record<string, string> = {}): Promise<string> =>
  exporter((_, response) => response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(text))

const program = findProgram('prometheus-node-exporter')
describe.skipIf(program === null)('openmetrics, against node exporter (needs prometheus-node-exporter)', () => {
  let service: TestService
  let port = 0
  beforeAll(async () => {
    service = createTestService('exporter')
    port = await freePort()
    await service.start(program ?? '', [`--web.listen-address=127.0.0.1:${port}`], [port])
  })
  afterAll(() => service.stop())

  it('measures the chosen series, and shows all those that could be', async () => {
    const series = [
      { name: 'Charge', selector: 'node_load1' },
      { name: 'Inactivité', selector: 'node_cpu_seconds_total{mode="idle"}', type: 'counter', unit: 'ratio' },
      { name: 'Processeurs', selector: 'node_cpu_seconds_total{mode="idle"}', aggregation: 'count', unit: 'count' },
      { name: 'Absente', selector: 'nothing_of_the_kind' },
    ]
    const outcome = await run({ url: `http://{address}:${port}/metrics`, series })
    expect(outcome.failure).toBeNull()
    expect(outcome.values['series[Charge]']).toBeGreaterThanOrEqual(0)
    expect(outcome.values['series[Inactivité]']).toBeGreaterThan(1)
    expect(outcome.values['series[Processeurs]']).toBeGreaterThanOrEqual(1)
    expect(outcome.values).not.toHaveProperty('series[Absente]')
    expect(outcome.values.exposed).toBeGreaterThan(100)
    const [chosen, all] = (outcome.details?.() ?? []).map(detail => detail.text)
    expect(chosen).toContain('Absente\u202f: aucune série pour nothing_of_the_kind')
    expect(all).toMatch(/^go_goroutines \d+$/m)
  })
})

describe('openmetrics, against servers of the test', () => {
  it('reads OpenMetrics up to its end, and nothing after it', async () => {
    const url = await saying('# TYPE a gauge\na{b="1"} 1\na{b="2"} 2 # {t="x"} 1\n# EOF\nthis is not read\n')
    const outcome = await run({ url, series: [one('a', { aggregation: 'max' })] })
    expect([outcome.failure, outcome.values['series[x]'], outcome.values.exposed]).toEqual([null, 2, 2])
  })

  it.each([
    ['a page of the web', '<!DOCTYPE html><html></html>', 'la réponse est une page web'],
    ['another text', '{"status":"ok"}', 'ligne 1 incompréhensible'],
    ['nothing', '# HELP a b\n', 'la réponse ne contient aucune série'],
    ['bytes that were not asked to be packed', gzipSync('a 1\n'.repeat(1_000_000)), 'réponse compressée'],
    ['a line of 100 KiB', `a{b="${'x'.repeat(100_000)}"} 1\n`, 'ligne 1 incompréhensible'],
    ['a broken line among good ones', 'a 1\nb 2\nc{ 3\n', 'ligne 3 incompréhensible\u202f: «\u202fc{ 3\u202f»'],
  ])('%s is said', async (_, text, message) => {
    const { failure } = await run({ url: await saying(text), series: [one('a')] })
    expect(failure).toMatchObject({ code: 'protocol', message: expect.stringContaining(message) })
  })

  it('other statuses, wrong credentials and a wrong expression are said; no secret is', async () => {
    const heard: (string | undefined)[] = []
    const url = await exporter((request, response) => {
      heard.push(request.headers.authorization)
      const right = `Basic ${Buffer.from(`supervision:${CANARY}`).toString('base64')}`
      response.writeHead(request.headers.authorization === right ? 200 : 401).end('a 1\n')
    })
    expect((await run({ url })).failure).toEqual({ code: 'mismatch', message: 'code de réponse 401, attendu 200' })
    const good = await run({ url, authentication: 'host' }, LOGIN)
    expect(good.failure).toBeNull()
    const wrong = { credential: { ...LOGIN.credential, password: `${CANARY}-faux` } }
    const bad = await run({ url, authentication: 'host' }, wrong)
    expect(bad.failure).toEqual({ code: 'credentials', message: 'Identifiants refusés (code de réponse 401)' })
    expect((await run({ url, authentication: 'host' })).failure?.code).toBe('credentials')
    expect(JSON.stringify([good, good.details?.(), bad, bad.details?.()])).not.toContain('canari')
    expect(heard).toHaveLength(3)
    const pattern = await run({ url, series: [one('a{b=~"("}')] })
    expect(pattern.failure?.message).toBe('expression régulière incorrecte ou trop longue\u202f: (')
    const elsewhere = await run({ url: url.replace('{address}', '127.0.0.2'), authentication: 'host' }, LOGIN)
    expect(elsewhere.failure?.code).toBe('denied')
  })

  it('an answer without end is cut at 16 MiB', async () => {
    const url = await exporter((_, response) => {
      const lines = `${'a{b="c"} 1\n'.repeat(6_000)}`
      const go = (): void => {
        if (!response.destroyed) response.write(lines, go)
      }
      response.writeHead(200)
      go()
    })
    const { failure } = await run({ url, series: [one('a')] })
    expect(failure).toEqual({
      code: 'protocol',
      message: 'réponse de plus de 16 Mio\u202f: l’exportateur en dit trop',
    })
  })

  it('hundreds of thousands of series with labels of their own hold neither the memory nor other work', async () => {
    const text = Array.from({ length: 300_000 }, (_, n) => `a${n % 5_000}{id="${n}",path="/x/y/z"} ${n}`).join('\n')
    const url = await saying(text)
    const series = [one('{__name__=~"a1.*",id=~".*9"}', { aggregation: 'count' }), { name: 'y', selector: 'a7' }]
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const outcome = await run({ url, series }, { timeoutMs: 60_000 })
    delay.disable()
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toMatchObject({ exposed: 300_000 })
    expect(outcome.values['series[x]']).toBeGreaterThan(1_000)
    // Slices of 10 ms; the rest is the test's own server, which is in this process too.
    expect(delay.percentile(90) / 1e6).toBeLessThan(60)
    expect(outcome.details?.()[1]?.text.length).toBeLessThanOrEqual(16_384)
  })

  it('the reading ends with the time limit of the check', async () => {
    const url = await saying(
      'a{b="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} 1\n'.repeat(150_000),
    )
    const slow = Array.from({ length: 50 }, (_, n) => ({ name: `n${n}`, selector: 'a{b=~"(a|b|ab)*c(.*d){20}"}' }))
    const startedMs = performance.now()
    const { failure } = await run({ url, series: slow }, { timeoutMs: 1_500 })
    expect(failure).toMatchObject({ code: 'timeout' })
    expect(performance.now() - startedMs).toBeLessThan(3_500)
  })

  itSurvives((port, timeoutMs) => run({ url: `http://{address}:${port}/metrics` }, { timeoutMs }))
})
