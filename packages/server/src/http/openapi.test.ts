import { readFileSync } from 'node:fs'
import { ALL_ROUTES, CLAIMS, problem, type Route } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { FIELD_WORD_SETS, FIELD_WORDS } from './openapi-fields.ts'
import { french, PARAMETER_WORDS, TAG_TEXTS } from './openapi-words.ts'

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
/** The value at a place, by its keys; an empty object where there is nothing. */
const at = (value: unknown, ...keys: readonly string[]): Node =>
  keys.reduce<Node>((node, key) => (isNode(node[key]) ? node[key] : {}), isNode(value) ? value : {})
const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

/** What a client would receive. */
const document: unknown = JSON.parse(JSON.stringify(openApiDocument(problem)))
const operations = Object.entries(at(document, 'paths')).flatMap(([path, item]) =>
  Object.entries(at(item)).map(([method, operation]) => ({ path, method, operation: at(operation) })),
)
const pathOf = (route: Route): string => route.path.replace(/:(\w+)/g, '{$1}')
const operationOf = (route: Route): Node => at(document, 'paths', pathOf(route), route.method.toLowerCase())

/** Every object of the document with its place. */
const nodes = (value: unknown, place = '#'): { node: Node; place: string }[] =>
  isNode(value)
    ? [{ node: value, place }, ...Object.entries(value).flatMap(([key, one]) => nodes(one, `${place}/${key}`))]
    : []

