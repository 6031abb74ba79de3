import { describe, expect, test } from 'vitest'
import { ADMINISTRATION_MENU, GENERAL_MENU, menuLinks } from '../menu.ts'
import { findPages, objectLink } from './search.ts'

const links = menuLinks([...GENERAL_MENU, ...ADMINISTRATION_MENU])
const found = (term: string) => findPages(links, term).map(page => page.to)

describe('pages of the search box', () => {
  test('neither case nor accents count', () => {
    expect(found('EQUIP')).toEqual(['/host', '/dashboard/host-status', '/host/edit'])
    expect(found('métr')).toEqual(['/metric', '/metric/edit'])
  })
  test('every word counts, the group’s too', () => {
    expect(found('edition site')).toEqual(['/site/edit'])
    expect(found('zzz')).toEqual([])
    expect(found('   ')).toEqual([])
  })
  test('a page beside the menu is found by who may open it', () => {
    const may = (claim: string) => findPages(links, 'modeles', (...claims) => claims.some(one => one === claim))
    expect(may('scanner_read').map(page => page.to)).toEqual(['/host/model'])
    expect(may('user_read')).toEqual([])
  })
  test('an object leads to its page', () => {
    expect(objectLink({ kind: 'host', id: 4 })).toBe('/host/4')
  })
})
