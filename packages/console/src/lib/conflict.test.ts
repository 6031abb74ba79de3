import { describe, expect, it } from 'vitest'
import { conflictsOf, proposedSide } from './conflict.ts'

const base = { name: 'Lyon', city: 'Lyon', hours: [], note: null }
const names = ['name', 'city', 'hours', 'note']

describe('two versions of a form', () => {
  it('tell only the fields that differ, in the order of the form, and who changed each', () => {
    const mine = { ...base, name: 'Lyon Part-Dieu', city: 'Lyon 3e' }
    const theirs = { ...base, city: 'LYON', hours: [{ days: [1], from: '08:00', to: '12:00' }] }
    expect(conflictsOf(base, mine, theirs, names).map(one => [one.name, one.changedBy, proposedSide(one)])).toEqual([
      ['name', 'me', 'mine'],
      ['city', 'both', 'mine'],
      ['hours', 'them', 'theirs'],
    ])
  })
  it('see no difference where both changed a field the same way, nor between null and nothing', () => {
    expect(conflictsOf(base, { ...base, city: 'Bron' }, { ...base, city: 'Bron' }, names)).toEqual([])
    expect(conflictsOf(base, { ...base, note: undefined }, base, names)).toEqual([])
  })
})
