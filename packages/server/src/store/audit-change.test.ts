import { describe, expect, it } from 'vitest'
import { changesOf } from './audit-change.ts'

describe('what an audit line tells of a change', () => {
  it('only what differs, before and after', () => {
    expect(
      changesOf({ name: 'Lyon', city: 'Lyon', tags: ['a'] }, { name: 'Lyon 2', city: 'Lyon', tags: ['a'] }),
    ).toEqual({ name: { before: 'Lyon', after: 'Lyon 2' } })
  })
  it('compares by content: the order of keys is no change, that of a list is one', () => {
    expect(changesOf({ at: { x: 1, y: 2 } }, { at: { y: 2, x: 1 } })).toEqual({})
    expect(Object.keys(changesOf({ at: [1, 2] }, { at: [2, 1] }))).toEqual(['at'])
  })
  it('a creation lists what was given, a deletion what was lost', () => {
    expect(changesOf(null, { name: 'Lyon', parentId: null })).toEqual({ name: { before: null, after: 'Lyon' } })
    expect(changesOf({ name: 'Lyon' }, null)).toEqual({ name: { before: 'Lyon', after: null } })
  })
  it('never the stamps that every record carries', () => {
    expect(changesOf({ id: 1, updatedAt: 'a', updatedBy: 'x' }, { id: 1, updatedAt: 'b', updatedBy: 'y' })).toEqual({})
  })
})
