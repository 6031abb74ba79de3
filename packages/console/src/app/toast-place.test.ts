import { describe, expect, test } from 'vitest'
import { lowestFree } from './toast-place.ts'

const WINDOW = { top: 60, bottom: 900 }
const at = (top: number, bottom: number) => ({ top, bottom })

describe('where toasts stand', () => {
  test('at the bottom of the window where nothing can be pressed there', () => {
    expect(lowestFree([], 400, WINDOW)).toBe(0)
    expect(lowestFree([at(70, 110)], 400, WINDOW)).toBe(0)
    // Below the window: not scrolled to yet.
    expect(lowestFree([at(1_200, 1_260)], 400, WINDOW)).toBe(0)
  })
  test('above a bar at the bottom, and above another that would then be under them', () => {
    expect(lowestFree([at(836, 900)], 400, WINDOW)).toBe(72)
    expect(lowestFree([at(836, 900), at(700, 740)], 400, WINDOW)).toBe(208)
    expect(lowestFree([at(836, 900), at(300, 340)], 400, WINDOW)).toBe(72)
  })
  test('at the bottom again where no place is left under the top bar', () =>
    expect(lowestFree([at(836, 900), at(300, 340)], 700, WINDOW)).toBe(0))
  test('off the buttons of a form too, as long as that takes them off no bar', () => {
    expect(lowestFree([at(836, 900)], 100, WINDOW, [at(780, 810)])).toBe(128)
    expect(lowestFree([at(836, 900)], 700, WINDOW, [at(300, 330)])).toBe(72)
  })
})
