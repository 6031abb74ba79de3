import { ALL_ROUTES, type Route, type Schema } from '@narval/contracts'
import * as z from 'zod/mini'

const jsonSchema = (schema: Schema, io: 'input' | 'output'): unknown => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const parameters = (route: Route): unknown[] => {
  const of = (schema: Schema | null, place: 'path' | 'query') => {
    const object = schema === null ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    const required = 'required' in object && Array.isArray(object.required) ? object.required : []
    return Object.entries('properties' in object ? (object.properties ?? {}) : {}).map(([name, one]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: one,
    }))
  }
  return [...of(route.params, 'path'), ...of(route.query, 'query')]
}

const accessText = (route: Route): string => {
  if (route.access === 'open') return 'Ouvert.'
  if (route.access === 'probe') return 'Signé par une sonde.'
  if (route.access === 'self') return 'Tout compte connecté, même à sa première connexion.'
  return route.access === 'user' ? 'Tout compte connecté.' : `Demande le droit « ${route.access} ».`
}

const operation = (route: Route): unknown => ({
  operationId: `${route.method.toLowerCase()}${route.path.slice(4).replace(/[/:.]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  tags: [route.path.split('/')[2] ?? ''],
  summary: route.summary,
  description: accessText(route),
  parameters: parameters(route),
  ...(route.body === null
    ? {}
    : {
        requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
      }),
  security: route.access === 'open' || route.access === 'probe' ? [] : [{ bearer: [] }],
  responses: {
    [route.status]: {
      description: 'Réponse',
      ...(route.reply === null
        ? {}
        : { content: { 'application/json': { schema: jsonSchema(route.reply, 'output') } } }),
    },
    default: {
      description: 'Refus ou erreur (RFC 9457)',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
})

/** OpenAPI 3.1 of every route, made from the very constants that are mounted. */
export const openApiDocument = (problem: Schema): Record<string, unknown> => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of ALL_ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Narval', version: '2.1', description: 'API de la console de supervision Narval.' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: jsonSchema(problem, 'output') },
    },
  }
}
