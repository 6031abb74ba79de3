import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { fieldErrors } from './messages.ts'

const faultsOf = (schema: z.ZodMiniType, value: unknown): string[] => {
  const parsed = schema.safeParse(value)
  return parsed.success ? [] : fieldErrors(parsed.error).map(({ message }) => message)
}

describe('what a schema refuses, in French', () => {
  it('agrees with the type that it expects', () => {
    expect(faultsOf(z.array(z.string()), 'x')).toEqual(['Valeur incorrecte\u202f: une liste est attendue'])
    expect(faultsOf(z.string(), 1)).toEqual(['Valeur incorrecte\u202f: un texte est attendu'])
    expect(faultsOf(z.enum(['a', 'b']), 'c')).toEqual(['Valeur inconnue, attendu\u202f: a, b'])
  })

  it('says one in the singular', () => {
    const list = z.array(z.string())
    expect(faultsOf(list.check(z.minLength(1)), [])).toEqual(['Au moins un élément est attendu'])
    expect(faultsOf(list.check(z.minLength(2)), [])).toEqual(['Au moins 2 éléments sont attendus'])
    expect(faultsOf(list.check(z.maxLength(1)), ['a', 'b'])).toEqual(['Un seul élément est accepté'])
    expect(faultsOf(z.string().check(z.maxLength(1)), 'ab')).toEqual(['Un seul caractère est accepté'])
  })

  it('names unknown fields, never their values: at most five, short and on one line', () => {
    const schema = z.strictObject({ name: z.string() })
    expect(faultsOf(schema, { name: 'a', nmae: 'secret' })).toEqual(['Champ inconnu\u202f: «\u202fnmae\u202f»'])
    const many = Object.fromEntries(['a\nb', 'y'.repeat(90), 'c', 'd', 'e', 'f'].map(key => [key, 1]))
    expect(faultsOf(schema, { name: 'a', ...many })).toEqual([
      `Champs inconnus\u202f: «\u202fab\u202f», «\u202f${'y'.repeat(60)}\u202f», «\u202fc\u202f», «\u202fd\u202f», «\u202fe\u202f»…`,
    ])
  })
})
