import * as z from 'zod/mini'

/** A JSON Schema as it comes: `field-tree.ts` reads it. */
const schemaNode = z.record(z.string(), z.unknown())
export type SchemaNode = z.output<typeof schemaNode>
export type Schemas = Readonly<Record<string, SchemaNode>>

const content = z.optional(
  z.record(z.string(), z.object({ schema: z.optional(schemaNode), example: z.optional(z.unknown()) })),
)
const described = z.object({ description: z.string() })
const operationNode = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query']),
      required: z.boolean(),
      description: z._default(z.string(), ''),
      example: z.optional(z.union([z.string(), z.number()])),
      schema: schemaNode,
    }),
  ),
  requestBody: z.optional(z.object({ content })),
  security: z.array(z.record(z.string(), z.unknown())),
  responses: z.record(
    z.string(),
    z.object({ $ref: z.optional(z.string()), description: z.optional(z.string()), content }),
  ),
  'x-access': z.string(),
  'x-claim': z.optional(z.string()),
})
const documentNode = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationNode)),
  components: z.object({ schemas: z.record(z.string(), schemaNode), responses: z.record(z.string(), described) }),
})
type OperationNode = z.output<typeof operationNode>
type DocumentNode = z.output<typeof documentNode>

export type Parameter = OperationNode['parameters'][number]

export interface Reply {
  /** `200`, or `default`. */
  readonly status: string
  readonly description: string
  readonly schema: SchemaNode | null
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** Who may call, as a French sentence. */
  readonly access: string
  /** `open`, `self`, `user`, `probe` or `claim`. */
  readonly accessKind: string
  readonly claim: string | null
  readonly parameters: readonly Parameter[]
  readonly body: SchemaNode | null
  readonly example: unknown
  readonly success: Reply
  readonly refusals: readonly Reply[]
  /** The credentials that will do, any one of them: names of the security schemes that go together. */
  readonly credentials: readonly (readonly string[])[]
}

export interface Section {
  readonly name: string
  readonly description: string
  readonly operations: readonly Operation[]
}

export interface Reference {
  /** Of OpenAPI, then of the API. */
  readonly openapi: string
  readonly version: string
  readonly sections: readonly Section[]
  readonly schemas: Schemas
}

/** Reads the server's OpenAPI document. Throws when it is not one. */
export const readReference = (source: unknown): Reference => {
  const document = documentNode.parse(source)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, node]) => toOperation(document, method.toUpperCase(), path, node)),
  )
  const sections = document.tags.map(tag => ({
    ...tag,
    operations: operations.filter(operation => operation.tag === tag.name),
  }))
  return {
    openapi: document.openapi,
    version: document.info.version,
    sections: sections.filter(section => section.operations.length > 0),
    schemas: document.components.schemas,
  }
}

const JSON_TYPE = 'application/json'

const toOperation = (document: DocumentNode, method: string, path: string, node: OperationNode): Operation => {
  const replies = Object.entries(node.responses).map(
    ([status, response]): Reply => ({
      status,
      description: response.description ?? document.components.responses[lastPart(response.$ref)]?.description ?? '',
      schema: response.content?.[JSON_TYPE]?.schema ?? null,
    }),
  )
  const success = replies.find(reply => reply.status.startsWith('2'))
  const sent = node.requestBody?.content?.[JSON_TYPE]
  return {
    id: node.operationId,
    method,
    path,
    tag: node.tags[0] ?? '',
    summary: node.summary,
    access: node.description,
    accessKind: node['x-access'],
    claim: node['x-claim'] ?? null,
    parameters: node.parameters,
    body: sent?.schema ?? null,
    example: sent?.example,
    success: success ?? { status: '200', description: '', schema: null },
    refusals: replies.filter(reply => reply !== success),
    credentials: node.security.map(way => Object.keys(way)),
  }
}

const lastPart = (reference: string | undefined): string => reference?.split('/').at(-1) ?? ''
