import { describe, expect, it } from 'vitest'
import { acting as words } from '../i18n/acting.ts'
import { ownersQuery, refusedText } from './act-words.ts'
import type { ActTargets } from './acting.ts'

describe('giving incidents', () => {
  it('of one thing asks who may act on it, of many who may act anywhere', () => {
    const asked = (of: ActTargets['of'], ids: number[]) => ownersQuery({ of, target: { ids } })
    expect([asked('problem', [7]), asked('incident', [1, 2])]).toEqual([{ of: 'problem', id: '7' }, {}])
    expect(ownersQuery({ of: 'incident', target: { filter: { draw: 1 } } })).toEqual({})
  })
  it('says why some were refused: those that are over by their number, others in the words of the server, each once', () => {
    const refusal = (id: number, error: string) => ({ id, name: 'srv', errors: [error] })
    expect(refusedText(2, [refusal(1, words.over), refusal(2, words.over)])).toBe(words.refused(2))
    const text = refusedText(3, [refusal(1, 'Non.'), refusal(2, 'Non.'), refusal(3, words.over)])
    expect(text).toBe(`3 ont été refusés. Non. ${words.over}`)
  })
})
