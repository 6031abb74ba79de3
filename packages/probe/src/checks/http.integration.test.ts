import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestServers, runCheck } from '../testing/check-kit.ts'

const servers = createTestServers()
afterEach(() => servers.close())
const web = async (handler: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await servers.listen(createServer(handler))}/`
const saying = (text: string | Buffer): Promise<string> => web((_, response) => void response.end(text))
const textOf = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString()
const login = { kind: 'http' as const, username: 'narval', password: 'jeton-secret' }

describe('http: what an answer must say', () => {
  it('a pattern is looked for anywhere in the answer', async () => {
    const url = await saying('service : ÉTAT = prêt\n')
    expect((await runCheck('http', { url, pattern: 'état\\s*=\\s*prêt' })).failure).toEqual({
      code: 'mismatch',
      message: 'la réponse ne vérifie pas le motif « état\\s*=\\s*prêt »',
    })
    expect((await runCheck('http', { url, pattern: '(?i)état\\s*=\\s*(prêt|ok)' })).failure).toBeNull()
  })

  it('S41: an exploding pattern on a long answer takes no time from others', async () => {
    const url = await saying('a'.repeat(50_000))
    const startedMs = performance.now()
    const outcome = await runCheck('http', { url, pattern: '(a+)+b' })
    expect(outcome.failure?.code).toBe('mismatch')
    expect(performance.now() - startedMs).toBeLessThan(1_000)
    expect((await runCheck('http', { url, pattern: '(?=a)' })).failure?.message).toBe(
      'motif attendu incorrect ou trop complexe',
    )
  })

  it('a number at a JSON path is measured, a text is compared', async () => {
    const url = await saying(JSON.stringify({ disques: [{ libre: 0.25, nom: 'sda' }], prêt: true }))
    const at = (jsonPath: string, jsonValue = '') => runCheck('http', { url, jsonPath, jsonValue })
    expect((await at('disques[0].libre')).values.json_value).toBe(0.25)
    expect((await at('prêt')).values.json_value).toBe(1)
    expect(await at('disques[0].nom', 'sda')).toMatchObject({ failure: null })
    expect((await at('disques[0].nom', 'sdb')).failure?.message).toBe('disques[0].nom vaut « sda », attendu « sdb »')
    expect((await at('disques[1].libre')).failure?.message).toBe('rien au chemin disques[1].libre de la réponse JSON')
    for (const path of ['__proto__', 'constructor.name', 'disques.length'])
      expect((await at(path)).failure?.message).toBe(`rien au chemin ${path} de la réponse JSON`)
  })

  it('what is no JSON, or nested without end, is said', async () => {
    expect((await runCheck('http', { url: await saying('<html>'), jsonPath: 'a' })).failure?.code).toBe('protocol')
    const deep = await saying(`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)
    expect((await runCheck('http', { url: deep, jsonPath: 'a', jsonValue: 'x' })).failure?.code).toMatch(
      /mismatch|protocol/,
    )
  })
})

describe('http: what is sent', () => {
  it('the method, the headers and the body that were given', async () => {
    const url = await web(async (request, response) => {
      response.end(
        `${request.method} ${request.headers['x-cle']} ${request.headers['content-type']} ${await textOf(request)}`,
      )
    })
    const headers = [
      { name: 'X-Cle', value: 'valeur' },
      { name: 'Content-Type', value: 'application/json' },
    ]
    const body = '{"question":"été"}'
    const outcome = await runCheck('http', {
      url,
      method: 'PUT',
      headers,
      body,
      contains: `PUT valeur application/json ${body}`,
    })
    expect(outcome.failure).toBeNull()
    expect(outcome.details?.()[0]).toMatchObject({ label: 'Réponse 200' })
  })

  it('a token where it is asked for, and its secret is nowhere in the outcome', async () => {
    const url = await web((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer jeton-secret' ? 200 : 401
      response.end('bonjour')
    })
    const outcome = await runCheck('http', { url, authentication: 'bearer' }, { credential: login })
    expect(outcome.failure).toBeNull()
    expect(JSON.stringify([outcome, outcome.details?.()])).not.toContain('jeton-secret')
    const wrong = await runCheck('http', { url, authentication: 'host' }, { credential: login })
    expect(wrong.failure).toEqual({ code: 'credentials', message: 'Identifiants refusés (code de réponse 401)' })
  })

  it('S50: past a redirect to another origin, neither headers, nor body, nor token', async () => {
    let seen = ''
    const other = await web(async (request, response) => {
      seen = JSON.stringify(request.headers) + (await textOf(request))
      response.end()
    })
    const url = await web((_, response) => void response.writeHead(307, { location: other }).end())
    const headers = [{ name: 'X-Cle', value: 'canari' }]
    await runCheck(
      'http',
      { url, method: 'POST', headers, body: 'canari', authentication: 'bearer' },
      { credential: login },
    )
    expect(seen).not.toBe('')
    expect(seen).not.toMatch(/canari|jeton/)
  })

  it('a check says its own headers: others can’t, nor slip a line in', async () => {
    for (const header of [
      { name: 'Host', value: 'ailleurs' },
      { name: 'Transfer-Encoding', value: 'chunked' },
      { name: 'X', value: 'a\r\nY: b' },
      { name: 'X Y', value: 'a' },
    ]) {
      const outcome = await runCheck('http', { url: 'http://127.0.0.1:1/', headers: [header] })
      expect(outcome.failure?.message).toMatch(/^paramètres du contrôle incorrects/)
    }
  })
})
