import { describe, expect, it } from 'vitest'
import type { SchemaNode } from './document.ts'
import { fieldTree, parameterFields } from './field-tree.ts'

const SCHEMAS = {
  Site: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } }, required: ['id'] },
  Account: { type: 'object', properties: {} },
  Node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } },
}
const tree = (schema: SchemaNode) => fieldTree(schema, SCHEMAS)
const typeOf = (schema: SchemaNode) => tree(schema).type
const site = { $ref: '#/components/schemas/Site' }

describe('a schema as a tree of fields', () => {
  it('names types in French, references by their name, lists by what they hold', () => {
    expect(typeOf({ type: 'integer' })).toBe('entier')
    expect(typeOf({ type: 'string', format: 'date-time', pattern: 'Z$' })).toBe('date et heure (UTC)')
    expect(typeOf({ type: ['boolean', 'string'] })).toBe('texte ou booléen')
    expect(typeOf({ enum: ['a', 'b'] })).toBe('texte')
    expect(typeOf({})).toBe('valeur quelconque')
    expect(typeOf(site)).toBe('objet Site')
    expect(typeOf({ type: 'array', items: site })).toBe('liste de Site')
    expect(typeOf({ type: 'array', items: { $ref: '#/components/schemas/Account' } })).toBe('liste d’Account')
    expect(typeOf({ type: 'array', items: { type: 'integer' } })).toBe('liste d’entiers')
    expect(typeOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } })).toBe(
      'liste de valeurs',
    )
  })

  it('opens objects, references and lists of them; says which fields are required', () => {
    const { children } = tree({
      type: 'object',
      properties: { site, sites: { type: 'array', items: site } },
      required: ['site'],
    })
    expect(children.map(({ name, required }) => [name, required])).toEqual([
      ['site', true],
      ['sites', false],
    ])
    for (const { children: inner } of children)
      expect(inner.map(({ name, required }) => [name, required])).toEqual([
        ['id', true],
        ['name', false],
      ])
  })

  it('a schema that holds itself ends', () => {
    const [children] = tree({ $ref: '#/components/schemas/Node' }).children
    expect(children).toMatchObject({ name: 'children', type: 'liste de Node', children: [] })
  })

  it('null is no type of its own, whether written as a type or as an alternative', () => {
    expect(tree({ type: ['string', 'null'] })).toMatchObject({ type: 'texte', nullable: true })
    expect(tree({ anyOf: [site, { type: 'null' }] })).toMatchObject({ type: 'objet Site', nullable: true })
    expect(tree({ anyOf: [site, { type: 'null' }] }).children).toHaveLength(2)
    expect(tree({ type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } })).toMatchObject({
      type: 'liste de nombres',
      nullable: false,
      limits: ['éléments null acceptés'],
    })
  })

  it('says limits in sentences, those of a list’s items too', () => {
    const limits = (schema: SchemaNode) => tree(schema).limits
    expect(limits({ type: 'string', minLength: 1, maxLength: 120 })).toEqual(['de 1 à 120 caractères'])
    expect(limits({ type: 'string', maxLength: 4000 })).toEqual(['4\u202f000 caractères au plus'])
    expect(limits({ type: 'string', minLength: 1 })).toEqual(['non vide'])
    expect(limits({ type: 'integer', minimum: 1, maximum: 2_147_483_647 })).toEqual(['1 au moins'])
    expect(limits({ type: 'number', minimum: -90, maximum: 90 })).toEqual(['de −90 à 90'])
    expect(limits({ anyOf: [{ type: 'integer', minimum: 5, maximum: 86_400 }, { type: 'null' }] })).toEqual([
      'de 5 à 86\u202f400',
    ])
    expect(limits({ type: 'array', maxItems: 20, items: { type: 'string', maxLength: 40 } })).toEqual([
      '20 éléments au plus',
      'chacun\u202f: 40 caractères au plus',
    ])
  })

  it('patterns are sentences where there is one, else shown; rules that come together are all said', () => {
    expect(
      tree({ type: 'string', maxLength: 32, allOf: [{ pattern: '^[^\\p{Cc}]*$' }, { pattern: '^[A-Z]+$' }] }),
    ).toMatchObject({ limits: ['32 caractères au plus', 'sur une ligne'], patterns: ['^[A-Z]+$'] })
    expect(tree({ type: 'string', format: 'email', pattern: '^.+@.+$' })).toMatchObject({
      type: 'adresse e-mail',
      patterns: [],
    })
  })

  it('lists the only values accepted, and what an absent field gets', () => {
    expect(tree({ type: 'string', enum: ['asc', 'desc'], default: 'asc' })).toMatchObject({
      values: ['asc', 'desc'],
      initial: 'asc',
    })
    expect(
      tree({
        anyOf: [
          { const: '', type: 'string' },
          { type: 'string', format: 'email' },
        ],
      }),
    ).toMatchObject({
      type: 'vide ou adresse e-mail',
      values: [],
      initial: null,
    })
    const initial = (value: unknown) => tree({ type: 'string', default: value }).initial
    expect([initial(''), initial(null), initial(false), initial([]), initial({}), initial(25)]).toEqual([
      'vide',
      'null',
      'false',
      'liste vide',
      'objet vide',
      '25',
    ])
  })

  it('a free record has one field that stands for any key', () => {
    expect(tree({ type: 'object', additionalProperties: { type: 'number' } }).children).toMatchObject([
      { name: '‹clé›', type: 'nombre', required: false },
    ])
  })

  it('parameters keep their own description', () => {
    const parameter = { name: 'id', in: 'path', required: true, description: 'Le site.', schema: { type: 'integer' } }
    expect(parameterFields([{ ...parameter, in: 'path' }], SCHEMAS)).toMatchObject([
      { name: 'id', type: 'entier', required: true, description: 'Le site.' },
    ])
  })
})
