import type { Parameter, SchemaNode, Schemas } from './document.ts'
import { schemaWords as words } from './schema-words.ts'

/** A value of the API as a person reads it: a body, a reply, a parameter, or a field of these. */
export interface Field {
  readonly name: string
  /** French: « texte », « liste d’entiers », « objet Site ». */
  readonly type: string
  readonly required: boolean
  readonly nullable: boolean
  readonly description: string
  /** French: « 120 caractères au plus », « de 1 à 20 ». */
  readonly limits: readonly string[]
  /** Regular expressions that no sentence stands for. */
  readonly patterns: readonly string[]
  /** The only values accepted, where they are listed. */
  readonly values: readonly string[]
  /** What an absent field gets, in French; null when there is no default. */
  readonly initial: string | null
  readonly children: readonly Field[]
}

/** The tree of a schema, references followed; one that holds itself is not opened again. */
export const fieldTree = (schema: SchemaNode, schemas: Schemas): Field =>
  fieldOf('', true, schema, { schemas, opened: [] })

/** The parameters of an operation as fields. */
export const parameterFields = (parameters: readonly Parameter[], schemas: Schemas): Field[] =>
  parameters.map(({ name, required, description, schema }) => ({
    ...fieldOf(name, required, schema, { schemas, opened: [] }),
    description,
  }))

interface Context {
  readonly schemas: Schemas
  /** Names of the schemas that hold this one. */
  readonly opened: readonly string[]
}

const fieldOf = (name: string, required: boolean, schema: SchemaNode, context: Context): Field => {
  const shapes = shapesOf(schema, context.schemas)
  const shown = shapes.filter(shape => shape.type !== 'null')
  const parts = shown.map(shape => partOf(shape, context))
  return {
    name,
    type: words.either([...new Set(parts.map(part => part.type))]),
    required,
    nullable: shapes.length > shown.length,
    description: textOf(schema.description),
    limits: [...new Set(parts.flatMap(part => part.limits))],
    patterns: [...new Set(parts.flatMap(part => part.patterns))],
    values: parts.flatMap(part => part.values),
    initial: 'default' in schema ? words.initial(schema.default) : null,
    children: parts.flatMap(part => part.children),
  }
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const
type TypeName = (typeof TYPES)[number]

/** One type that a value may have. */
interface Shape {
  readonly type: TypeName | null
  /** Under `components/schemas`. */
  readonly component: string | null
  readonly node: SchemaNode
}

const REFERENCE = '#/components/schemas/'

const shapesOf = (schema: SchemaNode, schemas: Schemas): Shape[] => {
  const reference = textOf(schema.$ref)
  const component = reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : null
  const node = component === null ? schema : (schemas[component] ?? {})
  const choices = nodesOf(node.anyOf)
  if (choices.length > 0) return choices.flatMap(choice => shapesOf(choice, schemas))
  const types = typesOf(node)
  return (types.length === 0 ? [null] : types).map(type => ({ type, component, node }))
}

const typesOf = (node: SchemaNode): TypeName[] => {
  const said = [node.type].flat()
  if (said[0] !== undefined) return TYPES.filter(type => said.includes(type))
  return TYPES.filter(type => literalsOf(node).some(value => typeof value === type))
}

const literalsOf = (node: SchemaNode): unknown[] =>
  'const' in node ? [node.const] : Array.isArray(node.enum) ? node.enum : []

type Part = Pick<Field, 'type' | 'limits' | 'patterns' | 'values' | 'children'>

const partOf = (shape: Shape, context: Context): Part => {
  const { type, node, component } = shape
  if (type === 'array') return listPart(node, context)
  const rules = [node, ...nodesOf(node.allOf)]
  const base = {
    limits: limitsOf(type, rules),
    patterns: [],
    values: literalsOf(node).map(words.literal),
    children: [],
  }
  if (node.const === '') return { ...base, type: words.empty, values: [] }
  if (type === 'string') {
    const patterns = rules.map(rule => textOf(rule.pattern)).filter(pattern => pattern !== '')
    const known = patterns.flatMap(pattern => words.patterns[pattern] ?? [])
    const unknown = words.saysAll(textOf(node.format)) ? [] : patterns.filter(one => words.patterns[one] === undefined)
    return {
      ...base,
      type: words.text(textOf(node.format)),
      limits: [...base.limits, ...known.filter(limit => limit !== '')],
      patterns: unknown,
    }
  }
  if (type === 'object') return { ...base, type: words.object(component), children: childrenOf(shape, context) }
  return { ...base, type: type === null ? words.anything : words.types[type] }
}

const listPart = (node: SchemaNode, context: Context): Part => {
  const items = isNode(node.items) ? node.items : {}
  const item = fieldOf('', true, items, context)
  const [first, ...others] = shapesOf(items, context.schemas).filter(shape => shape.type !== 'null')
  const single = others.length === 0 ? first : undefined
  return {
    type: words.list(single?.component ?? null, single?.type ?? null),
    limits: [
      ...limitsOf('array', [node]),
      ...(item.nullable ? [words.nullItems] : []),
      ...item.limits.map(limit => words.each(limit)),
    ],
    patterns: item.patterns,
    values: item.values,
    children: item.children,
  }
}

const childrenOf = ({ node, component }: Shape, { schemas, opened }: Context): Field[] => {
  if (component !== null && opened.includes(component)) return []
  const inner = { schemas, opened: component === null ? opened : [...opened, component] }
  const required = Array.isArray(node.required) ? node.required : []
  const named = Object.entries(isNode(node.properties) ? node.properties : {}).flatMap(([name, schema]) =>
    isNode(schema) ? [fieldOf(name, required.includes(name), schema, inner)] : [],
  )
  const free = node.additionalProperties
  return isNode(free) ? [...named, fieldOf(words.anyKey, false, free, inner)] : named
}

/** Ids stop where 32 or 10-digit integers do: no limit that one would meet. */
const UNREACHED = 2_147_483_647

const limitsOf = (type: TypeName | null, rules: readonly SchemaNode[]): string[] => {
  const of = (name: string) => rules.map(rule => rule[name]).find(value => typeof value === 'number')
  if (type === 'string') return words.length(of('minLength'), of('maxLength'))
  if (type === 'array') return words.count(of('minItems'), of('maxItems'))
  if (type !== 'integer' && type !== 'number') return []
  const maximum = of('maximum')
  return words.range(of('minimum'), maximum === undefined || maximum >= UNREACHED ? undefined : maximum)
}

const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nodesOf = (value: unknown): SchemaNode[] => (Array.isArray(value) ? value.filter(isNode) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
