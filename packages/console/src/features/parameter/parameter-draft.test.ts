import type { SettingValue } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { type Draft, faultOf, overtaken, sectionsOf, seenOf, shownOf, typed, valueText } from './parameter-draft.ts'

const setting = (over: Partial<SettingValue> = {}): SettingValue => ({
  ...{ key: 'attempts', label: 'Tentatives', help: '', type: 'integer', unit: '', value: 3, default: 3 },
  ...{ min: 1, max: 20, origin: 'default', section: 'validation', updatedAt: null, updatedBy: null },
  ...over,
})
const NONE: Draft = new Map()
const chosen = setting({ value: 5, origin: 'setting', updatedAt: '2026-11-22T08:00:00.000Z', updatedBy: 'paul' })

describe('a form of settings', () => {
  it('what is typed as it was saved is no change; null goes back to the default of a changed one alone', () => {
    const draft = typed(NONE, chosen, 7)
    expect([...draft]).toEqual([['attempts', 7]])
    expect(typed(draft, chosen, 5).size).toBe(0)
    expect(typed(NONE, setting(), null).size).toBe(0)
    expect([...typed(draft, chosen, null)]).toEqual([['attempts', null]])
  })
  it('a field shows what was typed, the default where it goes back, and whose value that is', () => {
    expect(shownOf(chosen, NONE)).toEqual({ value: 5, isOwn: true })
    expect(shownOf(chosen, typed(NONE, chosen, null))).toEqual({ value: 3, isOwn: false })
    expect(shownOf(setting(), typed(NONE, setting(), 4))).toEqual({ value: 4, isOwn: true })
  })
  it('an emptied number, one out of its bounds and a text too long are told before they are sent', () => {
    expect(faultOf(setting(), '')).toBe('Un nombre entier est attendu')
    expect(faultOf(setting(), 21)).toBe('Un nombre de 1 à 20 est attendu')
    expect(faultOf(setting(), 20)).toBeNull()
    expect(faultOf(setting({ type: 'url', max: 3 }), 'https')).toBe('Au plus 3 caractères')
    expect(faultOf(setting({ type: 'url', max: 3 }), '')).toBeNull()
  })
  it('only what one changed oneself and somebody else changed since is overtaken', () => {
    const later = { updatedAt: '2026-11-22T09:00:00.000Z', updatedBy: 'marie' }
    const base = [chosen, setting({ key: 'timeoutMs' })]
    const fresh = [{ ...chosen, value: 9, ...later }, setting({ key: 'timeoutMs', ...later })]
    expect(seenOf(base)).toBe('2026-11-22T08:00:00.000Z')
    expect(seenOf([setting()])).toBe('1970-01-01T00:00:00.000Z')
    expect(overtaken(base, fresh, typed(NONE, chosen, 7)).map(({ key }) => key)).toEqual(['attempts'])
    expect(overtaken(base, base, typed(NONE, chosen, 7))).toEqual([])
  })
  it('values read with their unit, in French', () => {
    expect(valueText(setting({ unit: 'ms' }), 5_000)).toBe('5\u202f000\u202fms')
    expect([valueText(setting(), true), valueText(setting(), ''), valueText(setting(), 'x')]).toEqual([
      'Oui',
      'aucune',
      '«\u202fx\u202f»',
    ])
  })
  it('sections come in their order, and those without a setting not at all', () => {
    const settings = [setting({ key: 'a', section: 'silence' }), setting({ key: 'b' }), setting({ key: 'c' })]
    expect(sectionsOf(settings, ['check', 'validation', 'silence'])).toMatchObject([
      { section: 'validation', settings: [{ key: 'b' }, { key: 'c' }] },
      { section: 'silence', settings: [{ key: 'a' }] },
    ])
  })
})
