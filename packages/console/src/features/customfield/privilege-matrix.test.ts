import { describe, expect, it } from 'vitest'
import {
  type CellPlace,
  changedCells,
  effectiveLevel,
  nextLevel,
  ownLevel,
  savedLevels,
  withLevel,
} from './privilege-matrix.ts'

const NONE = new Map()
const group: CellPlace = { userGroupId: 7, groupId: 1, definitionId: null }
const field: CellPlace = { userGroupId: 7, groupId: 1, definitionId: 12 }
const saved = savedLevels([
  { userGroupId: 7, groupId: 1, definitionId: null, level: 'read' },
  { userGroupId: 8, groupId: null, definitionId: 12, level: 'write' },
  { userGroupId: 7, groupId: null, definitionId: 12, level: null },
])

describe('the level that holds', () => {
  it('is none where nothing is said', () => {
    expect(effectiveLevel(NONE, NONE, group)).toBe('none')
    expect(effectiveLevel(NONE, NONE, field)).toBe('none')
  })
  it('is that of its group for a field that says nothing itself', () => {
    expect(ownLevel(saved, NONE, field)).toBeNull()
    expect(effectiveLevel(saved, NONE, field)).toBe('read')
  })
  it('is the field’s own where it says one, also less than its group', () => {
    expect(effectiveLevel(saved, NONE, { ...field, userGroupId: 8 })).toBe('write')
    expect(effectiveLevel(saved, withLevel(saved, NONE, field, 'none'), field)).toBe('none')
  })
  it('of a field follows a change of its group at once', () => {
    expect(effectiveLevel(saved, withLevel(saved, NONE, group, 'write'), field)).toBe('write')
  })
})

describe('changes', () => {
  it('that lead back to what is saved are none', () => {
    const changed = withLevel(saved, NONE, group, 'write')
    expect(changed.size).toBe(1)
    expect(withLevel(saved, changed, group, 'read').size).toBe(0)
    expect(withLevel(NONE, withLevel(NONE, NONE, group, 'read'), group, 'none').size).toBe(0)
  })
  it('are sent as cells of a group or of a field, a field with its group’s level as null', () => {
    const there = { ...field, userGroupId: 8 }
    const changes = withLevel(saved, withLevel(saved, NONE, group, 'none'), there, null)
    expect(changedCells(changes)).toEqual([
      { userGroupId: 7, groupId: 1, definitionId: null, level: 'none' },
      { userGroupId: 8, groupId: null, definitionId: 12, level: null },
    ])
  })
})

it('the space bar goes through every level and back to the first', () => {
  const round = (place: CellPlace, first: ReturnType<typeof nextLevel>, times: number) =>
    Array.from({ length: times }).reduce<ReturnType<typeof nextLevel>[]>(
      levels => [...levels, nextLevel(place, levels.at(-1) ?? null)],
      [first],
    )
  expect(round(group, 'none', 3)).toEqual(['none', 'read', 'write', 'none'])
  expect(round(field, null, 4)).toEqual([null, 'none', 'read', 'write', null])
})
