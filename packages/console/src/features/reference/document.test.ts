import { describe, expect, it } from 'vitest'
import { readReference } from './document.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Narval', version: '1.2.3' },
  tags: [
    { name: 'Empty', description: 'Rien' },
    { name: 'Site', description: 'Sites' },
  ],
  paths: {
    '/api/Site/Create': {
      post: {
        operationId: 'postSiteCreate',
        tags: ['Site'],
        summary: 'Créer un site',
        description: 'Demande le droit.',
        parameters: [],
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' }, example: {} } } },
        security: [{ session: [], xsrf: [] }, { apiToken: [] }],
        responses: {
          '201': { description: 'Créé.', content: { 'application/json': { schema: { type: 'array' } } } },
          '409': { $ref: '#/components/responses/Conflict' },
        },
        'x-access': 'claim',
        'x-claim': 'site_write',
      },
    },
  },
  components: { schemas: { Site: { type: 'object' } }, responses: { Conflict: { description: 'Conflit.' } } },
}

describe('the OpenAPI document as it is read', () => {
  it('gives the controllers that have operations, and of each operation all that its card shows', () => {
    const { version, sections, schemas } = readReference(DOCUMENT)
    expect([version, sections.map(section => section.name), Object.keys(schemas)]).toEqual([
      '1.2.3',
      ['Site'],
      ['Site'],
    ])
    expect(sections[0]?.operations).toEqual([
      {
        id: 'postSiteCreate',
        method: 'POST',
        path: '/api/Site/Create',
        tag: 'Site',
        summary: 'Créer un site',
        access: 'Demande le droit.',
        accessKind: 'claim',
        claim: 'site_write',
        parameters: [],
        body: { type: 'object' },
        example: {},
        success: { status: '201', description: 'Créé.', schema: { type: 'array' } },
        refusals: [{ status: '409', description: 'Conflit.', schema: null }],
        credentials: [['session', 'xsrf'], ['apiToken']],
      },
    ])
  })

  it('what is not such a document is refused', () => {
    expect(() => readReference({ openapi: '3.1.0' })).toThrow()
    expect(() => readReference(null)).toThrow()
  })
})
