import { describe, expect, test } from 'vitest'
import { avatarUrl, panelName } from './account-name.ts'

describe('the user panel (spec §2)', () => {
  test.each([
    ['Claire', 'Legoff', 'Claire LEGOFF'],
    ['', 'Legoff', 'LEGOFF'],
    ['', 'Éloïse-Çelik', 'ÉLOÏSE-ÇELIK'],
    ['', '', 'C.LEGOFF'],
    ['Claire', '', 'C.LEGOFF'],
    [' ', ' Legoff ', 'LEGOFF'],
  ])('first name « %s », last name « %s » shows %s', (firstName, lastName, shown) => {
    expect(panelName({ firstName, lastName, login: 'c.legoff' })).toBe(shown)
  })

  test('the avatar comes from the assets’ avatar folder or is a picture of one’s own, and nothing else is', () => {
    expect(avatarUrl('phare')).toBe('/assets/avatar/phare.svg')
    expect(avatarUrl('0123456789abcdef0123456789abcdef')).toBe('/avatar/0123456789abcdef0123456789abcdef.png')
    expect(avatarUrl('0123456789abcdef0123456789abcdef/x')).toBe('/assets/avatar/narval.svg')
    expect(avatarUrl('../../evil')).toBe('/assets/avatar/narval.svg')
  })
})
