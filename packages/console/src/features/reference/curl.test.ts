import { describe, expect, it } from 'vitest'
import { curlOf } from './curl.ts'
import type { Operation } from './document.ts'

const ORIGIN = 'https://narval.exemple.fr'
const operation = (change: Partial<Operation>): Operation => ({
  id: 'getSiteGet',
  method: 'GET',
  path: '/api/Site/Get',
  tag: 'Site',
  summary: 'Tous les sites',
  access: 'Tout compte connecté.',
  accessKind: 'user',
  claim: null,
  parameters: [],
  body: null,
  example: undefined,
  success: { status: '200', description: '', schema: null },
  refusals: [],
  credentials: [['session'], ['apiToken']],
  ...change,
})
const parameter = (name: string, place: 'path' | 'query', example?: string | number) => ({
  name,
  in: place,
  required: place === 'path',
  description: '',
  schema: {},
  ...(example === undefined ? {} : { example }),
})
const curl = (change: Partial<Operation>) => curlOf(operation(change), ORIGIN)

describe('the example command', () => {
  it('reads the token from a variable, never from the command', () => {
    expect(curl({})).toBe(`curl '${ORIGIN}/api/Site/Get' \\\n  -H "Authorization: Bearer $NARVAL_TOKEN"`)
  })

  it('fills the path and the query with the examples, leaves out what has none', () => {
    const parameters = [
      parameter('id', 'path', 7),
      parameter('ids', 'query', '1,2'),
      parameter('from', 'query', '2026-01-15T08:00:00Z'),
      parameter('term', 'query', 'été & co'),
      parameter('plan', 'query'),
    ]
    expect(curl({ path: '/api/Site/Get/{id}', parameters })).toContain(
      `'${ORIGIN}/api/Site/Get/7?ids=1,2&from=2026-01-15T08:00:00Z&term=%C3%A9t%C3%A9%20%26%20co'`,
    )
  })

  it('an API token needs no XSRF header; a session does, with the cookie of the origin', () => {
    const asToken = curl({ method: 'DELETE', credentials: [['session', 'xsrf'], ['apiToken']] })
    expect(asToken).toContain('curl -X DELETE ')
    expect(asToken).not.toContain('XSRF')
    const asSession = { method: 'POST', credentials: [['session', 'xsrf']] }
    expect(curl(asSession)).toContain('-b "__Host-XSRF-TOKEN=$XSRF_TOKEN" \\\n  -H "X-XSRF-TOKEN: $XSRF_TOKEN"')
    expect(curlOf(operation(asSession), 'http://127.0.0.1:8080')).toContain('-b "XSRF-TOKEN=$XSRF_TOKEN"')
    const open = curl({ method: 'POST', credentials: [['xsrf']] })
    expect([open?.includes('X-XSRF-TOKEN'), open?.includes('Authorization')]).toEqual([true, false])
  })

  it('sends the body as JSON, on lines of its own when long, its apostrophes safe for the shell', () => {
    const short = curl({ method: 'PUT', example: { name: "L'Atelier" } })
    expect(short).toContain(`-H 'Content-Type: application/json'`)
    expect(short).toContain(`-d '{"name":"L'\\''Atelier"}'`)
    const long = curl({ method: 'PUT', example: { name: 'x'.repeat(40), description: 'y'.repeat(40) } })
    expect(long).toContain(`-d '{\n  "name"`)
  })

  it('there is none for what only a probe can sign, nor any header for what is open to all', () => {
    expect(curl({ credentials: [['probe']] })).toBeNull()
    expect(curl({ credentials: [] })).toBe(`curl '${ORIGIN}/api/Site/Get'`)
  })
})