describe('the OpenAPI document', () => {
  it('holds each route once, with who may call it, and nothing else', () => {
    expect(operations.map(({ path, method }) => `${method} ${path}`).toSorted()).toEqual(
      ALL_ROUTES.map(route => `${route.method.toLowerCase()} ${pathOf(route)}`).toSorted(),
    )
    for (const route of ALL_ROUTES) {
      const said = operationOf(route)
      const claim = CLAIMS.find(one => one === route.access)
      expect([pathOf(route), said['x-access'], said['x-claim']]).toEqual([
        pathOf(route),
        claim === undefined ? route.access : 'claim',
        claim,
      ])
      expect([pathOf(route), at(said, 'responses')[String(route.status)]]).not.toContain(undefined)
    }
  })

  it('says the version of OpenAPI and of the package', () => {
    const made: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(at(document).openapi).toMatch(/^3\.1\.\d+$/)
    expect(at(document, 'info').version).toBe(at(made).version)
    expect(at(document, 'info').title).toBe('Narval')
  })

  it('names each operation once, with a summary, an access text and a described tag', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = list(at(document).tags)
    for (const { path, operation } of operations) {
      const [tag, ...others] = Array.isArray(operation.tags) ? operation.tags : []
      expect([path, others, tags.filter(one => one.name === tag).length]).toEqual([path, [], 1])
      expect([path, operation.summary, operation.description]).not.toContain('')
    }
    const undescribed = tags.filter(one => TAG_TEXTS[String(one.name)] === undefined).map(one => one.name)
    expect(undescribed, 'say in openapi-words.ts what these controllers are about').toEqual([])
  })

  it('declares exactly the parameters of each path, required, and describes every parameter', () => {
    for (const { path, method, operation } of operations) {
      const parameters = list(operation.parameters)
      const inPath = parameters.filter(one => one.in === 'path')
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      expect([method, path, inPath.map(one => one.name)]).toEqual([method, path, wanted])
      expect(inPath.every(one => one.required === true)).toBe(true)
      expect(new Set(parameters.map(one => `${one.in} ${one.name}`)).size).toBe(parameters.length)
      for (const one of parameters)
        expect([path, one.name, typeof one.description, typeof one.schema]).toEqual([
          path,
          one.name,
          'string',
          'object',
        ])
    }
  })

  it('resolves every reference, within itself', () => {
    const references = nodes(document).flatMap(({ node }) => (typeof node.$ref === 'string' ? [node.$ref] : []))
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\/components\/(schemas|responses)\/\w+$/)
      expect([reference, Object.keys(at(document, ...reference.slice(2).split('/'))).length]).not.toEqual([
        reference,
        0,
      ])
    }
    const named = Object.keys(at(document, 'components', 'schemas')).map(name => `#/components/schemas/${name}`)
    expect(named.filter(name => !references.includes(name))).toEqual([])
  })

  it('says refusals in problem+json: 400 for what is parsed, 401 and 403 for accounts, 404 by id, 429 everywhere', () => {
    for (const route of ALL_ROUTES) {
      const answers = Object.keys(at(operationOf(route), 'responses'))
      const wanted = [
        ...(route.params === null && route.query === null && route.body === null ? [] : ['400']),
        ...(route.access === 'open' ? [] : ['401']),
        ...(CLAIMS.some(claim => claim === route.access) ? ['403'] : []),
        ...(route.params === null ? [] : ['404']),
        ...(route.method === 'DELETE' ? ['409'] : []),
        '429',
        'default',
      ]
      expect([route.path, wanted.filter(status => !answers.includes(status))]).toEqual([route.path, []])
    }
    for (const [name, response] of Object.entries(at(document, 'components', 'responses')))
      expect([name, at(response, 'content', 'application/problem+json', 'schema').$ref]).toEqual([
        name,
        '#/components/schemas/Problem',
      ])
  })

  it('asks for the credentials that the server asks for, each declared', () => {
    const declared = Object.keys(at(document, 'components', 'securitySchemes'))
    for (const route of ALL_ROUTES) {
      const ways = list(operationOf(route).security).map(one => Object.keys(one).toSorted().join('+'))
      const session = route.csrf ? 'session+xsrf' : 'session'
      const wanted =
        route.access === 'probe'
          ? ['probe']
          : route.access === 'open'
            ? route.csrf
              ? ['xsrf']
              : []
            : route.sessionOnly
              ? [session]
              : [session, 'apiToken', ...(route.access === 'display' ? ['displayToken'] : [])]
      expect([route.path, ways]).toEqual([route.path, wanted])
      expect(ways.flatMap(way => way.split('+')).filter(name => !declared.includes(name))).toEqual([])
    }
  })

  it('gives each body an example that the server accepts', () => {
    for (const route of ALL_ROUTES) {
      if (route.rawLimit !== null) {
        const content = at(operationOf(route), 'requestBody', 'content')
        expect(Object.keys(content)).toEqual(['text/csv', 'application/octet-stream'])
        expect(at(content, 'text/csv', 'schema').format).toBe('binary')
        continue
      }
      if (route.body === null) continue
      const example = at(operationOf(route), 'requestBody', 'content', 'application/json').example
      const parsed = route.body.safeParse(example)
      expect([route.path, parsed.success, parsed.error?.issues]).toEqual([route.path, true, undefined])
    }
  })

  it('gives parameters examples that the server accepts', () => {
    for (const route of ALL_ROUTES) {
      const parameters = list(operationOf(route).parameters)
      const given = (place: string) =>
        Object.fromEntries(
          parameters
            .filter(one => one.in === place && one.example !== undefined)
            .map(one => [String(one.name), String(one.example)]),
        )
      expect([route.path, route.params?.safeParse(given('path')).success ?? true]).toEqual([route.path, true])
      expect([route.path, route.query?.safeParse(given('query')).success ?? true]).toEqual([route.path, true])
    }
  })

  it('is written in French typography, and uses every word that it has', () => {
    const texts = nodes(document).flatMap(({ node }) => [node.summary, node.description])
    const sentences = texts.filter(text => typeof text === 'string')
    expect(sentences.filter(text => / [:;?!»]|« |'/.test(text))).toEqual([])
    const used = new Set(nodes(document).map(({ node }) => node.description))
    const words = { ...FIELD_WORDS, ...PARAMETER_WORDS }
    const unused = Object.entries(words).filter(([, word]) => {
      const text = typeof word === 'string' ? word : word.text
      return text !== undefined && !used.has(french(text))
    })
    expect(unused.map(([name]) => name)).toEqual([])
  })

  it('says each field once: no word hides another', () => {
    const names = FIELD_WORD_SETS.flatMap(set => Object.keys(set))
    expect(names.filter((name, rank) => names.indexOf(name) !== rank)).toEqual([])
  })
})
