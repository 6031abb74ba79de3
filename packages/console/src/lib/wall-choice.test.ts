import { WALL_VIEWS } from '@narval/contracts'
import { expect, it } from 'vitest'
import { isFrozen, readWallChoice, rowsOfPage, slidesOf, WALL_UNASKED, wallQuery } from './wall-choice.ts'

const read = (query: string) => readWallChoice(new URLSearchParams(query))

it('an address says its views, seconds and theme; what is unknown or out of bounds becomes the usual', () => {
  expect(read('')).toEqual(WALL_UNASKED)
  expect(read('views=sites,problems&every=30&theme=light')).toEqual({
    ...{ views: ['problems', 'sites'], seconds: 30, theme: 'light' },
  })
  expect(read('views=x,&every=abc&theme=rose')).toEqual(WALL_UNASKED)
  expect([read('every=1').seconds, read('every=999').seconds, read('every=-5').seconds]).toEqual([5, 600, 20])
})

it('an address is read as it was written', () => {
  expect(wallQuery(WALL_UNASKED)).toBe('')
  for (const theme of ['dark', 'light'] as const)
    for (const seconds of [5, 20, 60])
      for (const views of [WALL_VIEWS, WALL_VIEWS.slice(1), WALL_VIEWS.slice(0, 1)]) {
        const choice = { theme, seconds, views }
        expect(read(wallQuery(choice))).toEqual(choice)
      }
})

it('each page of each view has its turn; a view without anything has one', () => {
  const pages = { problems: 2, hosts: 1, sites: 0 }
  expect(slidesOf(['problems', 'sites'], pages)).toEqual([
    { view: 'problems', page: 0, pages: 2 },
    { view: 'problems', page: 1, pages: 2 },
    { view: 'sites', page: 0, pages: 1 },
  ])
  expect([0, 1, 2].map(page => rowsOfPage([1, 2, 3, 4, 5], page, 2))).toEqual([[1, 2], [3, 4], [5]])
})

it('frozen is said within 10 s of the last answer, sooner when a question failed, never between two questions', () => {
  expect([isFrozen(3_500, false), isFrozen(3_500, true)]).toEqual([false, false])
  expect([isFrozen(5_000, true), isFrozen(5_000, false), isFrozen(7_001, false)]).toEqual([true, false, true])
})
