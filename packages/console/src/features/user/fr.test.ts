import { expect, test } from 'vitest'
import { fr } from './fr.ts'

test('where a right holds is told by the number of sites and of equipment, or that it is nowhere yet', () => {
  expect(fr.rightHolds(2, 0)).toBe('sur 2 sites')
  expect(fr.rightHolds(0, 1)).toBe('sur 1 équipement')
  expect(fr.rightHolds(1, 3)).toBe('sur 1 site et 3 équipements')
  expect(fr.rightHolds(0, 0)).toBe('nulle part pour l’instant')
})
