import type { PrivilegeCell, PrivilegeLevel } from '@narval/contracts'

/** One cell: a user group with a group of fields, or with one field (`definitionId`). */
export interface CellPlace {
  readonly userGroupId: number
  readonly groupId: number
  readonly definitionId: number | null
}
/** Levels of cells, as saved or as changed. */
export type CellLevels = ReadonlyMap<string, PrivilegeLevel | null>

export const cellKey = ({ userGroupId, groupId, definitionId }: CellPlace): string =>
  definitionId === null ? `${userGroupId}:g${groupId}` : `${userGroupId}:d${definitionId}`

/** The saved cells by their place; those that say nothing are left out. */
export const savedLevels = (cells: readonly PrivilegeCell[]): CellLevels =>
  new Map(
    cells.flatMap(({ userGroupId, groupId, definitionId, level }) =>
      level === null ? [] : [[`${userGroupId}:${definitionId === null ? `g${groupId}` : `d${definitionId}`}`, level]],
    ),
  )

/** What a cell says itself: a group's without any says « none », a field's says null, that of its group. */
export const ownLevel = (saved: CellLevels, changes: CellLevels, place: CellPlace): PrivilegeLevel | null => {
  const key = cellKey(place)
  const level = changes.has(key) ? changes.get(key) : saved.get(key)
  return level ?? (place.definitionId === null ? 'none' : null)
}
/** What holds in a cell: its own level, else that of its group. */
export const effectiveLevel = (saved: CellLevels, changes: CellLevels, place: CellPlace): PrivilegeLevel =>
  ownLevel(saved, changes, place) ?? ownLevel(saved, changes, { ...place, definitionId: null }) ?? 'none'

/** Changes one cell; back to what is saved is no change. */
export const withLevel = (
  saved: CellLevels,
  changes: CellLevels,
  place: CellPlace,
  level: PrivilegeLevel | null,
): CellLevels => {
  const key = cellKey(place)
  const others = [...changes].filter(([other]) => other !== key)
  return new Map(level === ownLevel(saved, new Map(), place) ? others : [...others, [key, level]])
}

const GROUP_CYCLE = ['none', 'read', 'write'] as const
const FIELD_CYCLE = [null, 'none', 'read', 'write'] as const
/** The level after this one, as the space bar goes through them; a field begins with that of its group. */
export const nextLevel = (place: CellPlace, level: PrivilegeLevel | null): PrivilegeLevel | null => {
  const cycle: readonly (PrivilegeLevel | null)[] = place.definitionId === null ? GROUP_CYCLE : FIELD_CYCLE
  return cycle[(cycle.indexOf(level) + 1) % cycle.length] ?? null
}

/** The changes as the server takes them. */
export const changedCells = (changes: CellLevels): PrivilegeCell[] =>
  [...changes].map(([key, level]) => {
    const [userGroup = '', target = ''] = key.split(':')
    const id = Number(target.slice(1))
    const isGroup = target.startsWith('g')
    return {
      userGroupId: Number(userGroup),
      groupId: isGroup ? id : null,
      definitionId: isGroup ? null : id,
      level,
    }
  })
