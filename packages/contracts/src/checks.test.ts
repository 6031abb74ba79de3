import { describe, expect, it } from 'vitest'
import { CHECK_KINDS, CHECKS, parseMetricKey } from './check.ts'
import { AVAILABILITY_KEY, CHECK_FAMILIES, type ParameterField } from './check-definition.ts'

const fieldsOf = (kind: (typeof CHECK_KINDS)[number]) => Object.entries<ParameterField | undefined>(CHECKS[kind].fields)

describe.each(CHECK_KINDS)('the kind of check « %s »', kind => {
  const definition = CHECKS[kind]

  it('is known under its own name, in a family of the gallery, with words for people', () => {
    expect(definition.kind).toBe(kind)
    expect(CHECK_FAMILIES).toContain(definition.family)
    for (const text of [definition.label, definition.description]) expect(text).not.toBe('')
    expect(definition.description).toMatch(/\.$/)
  })

  it('says its availability first, each metric once, under keys that can be read back', () => {
    const keys = definition.metrics.map(metric => metric.key)
    expect(keys[0]).toBe(AVAILABILITY_KEY)
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(parseMetricKey(key)).toEqual({ key, instance: null })
    // A name with an instance needs its slot, and its metrics come with their first value.
    for (const metric of definition.metrics) expect(metric.name).not.toMatch(/\{(?!instance\})/)
  })

  it('asks in its form for parameters that its schema knows, and for all of them', () => {
    const { parameters } = definition
    const shape: object = 'shape' in parameters && typeof parameters.shape === 'object' ? (parameters.shape ?? {}) : {}
    expect(
      fieldsOf(kind)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(Object.keys(shape).toSorted())
    for (const [, field] of fieldsOf(kind)) expect(field?.label).not.toBe('')
  })

  it('refuses parameters that it does not know', () => {
    expect(definition.parameters.safeParse({ ...definition.initial, nobody: 1 }).success).toBe(false)
  })
})
